// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include <cstring>

#include "coverage/counter_maps.h"

namespace gordian {
namespace {

/// Bytes of a file of GCC 12, piece by piece.
class Bytes {
 public:
  Bytes& word(std::uint32_t value) {
    for (int i = 0; i < 4; ++i) text_ += static_cast<char>(value >> (8 * i) & 0xff);
    return *this;
  }
  Bytes& text(const std::string& value) {
    word(static_cast<std::uint32_t>(value.size() + 1));
    text_ += value + '\0';
    return *this;
  }
  Bytes& record(std::uint32_t tag, const Bytes& content) {
    word(tag).word(static_cast<std::uint32_t>(content.text_.size()));
    text_ += content.text_;
    return *this;
  }
  const std::string& str() const { return text_; }

 private:
  std::string text_;
};

constexpr std::uint32_t kGcc12 = 0x4232322a;  // "B22*"

/// if (x) line 3; else line 4: entry 0, exit 1, blocks 2 (line 2), 3 and 4.
std::string notes() {
  Bytes bytes;
  bytes.word(0x67636e6f).word(kGcc12).word(77).word(0).text("/src").word(1);
  bytes.record(0x01000000, Bytes()
                               .word(5)
                               .word(6)
                               .word(7)
                               .text("_Z1fi")
                               .word(0)
                               .text("f.cc")
                               .word(2)
                               .word(1)
                               .word(5)
                               .word(1));
  bytes.record(0x01410000, Bytes().word(5));
  bytes.record(0x01430000, Bytes().word(0).word(2).word(0));                  // counted
  bytes.record(0x01430000, Bytes().word(2).word(3).word(0).word(4).word(1));  // one of two counted
  bytes.record(0x01430000, Bytes().word(3).word(1).word(1));
  bytes.record(0x01430000, Bytes().word(4).word(1).word(1));
  for (std::uint32_t block : {2u, 3u, 4u}) {
    bytes.record(0x01450000, Bytes().word(block).word(0).text("f.cc").word(block).word(0).word(0));
  }
  return bytes.str();
}

TEST(GcovNotes, TellBlocksWaysAndLines) {
  auto parsed = parse_gcov_notes(notes(), "f.gcno");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->stamp, 77U);
  EXPECT_EQ(parsed->directory, "/src");
  ASSERT_EQ(parsed->functions.size(), 1U);
  const GcovFunction& function = parsed->functions[0];
  EXPECT_EQ(function.name, "_Z1fi");
  EXPECT_EQ(function.counters(), 2U);
  EXPECT_EQ(function.lines.size(), 3U);
  EXPECT_EQ(parsed->files, std::vector<std::string>{"f.cc"});
}

TEST(GcovNotes, CutAnywhereAreAnErrorOrFewerRecords) {
  const std::string whole = notes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    auto parsed = parse_gcov_notes(whole.substr(0, size), "f.gcno");
    if (parsed) continue;
    EXPECT_NE(parsed.error().message.find("f.gcno"), std::string::npos);
  }
  EXPECT_FALSE(parse_gcov_notes(whole.substr(0, 60), "f.gcno"));
}

TEST(GcovNotes, OfAnotherCompilerAreRefusedByName) {
  std::string bytes = notes();
  std::memcpy(bytes.data() + 4, "*04B", 4);  // GCC 14
  auto parsed = parse_gcov_notes(bytes, "f.gcno");
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().message.find("GCC 14"), std::string::npos) << parsed.error().message;
  EXPECT_FALSE(
      parse_gcov_notes("\x7f"
                       "ELF and more",
                       "f.gcno"));
}

TEST(GcovFlow, WaysWithoutACounterFollow) {
  auto parsed = parse_gcov_notes(notes(), "f.gcno");
  ASSERT_TRUE(parsed);
  auto flow = GcovFlow::of(parsed->functions[0]);
  ASSERT_TRUE(flow);
  using Run = std::vector<bool>;
  EXPECT_EQ(flow->blocks_run(std::vector<std::uint64_t>{3, 3}), (Run{1, 1, 1, 1, 0}));
  EXPECT_EQ(flow->blocks_run(std::vector<std::uint64_t>{3, 1}), (Run{1, 1, 1, 1, 1}));
  EXPECT_EQ(flow->blocks_run(std::vector<std::uint64_t>{3, 0}), (Run{1, 1, 1, 0, 1}));
  EXPECT_EQ(flow->blocks_run(std::vector<std::uint64_t>{0, 0}), (Run{0, 0, 0, 0, 0}));
}

TEST(GcovFlow, CirclesAreNoFunction) {
  GcovFunction function;
  function.blocks = 4;
  function.arcs = {{0, 2, false}, {2, 3, true}, {3, 2, true}, {2, 1, false}};
  EXPECT_FALSE(GcovFlow::of(function));
}

TEST(GcovData, CountersOfFunctions) {
  Bytes bytes;
  bytes.word(0x67636461).word(kGcc12).word(77).word(0);
  bytes.record(0x01000000, Bytes().word(5).word(6).word(7));
  bytes.record(0x01a10000, Bytes().word(3).word(0).word(1).word(2));
  bytes.record(0x01000000, Bytes().word(8).word(6).word(9));
  bytes.word(0x01a10000).word(static_cast<std::uint32_t>(-16));  // two zeros
  auto data = parse_gcov_data(bytes.str(), "f.gcda");
  ASSERT_TRUE(data) << data.error().message;
  ASSERT_EQ(data->functions.size(), 2U);
  EXPECT_EQ(data->functions[0].counters, (std::vector<std::uint64_t>{3, 0x200000001}));
  EXPECT_EQ(data->functions[1].counters, (std::vector<std::uint64_t>{0, 0}));
  EXPECT_FALSE(parse_gcov_data(bytes.str().substr(0, 50), "f.gcda"));
}

}  // namespace
}  // namespace gordian
