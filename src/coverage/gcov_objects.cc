// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "coverage/gcov_objects.h"

#include <sys/uio.h>

#include <cstring>
#include <optional>

namespace gordian {
namespace {

constexpr std::uint32_t kMostFunctions = 1u << 20, kMostCounters = 1u << 24;
constexpr std::size_t kGccCounterKinds = 8;  // of GCC 12

// As GCC 12 lays them out (libgcc's libgcov.h).
struct GccInfo {
  std::uint32_t version, reserved;
  std::uint64_t next;
  std::uint32_t stamp, checksum;
  std::uint64_t file;
  std::uint64_t merge[kGccCounterKinds];
  std::uint32_t functions, reserved2;
  std::uint64_t function_table;
};
struct GccFunction {
  std::uint64_t key;
  std::uint32_t ident, line_checksum, cfg_checksum, reserved;
  std::uint32_t count, reserved2;  // of the ways between blocks, which come first
  std::uint64_t counters;
};

// As Clang lays them out (LLVM's GCOVProfiling.cpp).
struct ClangInfo {
  std::uint64_t file;
  std::uint32_t version, stamp;
  std::uint32_t functions, reserved;
  std::uint64_t function_table, counter_table;
};
struct ClangFunction {
  std::uint32_t ident, line_checksum, cfg_checksum;
};
struct ClangCounters {
  std::uint32_t count, reserved;
  std::uint64_t counters;
};

std::optional<std::string> data_file_at(const MemoryImage& memory, std::uint64_t address) {
  auto file = memory.c_string(address);
  if (!file || !file->ends_with(".gcda")) return std::nullopt;
  return file;
}

std::optional<GcovObject> gcc_object(std::uint64_t at, const GccInfo& info,
                                     const MemoryImage& memory) {
  auto file = data_file_at(memory, info.file);
  if (!file || info.functions > kMostFunctions) return std::nullopt;
  GcovObject object{info.version, info.stamp, *file, {}};
  if (!is_known_gcov(info.version) || info.merge[0] == 0) return object;
  for (std::uint32_t i = 0; i < info.functions; ++i) {
    const auto pointer = memory.value<std::uint64_t>(info.function_table + 8 * i);
    const auto function = memory.value<GccFunction>(pointer.value_or(0));
    if (!function || function->key != at) continue;
    if (function->count == 0 || function->count > kMostCounters) continue;
    object.functions.push_back(
        {function->ident, function->cfg_checksum, TargetAddr(function->counters), function->count});
  }
  return object;
}

std::optional<GcovObject> clang_object(const ClangInfo& info, const MemoryImage& memory) {
  auto file = data_file_at(memory, info.file);
  if (!file || info.functions > kMostFunctions) return std::nullopt;
  GcovObject object{info.version, info.stamp, *file, {}};
  for (std::uint32_t i = 0; i < info.functions; ++i) {
    const auto function =
        memory.value<ClangFunction>(info.function_table + i * sizeof(ClangFunction));
    const auto counters =
        memory.value<ClangCounters>(info.counter_table + i * sizeof(ClangCounters));
    if (!function || !counters || counters->count > kMostCounters) return std::nullopt;
    if (counters->count == 0) continue;
    object.functions.push_back(
        {function->ident, function->cfg_checksum, TargetAddr(counters->counters), counters->count});
  }
  return object;
}

template <class T>
std::optional<T> load(std::string_view bytes, std::size_t at) {
  T value;
  if (at > bytes.size() || bytes.size() - at < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

class LiveMemory : public MemoryImage {
 public:
  explicit LiveMemory(pid_t pid) : pid_(pid) {}
  bool read(std::uint64_t address, void* to, std::size_t size) const override {
    iovec here{to, size}, there{reinterpret_cast<void*>(address), size};
    return ::process_vm_readv(pid_, &here, 1, &there, 1, 0) == static_cast<ssize_t>(size);
  }

 private:
  pid_t pid_;
};

}  // namespace

std::vector<GcovObject> gcov_objects_in(std::string_view bytes, std::uint64_t base,
                                        const MemoryImage& memory) {
  std::vector<GcovObject> objects;
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    GcovVersion version;
    std::memcpy(&version, bytes.data() + at, sizeof version);
    if ((version & 0xff) != '*' || gcov_major(version) == 0) continue;
    std::optional<GcovObject> object;
    if (version == kClangGcov) {
      const auto info = at >= 8 ? load<ClangInfo>(bytes, at - 8) : std::nullopt;
      if (info) object = clang_object(*info, memory);
    } else if (const auto info = load<GccInfo>(bytes, at)) {
      object = gcc_object(base + at, *info, memory);
    }
    if (object) objects.push_back(std::move(*object));
  }
  return objects;
}

std::vector<GcovObject> find_gcov_objects(pid_t pid) {
  std::vector<GcovObject> objects;
  LiveMemory memory(pid);
  for (const Mapping& mapping : read_mappings(pid)) {
    if (!mapping.readable || mapping.executable || mapping.shared || !mapping.path.starts_with('/'))
      continue;
    const std::uint64_t begin = mapping.begin.value();
    const auto bytes = read_memory(pid, mapping.begin, mapping.end.value() - begin);
    if (!bytes) continue;
    for (GcovObject& object : gcov_objects_in(*bytes, begin, memory)) {
      objects.push_back(std::move(object));
    }
  }
  return objects;
}

}  // namespace gordian
