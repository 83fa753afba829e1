// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/snapshot_support.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <vector>

namespace gordian {

namespace wire = gordian_wire;
using gordian_agent::page_ways;
using gordian_agent::PageWay;

namespace {

constexpr const char* kVariable = "GORDIAN_SNAPSHOT_BACKEND";

/// In the order of the bits of wire::Header::without.
constexpr std::array<std::string_view, gordian_wire::kPartCount> kParts = {
    "descriptors", "mappings", "heap_end", "signals", "directory", "umask",  "timers",
    "limits",      "name",     "files",    "threads", "emptied",   "memory", "gate"};

std::string_view forced_backend() {
  const char* value = std::getenv(kVariable);
  return value == nullptr ? std::string_view() : value;
}

/// One text of each way.
std::vector<std::string_view> texts(const char* PageWay::*text) {
  std::vector<std::string_view> all;
  for (const PageWay* way : page_ways) all.emplace_back(way->*text);
  return all;
}

}  // namespace

std::string_view to_string(wire::SnapshotBackend backend) {
  for (const PageWay* way : page_ways) {
    if (way->backend == backend) return way->name;
  }
  return "";
}

Result<std::uint32_t> avoided_backends() {
  const std::string_view forced = forced_backend();
  if (forced.empty()) return 0u;
  std::uint32_t avoid = 0;
  bool known = forced == "none";
  for (const PageWay* way : page_ways) {
    if (forced == way->name) {
      known = true;
    } else {
      avoid |= 1u << way->backend;
    }
  }
  if (known) return avoid;
  return usage_error(fmt::format("{}={} names no way to take snapshots", kVariable, forced),
                     fmt::format("{} and none are known; unset it for the best that works",
                                 fmt::join(texts(&PageWay::name), ", ")));
}

std::string describe(wire::SnapshotSupport support) {
  switch (support) {
    case wire::kNoPageTracking:
      if (!forced_backend().empty()) {
        return fmt::format("{}={} leaves no way that works here", kVariable, forced_backend());
      }
      return fmt::format("this machine does not tell which pages were written (neither {})",
                         fmt::join(texts(&PageWay::needs), ", nor "));
    case wire::kNoSyscallGate:
      return "system calls cannot be watched (syscall user dispatch, Linux 5.11), or the program "
             "has a handler for SIGSYS";
    case wire::kHasThreads:
      return "threads run before the first test";
    case wire::kNoKeeper:
      return "no copy of the process can be made and read (process_vm_readv is denied, or ptrace "
             "restricted)";
    case wire::kNoMemory:
      return "not enough memory is left for a snapshot (a resource limit, or overcommit)";
    case wire::kNotProbed:
    case wire::kSupported:
      break;
  }
  return {};
}

gordian_agent::SnapshotProbe probe_machine_snapshots(std::uint32_t avoid) {
  gordian_agent::SnapshotProbe result{};
  int ends[2];
  if (::pipe(ends) != 0) return result;
  pid_t child = ::fork();
  if (child == 0) {
    result = gordian_agent::probe_snapshots(avoid);
    bool told = ::write(ends[1], &result, sizeof result) == sizeof result;
    ::_exit(told ? 0 : 1);
  }
  ::close(ends[1]);
  if (child > 0 && ::read(ends[0], &result, sizeof result) != sizeof result) result = {};
  ::close(ends[0]);
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return result;
}

Result<std::uint32_t> parse_snapshot_parts(std::string_view list) {
  std::uint32_t parts = 0;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    const auto* found = std::find(kParts.begin(), kParts.end(), name);
    if (found == kParts.end()) {
      return usage_error(fmt::format("a snapshot has no part \"{}\"", name),
                         fmt::format("parts: {}", fmt::join(kParts, " ")));
    }
    parts |= std::uint32_t{1} << (found - kParts.begin());
    list.remove_prefix(std::min(name.size() + 1, list.size()));
  }
  return parts;
}

Result<std::uint32_t> snapshot_parts_left_out() {
  const char* list = std::getenv("GORDIAN_SNAPSHOT_WITHOUT");
  return parse_snapshot_parts(list == nullptr ? "" : list);
}

}  // namespace gordian
