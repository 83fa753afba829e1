// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "coverage/counter_maps.h"

#include <fmt/format.h>
#include <sys/uio.h>

#include <cstring>
#include <unordered_map>
#include <utility>

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

namespace fs = std::filesystem;

class GcovMeaning : public CountedFunction {
 public:
  GcovMeaning(GcovFlow flow, std::optional<std::uint32_t> function)
      : flow_(std::move(flow)), function_(function) {}
  void add_line(std::uint32_t block, std::uint32_t line) { lines_.emplace_back(block, line); }
  /// It has something that is the user's.
  bool matters() const { return function_.has_value() || !lines_.empty(); }

  void cover(std::span<const std::uint64_t> values, CoverRow& row) const override {
    const std::vector<bool> run = flow_.blocks_run(values);
    if (function_ && run[0]) row.functions.push_back(*function_);
    for (const auto& [block, line] : lines_) {
      if (run[block]) row.lines.push_back(line);
    }
  }

 private:
  GcovFlow flow_;
  std::optional<std::uint32_t> function_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lines_;  ///< block, unit
};

/// Where a file is that the compiler has called `name`. Clang does not say in which directory it
/// was: then it is one above the map.
std::string absolute_source(const std::string& name, const GcovNotes& notes, const fs::path& map) {
  const fs::path path(name);
  if (path.is_absolute()) return path.lexically_normal();
  if (!notes.directory.empty()) return (fs::path(notes.directory) / path).lexically_normal();
  std::error_code none;
  for (fs::path above = map.parent_path(); !above.empty(); above = above.parent_path()) {
    if (fs::exists(above / path, none)) return (above / path).lexically_normal();
    if (above == above.root_path()) break;
  }
  return (map.parent_path() / path).lexically_normal();
}

/// One object and its map.
class ObjectReader {
 public:
  ObjectReader(const GcovObject& object, const GcovNotes& notes, const fs::path& map,
               CoverUnits& units)
      : object_(object), notes_(notes), units_(units) {
    for (const std::string& name : notes.files) {
      const std::string path = absolute_source(name, notes, map);
      files_.push_back(is_system_file(path) ? std::optional<std::uint32_t>() : units.file(path));
    }
  }

  /// How many of its functions do not fit their counters.
  std::size_t read(std::uint32_t number, std::vector<CounterArray>& arrays) {
    std::unordered_map<std::uint32_t, const GcovFunction*> by_ident;
    for (const GcovFunction& function : notes_.functions) by_ident[function.ident] = &function;
    std::size_t strange = 0;
    for (const GcovObject::Function& counted : object_.functions) {
      auto it = by_ident.find(counted.ident);
      const bool fits = it != by_ident.end() && it->second->cfg_checksum == counted.cfg_checksum &&
                        it->second->counters() == counted.count;
      auto meaning = fits ? meaning_of(*it->second) : nullptr;
      if (meaning == nullptr) ++strange;
      if (meaning == nullptr || !meaning->matters()) continue;
      arrays.push_back(
          {counted.counters, counted.count, std::move(meaning), number, counted.ident});
    }
    return strange;
  }

 private:
  std::shared_ptr<const GcovMeaning> meaning_of(const GcovFunction& function) {
    auto flow = GcovFlow::of(function);
    if (!flow) return nullptr;
    std::optional<std::uint32_t> unit;
    if (const auto file = files_[function.file]; file && !function.artificial) {
      unit = units_.function(*file, function.line, function.name);
    }
    auto meaning = std::make_shared<GcovMeaning>(std::move(*flow), unit);
    for (const GcovLine& line : function.lines) {
      if (function.artificial || !files_[line.file]) continue;
      meaning->add_line(line.block, units_.line(*files_[line.file], line.line));
    }
    return meaning;
  }

  const GcovObject& object_;
  const GcovNotes& notes_;
  CoverUnits& units_;
  std::vector<std::optional<std::uint32_t>> files_;  ///< units' numbers; none: not the user's
};

Result<GcovNotes> map_of(const GcovObject& object, const fs::path& file) {
  if (!is_known_gcov(object.version)) {
    return target_error(
        fmt::format("{} was compiled by GCC {}, and only GCC 12 and Clang are known", file.string(),
                    gcov_major(object.version)),
        "build with one of these, or give Gordian your own data (--coverage FILE)");
  }
  auto notes = read_gcov_notes(file);
  if (!notes) return notes.error();
  if (notes->stamp != object.stamp || notes->version != object.version) {
    return target_error(fmt::format("{} is of another build than the program", file.string()),
                        "build the program again");
  }
  return notes;
}

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

Status read_gcov_maps(std::span<const GcovObject> objects, CounterMaps& maps) {
  std::optional<Error> first_error;
  std::size_t bad = 0, strange = 0;
  for (const GcovObject& object : objects) {
    const auto number = static_cast<std::uint32_t>(maps.data_files.size());
    maps.data_files.push_back(object.data_file);
    const fs::path file = fs::path(object.data_file).replace_extension(".gcno");
    auto notes = map_of(object, file);
    if (!notes) {
      ++bad;
      if (!first_error) first_error = notes.error();
      continue;
    }
    strange += ObjectReader(object, *notes, file, maps.units).read(number, maps.arrays);
  }
  if (bad == objects.size() && first_error) return *first_error;
  if (bad > 0) {
    maps.notices.push_back(fmt::format("nothing is known of the lines of {} of {} objects: {}", bad,
                                       objects.size(), first_error->message));
  }
  if (strange > 0) {
    maps.notices.push_back(fmt::format(
        "{} functions do not fit the maps of their counters and are left out", strange));
  }
  return {};
}

}  // namespace gordian
