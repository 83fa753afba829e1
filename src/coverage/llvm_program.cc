// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "coverage/counter_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "symbols/dwarf_file.h"
#include "symbols/elf_walk.h"
#include "symbols/reader.h"

namespace gordian {
namespace {

struct Section {
  std::uint64_t address = 0, size = 0;
  std::string bytes;
};

/// The sections that we ask for, of those that are there.
std::map<std::string, Section> sections_of(const OpenElf& file) {
  const std::set<std::string> wanted = {"__llvm_prf_cnts", "__llvm_prf_data", "__llvm_prf_names",
                                        "__llvm_covmap", "__llvm_covfun"};
  std::map<std::string, Section> found;
  each_section(file.elf(), [&](Elf_Scn* section, const GElf_Shdr& header, std::string_view name) {
    if (!wanted.contains(std::string(name))) return;
    found[std::string(name)] = {header.sh_addr, header.sh_size, std::string(raw_bytes(section))};
  });
  return found;
}

std::uint64_t lowest_address(const OpenElf& file) {
  std::uint64_t lowest = ~0ull;
  each_segment(file.elf(), [&lowest](const GElf_Phdr& segment) {
    if (segment.p_type != PT_LOAD) return;
    lowest = std::min<std::uint64_t>(lowest, segment.p_vaddr & ~4095ull);
  });
  return lowest == ~0ull ? 0 : lowest;
}

/// What the program says of one function's counters.
struct Record {
  std::uint64_t name = 0, hash = 0, counters = 0;  ///< the last is an address in the file
  std::uint32_t count = 0;
};

/// How the records lie; Clang 19 has bitmaps besides.
struct Layout {
  std::uint64_t size, count_at;
};
constexpr Layout kLayouts[] = {{48, 40}, {64, 48}};

/// The records, if they have this layout: then all counters are where counters are.
std::optional<std::vector<Record>> records_as(const Layout& layout, const Section& data,
                                              const Section& counters) {
  const ByteReader bytes(data.bytes, std::endian::little);
  if (data.size % layout.size != 0 || bytes.size() != data.size) return std::nullopt;
  std::vector<Record> records;
  for (std::uint64_t at = 0; at < data.size; at += layout.size) {
    Record record;
    record.name = *bytes.read<std::uint64_t>(at);
    record.hash = *bytes.read<std::uint64_t>(at + 8);
    record.counters = data.address + at + *bytes.read<std::uint64_t>(at + 16);  // relative
    record.count = *bytes.read<std::uint32_t>(at + layout.count_at);
    const bool inside = record.counters >= counters.address &&
                        record.counters - counters.address <= counters.size &&
                        record.count <= (counters.address + counters.size - record.counters) / 8;
    if (!inside || record.count == 0) return std::nullopt;
    records.push_back(record);
  }
  return records;
}

std::optional<std::vector<Record>> records_of(const Section& data, const Section& counters) {
  for (const Layout& layout : kLayouts) {
    if (auto records = records_as(layout, data, counters)) return records;
  }
  return std::nullopt;
}

class LlvmMeaning : public CountedFunction {
 public:
  explicit LlvmMeaning(LlvmFunction function) : function_(std::move(function)) {}

  const LlvmFunction& function() const { return function_; }
  void set_unit(std::uint32_t unit) { unit_ = unit; }
  void add_line(std::uint32_t region, std::uint32_t line) { lines_[region].push_back(line); }

  void cover(std::span<const std::uint64_t> values, CoverRow& row) const override {
    const auto ran = [&](std::uint32_t region) {
      const LlvmCount count = function_.regions[region].count;
      return function_.value(count, values.data(), values.size()) > 0;
    };
    if (unit_ && !function_.regions.empty() && ran(0)) row.functions.push_back(*unit_);
    for (const auto& [region, lines] : lines_) {
      if (ran(region)) row.lines.insert(row.lines.end(), lines.begin(), lines.end());
    }
  }

 private:
  LlvmFunction function_;
  std::optional<std::uint32_t> unit_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> lines_;  ///< by region
};

using Meanings = std::vector<std::shared_ptr<LlvmMeaning>>;

/// Gives regions their lines, file by file.
void map_lines(const Meanings& meanings, CoverUnits& units) {
  std::map<std::string, std::vector<FileRegion>> files;
  std::vector<std::pair<LlvmMeaning*, std::uint32_t>> regions;  // by id
  for (const auto& meaning : meanings) {
    const LlvmFunction& function = meaning->function();
    for (std::uint32_t i = 0; i < function.regions.size(); ++i) {
      const LlvmRegion& region = function.regions[i];
      const std::string& file = function.files[region.file];
      if (is_system_file(file)) continue;
      files[file].push_back(
          {region.kind, region.begin, region.end, static_cast<std::uint32_t>(regions.size())});
      regions.emplace_back(meaning.get(), i);
    }
  }
  for (auto& [name, parts] : files) {
    const std::uint32_t file = units.file(name);
    for (const LineRegions& line : lines_of_regions(std::move(parts))) {
      const std::uint32_t unit = units.line(file, static_cast<int>(line.line));
      for (std::uint32_t id : line.ids) regions[id].first->add_line(regions[id].second, unit);
    }
  }
}

void name_function(LlvmMeaning& meaning, const std::string& name, CoverUnits& units) {
  const LlvmFunction& function = meaning.function();
  const std::string& file = function.files[function.main_file];
  if (function.regions.empty() || is_system_file(file)) return;
  const auto first =
      std::find_if(function.regions.begin(), function.regions.end(),
                   [&](const LlvmRegion& region) { return region.file == function.main_file; });
  if (first == function.regions.end()) return;
  meaning.set_unit(units.function(units.file(file), static_cast<int>(first->begin.line), name));
}

class ModuleReader {
 public:
  ModuleReader(CounterMaps& maps, Meanings& meanings) : maps_(maps), meanings_(meanings) {}

  /// False: the module has no such counters.
  bool read(const std::string& path, std::uint64_t begin) {
    auto file = OpenElf::open(path);
    if (!file || !file->has_section("__llvm_prf_cnts")) return false;
    const auto sections = sections_of(*file);
    const auto section = [&](const char* name) {
      auto it = sections.find(name);
      return it == sections.end() ? Section() : it->second;
    };
    const Section counters = section("__llvm_prf_cnts");
    const auto records = records_of(section("__llvm_prf_data"), counters);
    const LlvmMapping mapping =
        parse_llvm_mapping(section("__llvm_covmap").bytes, section("__llvm_covfun").bytes);
    if (!records || mapping.functions.empty()) {
      maps_.notices.push_back(why_not(path, records.has_value(), mapping));
      return true;
    }
    const std::uint64_t bias = begin - lowest_address(*file);
    maps_.blocks.push_back(
        {TargetAddr(counters.address + bias), counters.size / 8, records->size()});
    join(mapping, *records, bias, section("__llvm_prf_names").bytes);
    if (strange_ > 0 || mapping.damaged > 0) {
      maps_.notices.push_back(
          fmt::format("{} functions of {} do not fit the map of their counters and are left out",
                      strange_ + mapping.damaged, path));
    }
    return true;
  }

 private:
  static std::string why_not(const std::string& path, bool records, const LlvmMapping& mapping) {
    if (mapping.unknown_version != 0) {
      return fmt::format("{} has a map of counters of version {}, and only 6 and 7 are known", path,
                         mapping.unknown_version);
    }
    return fmt::format("{} has counters, but {}", path,
                       records ? "no map of them: compile it with -fcoverage-mapping, and do not "
                                 "strip it"
                               : "they lie in a way that is not known");
  }

  void join(const LlvmMapping& mapping, const std::vector<Record>& records, std::uint64_t bias,
            std::string_view name_bytes) {
    std::unordered_map<std::uint64_t, std::string> names;
    for (auto& [digest, name] : parse_llvm_names(name_bytes)) names[digest] = std::move(name);
    std::unordered_map<std::uint64_t, const Record*> by_name;
    for (const Record& record : records) by_name[record.name] = &record;
    for (const LlvmFunction& function : mapping.functions) {
      auto meaning = std::make_shared<LlvmMeaning>(function);
      auto record = by_name.find(function.name);
      const bool used = record != by_name.end() && record->second->hash == function.hash;
      if (record != by_name.end() && !used && function.hash != 0) ++strange_;
      if (used && record->second->count < function.counters_needed()) {
        ++strange_;
        continue;
      }
      meanings_.push_back(meaning);
      if (!used) continue;
      auto name = names.find(function.name);
      if (name != names.end()) name_function(*meaning, name->second, maps_.units);
      maps_.arrays.push_back({TargetAddr(record->second->counters + bias), record->second->count,
                              std::move(meaning), 0, 0});
    }
  }

  CounterMaps& maps_;
  Meanings& meanings_;
  std::size_t strange_ = 0;
};

}  // namespace

Result<bool> read_llvm_maps(pid_t pid, CounterMaps& maps) {
  Meanings meanings;
  std::set<std::string> seen;
  const std::size_t arrays = maps.arrays.size(), notices = maps.notices.size();
  bool any = false;
  for (const Mapping& mapping : read_mappings(pid)) {
    if (mapping.shared || !mapping.path.starts_with('/') || !seen.insert(mapping.path).second)
      continue;
    any |= ModuleReader(maps, meanings).read(mapping.path, mapping.begin.value());
  }
  if (any && maps.arrays.size() == arrays) {
    return target_error(maps.notices.size() == notices ? "the counters of the program have no map"
                                                       : maps.notices[notices],
                        "build it again with `gordian cxxflags --coverage`");
  }
  map_lines(meanings, maps.units);
  return any;
}

std::optional<LlvmRawProfile> parse_llvm_profile(std::string_view bytes) {
  constexpr std::uint64_t kMagic = 0xff6c70726f667281;
  const ByteReader reader(bytes, std::endian::little);
  const auto word = [&reader](std::uint64_t i) {
    return reader.read<std::uint64_t>(8 * i).value_or(0);
  };
  const std::uint64_t version = word(1) & 0xffffff;
  if (word(0) != kMagic || version < 8 || version > 10) return std::nullopt;
  const std::uint64_t head = version == 8 ? 11 : version == 9 ? 14 : 16;
  const std::uint64_t record = version == 8 ? kLayouts[0].size : kLayouts[1].size;
  LlvmRawProfile profile;
  profile.records = word(3);
  const auto data = checked_mul(profile.records, record);
  auto at = data ? checked_add(*data, 8 * head) : std::nullopt;
  for (std::uint64_t more : {word(2), word(4)}) at = at ? checked_add(*at, more) : at;
  const auto size = checked_mul(word(5), 8);
  const auto counters = at && size ? reader.slice(*at, *size) : std::nullopt;
  if (!counters) return std::nullopt;
  const ByteReader values(*counters, std::endian::little);
  for (std::uint64_t i = 0; i < *size; i += 8) {
    profile.counters.push_back(*values.read<std::uint64_t>(i));
  }
  return profile;
}

}  // namespace gordian
