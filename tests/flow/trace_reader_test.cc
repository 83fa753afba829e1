// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/traced/trace_session.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>

#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

namespace wire = gordian_wire;

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

wire::TraceHeader header() {
  wire::TraceHeader header{};
  header.magic = wire::kTraceMagic;
  header.version = wire::kTraceVersion;
  header.header_size = sizeof header;
  header.build_id_size = 2;
  header.build_id[0] = 0xab;
  header.build_id[1] = 0x01;
  return header;
}

wire::TraceBlock block_of(std::uint32_t mark, std::int32_t test, std::uint32_t position) {
  wire::TraceBlock block{};
  block.mark = mark;
  block.test = test;
  block.position = position;
  return block;
}

void put_test(std::string& bytes, std::int32_t test, std::uint32_t position,
              const std::vector<wire::TraceRead>& reads = {},
              const std::vector<wire::TraceNode>& nodes = {}) {
  wire::TraceWrite write{0x2000, 4, 0x10, 1, 0, 0, 0, 0};
  wire::TraceBlock block = block_of(wire::kTraceTest, test, position);
  block.nodes = static_cast<std::uint32_t>(nodes.size());
  block.reads = static_cast<std::uint32_t>(reads.size());
  block.writes = 1;
  put(bytes, block);
  for (const auto& node : nodes) put(bytes, node);
  for (const auto& read : reads) put(bytes, read);
  put(bytes, write);
}

wire::TraceRead read_of(std::uint64_t address, std::uint32_t size, std::uint32_t writer) {
  wire::TraceRead read{};
  read.address = address;
  read.size = size;
  read.writer = writer;
  return read;
}

/// Two tests: the second reads what the first wrote.
std::string sound_file() {
  std::string bytes;
  put(bytes, header());
  put_test(bytes, 7, 0, {}, {{0x400100, 1}, {0x400200, 2}});
  put_test(bytes, 3, 1, {read_of(0x2000, 4, 1)});
  put(bytes, block_of(wire::kTraceEnd, -1, 2));
  return bytes;
}

class TraceReaderTest : public ScratchDir {
 protected:
  std::filesystem::path file(const std::string& bytes) { return write("1.trace", bytes); }
  /// The first error of reading the whole file; empty: there is none.
  std::string error(const std::string& bytes) {
    auto reader = TraceReader::open(file(bytes), "ab01");
    if (!reader) return reader.error().message + "; " + reader.error().hint;
    for (;;) {
      auto test = reader->next();
      if (!test) return test.error().message + "; " + test.error().hint;
      if (!*test) return {};
      for (const auto& read : (*test)->reads) reader->calls(read.node);
    }
  }
};

TEST_F(TraceReaderTest, TestsInTheirOrder) {
  auto reader = TraceReader::open(file(sound_file()), "ab01");
  ASSERT_TRUE(reader);
  auto first = reader->next();
  ASSERT_TRUE(first && *first);
  EXPECT_EQ((*first)->test, 7);
  EXPECT_EQ((*first)->writes.at(0).address, 0x2000u);
  auto second = reader->next();
  ASSERT_TRUE(second && *second);
  EXPECT_EQ((*second)->reads.at(0).writer, 1u);
  EXPECT_FALSE(reader->ended());
  auto none = reader->next();
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  EXPECT_TRUE(reader->ended());
  EXPECT_EQ(reader->calls(3), (std::vector<std::uint32_t>{0x400200, 0x400100}));
  EXPECT_TRUE(reader->calls(1).empty());
}

/// A test that has asked for one variable and has changed another.
std::string with_variables(std::uint32_t first_name_size) {
  std::string bytes;
  put(bytes, header());
  wire::TraceBlock block = block_of(wire::kTraceTest, 4, 0);
  block.variables = 2;
  block.names_size = 7;
  block.modules = 5;
  put(bytes, block);
  put(bytes, wire::TraceVariable{0x10, 1, 0, 0, first_name_size, wire::kTraceVariableRead});
  put(bytes, wire::TraceVariable{0, 0, 0x20, 1, 4, wire::kTraceVariableWritten});
  bytes += "ONEFOUR";
  return bytes;
}

TEST_F(TraceReaderTest, Variables) {
  auto reader = TraceReader::open(file(with_variables(3)), "ab01");
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->modules(), 0u);
  auto test = reader->next();
  ASSERT_TRUE(test && *test);
  ASSERT_EQ((*test)->variables.size(), 2u);
  EXPECT_EQ((*test)->variables[0].name, "ONE");
  EXPECT_EQ((*test)->variables[0].read_pc, 0x10u);
  EXPECT_EQ((*test)->variables[1].name, "FOUR");
  EXPECT_EQ((*test)->variables[1].flags, +wire::kTraceVariableWritten);
  EXPECT_EQ(reader->modules(), 5u);
}

TEST_F(TraceReaderTest, NamesOfVariablesEndWithTheirBlock) {
  EXPECT_NE(error(with_variables(4)).find("variables that cannot be"), std::string::npos);
  EXPECT_NE(error(with_variables(0xffffffff)).find("variables that cannot be"), std::string::npos);
}

TEST_F(TraceReaderTest, AFileThatStillGrows) {
  const std::string all = sound_file();
  const std::size_t first = sizeof(wire::TraceHeader) + sizeof(wire::TraceBlock) +
                            2 * sizeof(wire::TraceNode) + sizeof(wire::TraceWrite);
  auto reader = TraceReader::open(file(all.substr(0, first)), "ab01");
  ASSERT_TRUE(reader);
  auto there = reader->next();
  ASSERT_TRUE(there && *there);
  auto waiting = reader->next();
  ASSERT_TRUE(waiting);
  EXPECT_FALSE(*waiting);
  EXPECT_FALSE(reader->ended());
  std::ofstream(dir_ / "1.trace", std::ios::binary | std::ios::app) << all.substr(first);
  auto grown = reader->next();
  ASSERT_TRUE(grown && *grown);
  EXPECT_EQ((*grown)->test, 3);
}

TEST_F(TraceReaderTest, CutAnywhereItIsAnErrorOrShorter) {
  const std::string all = sound_file();
  for (std::size_t size = 0; size < all.size(); ++size) {
    const std::string why = error(all.substr(0, size));
    if (why.empty()) continue;  // between two tests
    EXPECT_NE(why.find("breaks off"), std::string::npos) << size << ": " << why;
    EXPECT_NE(why.find("collect it again"), std::string::npos) << why;
  }
  EXPECT_NE(error(all.substr(0, all.size() - 1)), "");
}

TEST_F(TraceReaderTest, NoneOfOurs) {
  EXPECT_NE(error(std::string(500, 'x')).find("was not written by Gordian"), std::string::npos);
}

TEST_F(TraceReaderTest, OfAnotherVersion) {
  std::string bytes = sound_file();
  bytes[4] = 99;
  EXPECT_NE(error(bytes).find("is of version 99"), std::string::npos);
  EXPECT_NE(error(bytes).find("gordian cxxflags --link"), std::string::npos);
}

TEST_F(TraceReaderTest, OfAnotherBuild) {
  std::string bytes = sound_file();
  bytes[24] = 0x77;
  EXPECT_NE(error(bytes).find("another build"), std::string::npos);
}

TEST_F(TraceReaderTest, Missing) {
  auto reader = TraceReader::open(dir_ / "none", "");
  ASSERT_FALSE(reader);
  EXPECT_NE(reader.error().hint.find("gordian cxxflags"), std::string::npos);
}

TEST_F(TraceReaderTest, AccessesThatCannotBe) {
  for (const auto& read : {read_of(0x2000, 0, 0), read_of(0x2000, 9, 0), read_of(0x2006, 4, 0),
                           read_of(0x2000, 4, 1)}) {
    std::string bytes;
    put(bytes, header());
    put_test(bytes, 1, 0, {read});
    EXPECT_NE(error(bytes).find("cannot be"), std::string::npos);
  }
}

TEST_F(TraceReaderTest, ACallThatIsItsOwnCaller) {
  std::string bytes;
  put(bytes, header());
  put_test(bytes, 1, 0, {}, {{0x400100, 2}});
  EXPECT_NE(error(bytes).find("tree of calls"), std::string::npos);
}

TEST_F(TraceReaderTest, AnyBytesChanged) {
  std::mt19937 random(1);
  const std::string all = sound_file();
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = all;
    for (unsigned change = 0; change < 1 + random() % 4; ++change) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    error(bytes);  // whatever it says: it ends, and needs no memory that the file does not have
  }
}

}  // namespace
}  // namespace gordian
