// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <cstring>

#include "state/mapping_changes.h"
#include "state/process_image.h"
#include "state/type_shape.h"

namespace gordian {
namespace {

constexpr std::uint64_t kLargestGuard = 64 * 1024;
constexpr std::uint64_t kLargestVariable = 64 * 1024;

bool has_no_access(const Mapping& mapping) {
  return !mapping.readable && !mapping.writable && !mapping.executable;
}

/// glibc puts a page without rights below the stack of a thread.
bool follows_guard(std::span<const Mapping> mappings, std::size_t i) {
  if (i == 0 || !mappings[i].path.empty()) return false;
  const Mapping& below = mappings[i - 1];
  return has_no_access(below) && below.end == mappings[i].begin &&
         range_of(below).size <= kLargestGuard;
}

/// Words in `data` that point into a mapping.
bool points_into(const std::string& data, ByteRange range) {
  for (std::size_t at = 0; at + 8 <= data.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data.data() + at, 8);
    if (word >= range.begin && word < range.end()) return true;
  }
  return false;
}

/// Everything of the agent's module that can be read, page by page.
std::string data_of(const MemoryImage& image, ByteRange agent) {
  constexpr std::uint64_t kSmallPage = 4096;
  std::string data;
  for (std::uint64_t at = agent.begin; at < agent.end(); at += kSmallPage) {
    data += bytes_at(image, {at, kSmallPage}).value_or("");
  }
  return data;
}

bool is_pointer(const LiveVariable& live) {
  return live.type != nullptr && live.type->kind == TypeKind::pointer;
}

}  // namespace

std::optional<PointingVariable> pointer_into(ByteRange range,
                                             std::span<const LiveVariable> variables,
                                             const MemoryImage& image) {
  std::optional<PointingVariable> best;
  for (const LiveVariable& live : variables) {
    if (live.variable.owner != Owner::program || live.variable.size > kLargestVariable) continue;
    if (!points_into(bytes_at(image, {live.address, live.variable.size}).value_or(""), range))
      continue;
    const std::string name = common_name(live.variable.name);
    PointingVariable found{is_pointer(live) ? "*" + name : "memory that " + name + " points to",
                           live.variable.file, live.variable.line};
    if (is_pointer(live)) return found;
    if (!best) best = std::move(found);
  }
  return best;
}

std::vector<ByteRange> mappings_of_others(std::span<const Mapping> mappings) {
  std::vector<ByteRange> others;
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    const bool special = mappings[i].path.starts_with('[');
    if (special || follows_guard(mappings, i)) others.push_back(range_of(mappings[i]));
  }
  return others;
}

RangeSet mappings_of_agent(const MappingMoment& moment, ByteRange agent) {
  std::vector<ByteRange> ranges;
  const std::string data = data_of(*moment.view.memory, agent);
  for (const Mapping& mapping : moment.mappings) {
    if (points_into(data, range_of(mapping))) ranges.push_back(range_of(mapping));
  }
  return RangeSet(std::move(ranges));
}

}  // namespace gordian
