// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/traced/trace_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <type_traits>

namespace gordian {
namespace {

namespace wire = gordian_wire;

constexpr const char* kCollectAgain = "collect it again";

/// Structs of the wire as they stand in the file. REQUIRES: there are bytes for all of them.
template <class T>
std::vector<T> structs(std::string_view bytes, std::uint64_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(count);
  if (count > 0) std::memcpy(all.data(), bytes.data(), count * sizeof(T));
  return all;
}

std::string hexadecimal(const wire::TraceHeader& header) {
  std::string text;
  const std::uint32_t size = std::min(header.build_id_size, +wire::kTraceMostBuildId);
  for (std::uint32_t i = 0; i < size; ++i) text += fmt::format("{:02x}", header.build_id[i]);
  return text;
}

std::uint64_t payload_of(const wire::TraceBlock& block) {
  return block.nodes * sizeof(wire::TraceNode) + block.reads * sizeof(wire::TraceRead) +
         block.writes * sizeof(wire::TraceWrite) + block.variables * sizeof(wire::TraceVariable) +
         block.names_size;
}

bool is_sound(const wire::TraceRead& read, std::uint32_t position, std::size_t nodes) {
  return read.size >= 1 && (read.address & 7) + read.size <= 8 && read.writer <= position &&
         read.node < nodes && read.write_node < nodes && read.block_node < nodes;
}

bool is_sound(const wire::TraceVariable& variable, std::size_t nodes) {
  return variable.read_node < nodes && variable.write_node < nodes;
}

bool is_sound(const wire::TraceWrite& write, std::size_t nodes) {
  return write.address + write.size >= write.address && write.node < nodes &&
         write.block_node < nodes;
}

}  // namespace

Error TraceReader::damaged(const std::string& how) const {
  return target_error(fmt::format("the trace {} {}", path_.string(), how), kCollectAgain);
}

Result<TraceReader> TraceReader::open(const std::filesystem::path& path,
                                      const std::string& build_id) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) {
    return target_error(
        fmt::format("there is no trace {}: {}", path.string(), std::strerror(errno)),
        "is it a traced build? `gordian cxxflags` prints the flags, gordian_instrument() of the "
        "CMake package sets them");
  }
  TraceReader reader(path, std::move(fd));
  if (Status good = reader.check_header(build_id); !good) return good.error();
  return reader;
}

Status TraceReader::check_header(const std::string& build_id) {
  auto head = bytes(sizeof(wire::TraceHeader));
  if (!head) return damaged("breaks off in its first bytes");
  const auto header = structs<wire::TraceHeader>(*head, 1).front();
  if (header.magic != wire::kTraceMagic) return damaged("was not written by Gordian");
  if (header.version != wire::kTraceVersion || header.header_size != sizeof header) {
    return target_error(
        fmt::format("the trace {} is of version {}, and this Gordian reads version {}",
                    path_.string(), header.version, +wire::kTraceVersion),
        "link the program again with the runtime of this Gordian (`gordian cxxflags --link`)");
  }
  if (header.build_id_size > wire::kTraceMostBuildId) return damaged("has no sound build id");
  if (hexadecimal(header) != build_id) {
    return target_error(
        fmt::format("the trace {} is of another build of the program", path_.string()),
        kCollectAgain);
  }
  modules_ = header.modules;
  return {};
}

/// The next bytes; an error when there are not as many. Asks the file first: a number in it must
/// not make us allocate what it does not have.
Result<std::string> TraceReader::bytes(std::uint64_t size) {
  struct stat info {};
  if (::fstat(fd_.get(), &info) != 0) return damaged("cannot be read");
  const auto there = static_cast<std::uint64_t>(info.st_size);
  if (at_ > there || size > there - at_) return damaged("breaks off in the middle of a test");
  std::string result(size, '\0');
  std::uint64_t got = 0;
  while (got < size) {
    const ssize_t n =
        ::pread(fd_.get(), result.data() + got, size - got, static_cast<off_t>(at_ + got));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return damaged("cannot be read");
    got += static_cast<std::uint64_t>(n);
  }
  at_ += size;
  return result;
}

Result<std::optional<TestTrace>> TraceReader::next() {
  struct stat info {};
  if (ended_ || ::fstat(fd_.get(), &info) != 0) return std::optional<TestTrace>();
  if (at_ == static_cast<std::uint64_t>(info.st_size)) return std::optional<TestTrace>();
  auto head = bytes(sizeof(wire::TraceBlock));
  if (!head) return head.error();
  const auto block = structs<wire::TraceBlock>(*head, 1).front();
  if (block.position != tests_) return damaged("has its tests in a wrong order");
  if (block.mark == wire::kTraceEnd) {
    ended_ = true;
    return std::optional<TestTrace>();
  }
  if (block.mark != wire::kTraceTest || block.test < 0) return damaged("is damaged");
  auto test = take_test(block);
  if (!test) return test.error();
  ++tests_;
  return std::optional(std::move(*test));
}

Result<TestTrace> TraceReader::take_test(const wire::TraceBlock& block) {
  auto payload = bytes(payload_of(block));
  if (!payload) return payload.error();
  std::string_view rest = *payload;
  for (const wire::TraceNode& node : structs<wire::TraceNode>(rest, block.nodes)) {
    if (node.parent >= nodes_.size()) return damaged("has a tree of calls that is none");
    nodes_.push_back(node);
  }
  rest.remove_prefix(block.nodes * sizeof(wire::TraceNode));
  TestTrace test;
  test.test = block.test;
  test.position = block.position;
  test.lost = (block.flags & wire::kTraceLost) != 0;
  modules_ = block.modules;
  test.reads = structs<wire::TraceRead>(rest, block.reads);
  rest.remove_prefix(block.reads * sizeof(wire::TraceRead));
  test.writes = structs<wire::TraceWrite>(rest, block.writes);
  const bool reads_sound = std::all_of(test.reads.begin(), test.reads.end(), [&](const auto& r) {
    return is_sound(r, block.position, nodes_.size());
  });
  const bool writes_sound = std::all_of(test.writes.begin(), test.writes.end(),
                                        [&](const auto& w) { return is_sound(w, nodes_.size()); });
  if (!reads_sound || !writes_sound) return damaged("has accesses that cannot be");
  rest.remove_prefix(block.writes * sizeof(wire::TraceWrite));
  if (Status good = take_variables(block, rest, test); !good) return good.error();
  return test;
}

Status TraceReader::take_variables(const wire::TraceBlock& block, std::string_view bytes,
                                   TestTrace& test) const {
  const auto variables = structs<wire::TraceVariable>(bytes, block.variables);
  bytes.remove_prefix(variables.size() * sizeof(wire::TraceVariable));
  for (const wire::TraceVariable& variable : variables) {
    if (!is_sound(variable, nodes_.size()) || variable.name_size > bytes.size()) {
      return damaged("has variables that cannot be");
    }
    test.variables.push_back({variable, std::string(bytes.substr(0, variable.name_size))});
    bytes.remove_prefix(variable.name_size);
  }
  return {};
}

std::vector<std::uint32_t> TraceReader::calls(std::uint32_t node) const {
  std::vector<std::uint32_t> result;
  while (node > 1 && node < nodes_.size()) {
    result.push_back(nodes_[node].pc);
    node = nodes_[node].parent;  // smaller: see take_test()
  }
  return result;
}

}  // namespace gordian
