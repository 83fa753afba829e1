// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A libFuzzer target: any bytes at all, opened as a module with debug information; then every
// variable's type is read, and what its pointers lead to. Seeds are small shared libraries
// (fuzz.cmake makes them).
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "symbols/debug_info.h"

namespace {

constexpr std::size_t kMostTypes = 2000;

/// Follows everything that a reader of memory would, breadth first.
std::size_t walk(const gordian::Type* start) {
  std::vector<const gordian::Type*> waiting = {start};
  for (std::size_t next = 0; next < waiting.size() && next < kMostTypes; ++next) {
    const gordian::Type* type = waiting[next];
    if (type == nullptr || waiting.size() > kMostTypes) continue;
    for (const auto& member : type->members) waiting.push_back(member.type);
    for (const gordian::Type* argument : type->type_arguments) waiting.push_back(argument);
    waiting.push_back(type->target());
  }
  return waiting.size();
}

/// By value no type contains itself: whoever prints an object relies on that.
void check_finite(const gordian::Type* type, int depth) {
  if (type == nullptr) return;
  if (depth > 200) std::abort();
  for (const auto& member : type->members) check_finite(member.type, depth + 1);
  if (type->kind == gordian::TypeKind::array) check_finite(type->target(), depth + 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gordian::UniqueFd memory(::memfd_create("fuzz", MFD_CLOEXEC));
  if (::write(memory.get(), data, size) != static_cast<ssize_t>(size)) return 0;
  gordian::DebugInfoOptions options;
  options.debug_root = "/nowhere";
  auto info = gordian::DebugInfo::open("/proc/self/fd/" + std::to_string(memory.get()), options);
  if (!info.ok()) return 0;
  std::size_t left = 50;
  for (const gordian::Variable& variable : info->variables()) {
    if (left-- == 0) break;
    const gordian::Type* type = info->type(variable.type_id);
    walk(type);
    check_finite(type, 0);
    info->variable_at(variable.address);
    info->guard_of(variable);
  }
  return 0;
}
