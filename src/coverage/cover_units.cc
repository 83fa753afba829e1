// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "coverage/cover_units.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <numeric>

namespace gordian {
namespace {

std::string readable(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? std::string(text.get()) : name;
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

}  // namespace gordian
