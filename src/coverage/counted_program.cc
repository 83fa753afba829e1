// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "coverage/counted_program.h"

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>

#include "base/files.h"
#include "coverage/counter_maps.h"
#include "symbols/backtrace_walk.h"

namespace gordian {
namespace {

std::string readable(const std::string& name) {
  return name.starts_with("_Z") ? demangled(name.c_str()) : name;
}

/// Sorts units that stand by their numbers, and brings the rows along.
CoverTable table_of(std::vector<CoverUnit> units, std::span<const CoverRow> tests,
                    std::vector<std::uint32_t> CoverRow::*part) {
  std::vector<std::uint32_t> sorted(units.size()), place(units.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::sort(sorted.begin(), sorted.end(), [&units](std::uint32_t a, std::uint32_t b) {
    return std::tie(units[a].file, units[a].line, units[a].function) <
           std::tie(units[b].file, units[b].line, units[b].function);
  });
  CoverTable table;
  for (std::uint32_t i = 0; i < sorted.size(); ++i) {
    place[sorted[i]] = i;
    table.units.push_back(std::move(units[sorted[i]]));
  }
  for (const CoverRow& row : tests) {
    CoverSet& set = table.tests.emplace_back(table.units.size());
    for (std::uint32_t unit : row.*part) set.add(place[unit]);
  }
  return table;
}

namespace fs = std::filesystem;

constexpr std::size_t kMostPieces = 512;  // of one system call; IOV_MAX is 1024

struct Piece {
  void* here;
  std::uint64_t there;
  std::size_t size;
};

using Transfer = decltype(&::process_vm_readv);

/// All of it, or false.
bool transfer(pid_t pid, std::span<const Piece> pieces, Transfer call) {
  for (std::size_t at = 0; at < pieces.size(); at += kMostPieces) {
    std::vector<iovec> here, there;
    ssize_t total = 0;
    for (const Piece& piece : pieces.subspan(at, std::min(kMostPieces, pieces.size() - at))) {
      here.push_back({piece.here, piece.size});
      there.push_back({reinterpret_cast<void*>(piece.there), piece.size});
      total += static_cast<ssize_t>(piece.size);
    }
    if (call(pid, here.data(), here.size(), there.data(), there.size(), 0) != total) return false;
  }
  return true;
}

bool any(std::span<const std::uint64_t> values) {
  return std::any_of(values.begin(), values.end(), [](std::uint64_t value) { return value != 0; });
}

std::vector<std::pair<std::string, std::uint64_t>> layout_of(pid_t pid) {
  std::vector<std::pair<std::string, std::uint64_t>> layout;
  for (const Mapping& mapping : read_mappings(pid)) {
    if (mapping.executable && mapping.path.starts_with('/')) {
      layout.emplace_back(mapping.path, mapping.begin.value());
    }
  }
  return layout;
}

}  // namespace

std::uint32_t CoverUnits::file(const std::string& path) {
  auto [it, fresh] = file_numbers_.try_emplace(path, static_cast<std::uint32_t>(files_.size()));
  if (fresh) files_.push_back(path);
  return it->second;
}

std::uint32_t CoverUnits::line(std::uint32_t file, int line) {
  return lines_.try_emplace({file, line}, static_cast<std::uint32_t>(lines_.size())).first->second;
}

std::uint32_t CoverUnits::function(std::uint32_t file, int line, const std::string& name) {
  const auto next = static_cast<std::uint32_t>(functions_.size());
  return functions_.try_emplace({file, line, readable(name)}, next).first->second;
}

Coverage CoverUnits::coverage(std::span<const CoverRow> tests) const {
  std::vector<CoverUnit> lines(lines_.size()), functions(functions_.size());
  for (const auto& [key, number] : lines_) lines[number] = {files_[key.first], key.second, ""};
  for (const auto& [key, number] : functions_) {
    functions[number] = {files_[std::get<0>(key)], std::get<1>(key), std::get<2>(key)};
  }
  Coverage coverage;
  coverage.statements = table_of(std::move(lines), tests, &CoverRow::lines);
  coverage.functions = table_of(std::move(functions), tests, &CoverRow::functions);
  return coverage;
}

bool is_system_file(const std::string& path) {
  constexpr std::array<std::string_view, 3> kPlaces = {"/usr/include/", "/usr/lib/",
                                                       "/usr/local/include/"};
  return std::any_of(kPlaces.begin(), kPlaces.end(),
                     [&path](std::string_view place) { return path.starts_with(place); });
}

Result<CountedProgram> CountedProgram::look_at(pid_t pid) {
  CountedProgram program;
  const auto objects = find_gcov_objects(pid);
  if (!objects.empty()) {
    if (auto status = read_gcov_maps(objects, program.maps_); !status) return status.error();
    program.source_ = objects.front().version == kClangGcov ? "clang --coverage" : "gcc --coverage";
  }
  const auto llvm = read_llvm_maps(pid, program.maps_);
  if (!llvm) return llvm.error();
  if (*llvm) program.source_ = "clang -fprofile-instr-generate";
  if (program.maps_.arrays.empty()) {
    return target_error("the program does not count what it runs",
                        "compile and link it with `gordian cxxflags --coverage` (CMake: "
                        "gordian_coverage()), or give Gordian your own data (--coverage FILE)");
  }
  program.layout_ = layout_of(pid);
  program.arrange();
  return program;
}

/// Counters lie close together, so a few large reads are cheaper than many small ones.
void CountedProgram::arrange() {
  constexpr std::uint64_t kGap = 4096;
  std::sort(
      maps_.arrays.begin(), maps_.arrays.end(),
      [](const CounterArray& a, const CounterArray& b) { return a.at.value() < b.at.value(); });
  for (const CounterArray& array : maps_.arrays) {
    const std::uint64_t begin = array.at.value(), end = begin + 8 * std::uint64_t{array.count};
    const bool apart = spans_.empty() || begin > spans_.back().end + kGap ||
                       (begin - spans_.back().begin) % 8 != 0;
    if (apart) spans_.push_back({begin, end, {}});
    spans_.back().end = std::max(spans_.back().end, end);
    span_of_.push_back(static_cast<std::uint32_t>(spans_.size() - 1));
  }
  for (Span& span : spans_) span.values.resize((span.end - span.begin) / 8);
}

bool CountedProgram::fetch(pid_t pid) {
  std::vector<Piece> pieces;
  for (Span& span : spans_) {
    pieces.push_back({span.values.data(), span.begin, span.values.size() * 8});
  }
  return transfer(pid, pieces, ::process_vm_readv);
}

std::span<const std::uint64_t> CountedProgram::values_of(std::size_t array) const {
  const Span& span = spans_[span_of_[array]];
  return std::span(span.values)
      .subspan((maps_.arrays[array].at.value() - span.begin) / 8, maps_.arrays[array].count);
}

bool CountedProgram::read(pid_t pid, CoverRow& row) {
  if (!fetch(pid)) return false;
  for (std::size_t i = 0; i < maps_.arrays.size(); ++i) {
    const auto values = values_of(i);
    if (any(values)) maps_.arrays[i].meaning->cover(values, row);
  }
  return true;
}

bool CountedProgram::clear(pid_t pid) {
  if (!fetch(pid)) return false;
  std::vector<Piece> pieces;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < maps_.arrays.size(); ++i) {
    if (!any(values_of(i))) continue;
    pieces.push_back({nullptr, maps_.arrays[i].at.value(), std::size_t{8} * maps_.arrays[i].count});
    longest = std::max(longest, pieces.back().size);
  }
  std::vector<char> zeros(longest);
  for (Piece& piece : pieces) piece.here = zeros.data();
  return transfer(pid, pieces, ::process_vm_writev);
}

void CountedProgram::take_gcov_files(const std::string& directory, CoverRow& row) const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, const CounterArray*> by_name;
  for (const CounterArray& array : maps_.arrays) by_name[{array.object, array.ident}] = &array;
  for (std::uint32_t object = 0; object < maps_.data_files.size(); ++object) {
    const std::string file = directory + maps_.data_files[object];
    const auto bytes = whole_file(file);
    if (!bytes) continue;
    auto data = parse_gcov_data(*bytes, file);
    if (!data) continue;
    for (const GcovData::Function& function : data->functions) {
      auto it = by_name.find({object, function.ident});
      if (it == by_name.end() || it->second->count != function.counters.size()) continue;
      if (any(function.counters)) it->second->meaning->cover(function.counters, row);
    }
  }
}

void CountedProgram::take_profile(std::string_view bytes, CoverRow& row) const {
  const auto profile = parse_llvm_profile(bytes);
  if (!profile) return;
  const auto block =
      std::find_if(maps_.blocks.begin(), maps_.blocks.end(), [&](const CounterBlock& b) {
        return b.records == profile->records && b.counters == profile->counters.size();
      });
  if (block == maps_.blocks.end()) return;
  for (const CounterArray& array : maps_.arrays) {
    const std::uint64_t first = (array.at.value() - block->at.value()) / 8;
    if (array.at.value() < block->at.value() || first >= block->counters) continue;
    const auto values = std::span(profile->counters).subspan(first, array.count);
    if (any(values)) array.meaning->cover(values, row);
  }
}

bool CountedProgram::take_files(const std::string& directory, CoverRow& row) const {
  std::error_code none;
  if (fs::is_empty(directory, none) || none) return false;
  if (!maps_.data_files.empty()) take_gcov_files(directory, row);
  for (const auto& entry : fs::directory_iterator(directory, none)) {
    if (entry.path().extension() != ".profraw") continue;
    if (const auto bytes = whole_file(entry.path())) take_profile(*bytes, row);
  }
  for (const auto& entry : fs::directory_iterator(directory, none)) fs::remove_all(entry, none);
  return true;
}

bool CountedProgram::fits(pid_t pid) const {
  return layout_of(pid) == layout_;
}

}  // namespace gordian
