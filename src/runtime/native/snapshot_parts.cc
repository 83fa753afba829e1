// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/snapshot_parts.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "wire/protocol.h"

namespace gordian {
namespace {

/// In the order of the bits.
constexpr std::array<std::string_view, gordian_wire::kPartCount> kNames = {
    "descriptors", "mappings", "heap_end", "signals", "directory", "umask",  "timers",
    "limits",      "name",     "files",    "threads", "emptied",   "memory", "gate"};

Result<std::uint32_t> part_named(std::string_view name) {
  const auto* found = std::find(kNames.begin(), kNames.end(), name);
  if (found != kNames.end()) return std::uint32_t{1} << (found - kNames.begin());
  std::string known;
  for (std::string_view each : kNames) known += " " + std::string(each);
  return usage_error("a snapshot has no part \"" + std::string(name) + "\"", "parts:" + known);
}

}  // namespace

Result<std::uint32_t> parse_snapshot_parts(std::string_view list) {
  std::uint32_t parts = 0;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    auto part = part_named(list.substr(0, end));
    if (!part) return part;
    parts |= *part;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

Result<std::uint32_t> snapshot_parts_left_out() {
  const char* list = std::getenv("GORDIAN_SNAPSHOT_WITHOUT");
  return parse_snapshot_parts(list == nullptr ? "" : list);
}

}  // namespace gordian
