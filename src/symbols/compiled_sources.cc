// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/compiled_sources.h"

#include <set>
#include <utility>

#include "symbols/debug_file.h"
#include "symbols/dwarf_file.h"

namespace gordian {
namespace {

constexpr const char* kDebugRoot = "/usr/lib/debug";

Result<OpenElf> with_debug_info(const std::filesystem::path& module) {
  auto opened = OpenElf::open(module);
  if (!opened || opened->has_debug_info()) return opened;
  auto apart = find_debug_file(*opened, kDebugRoot);
  return apart ? std::move(apart) : std::move(opened);
}

}  // namespace

Result<std::vector<CompiledSource>> compiled_sources(const std::filesystem::path& module) {
  auto opened = with_debug_info(module);
  if (!opened) return opened.error();
  std::vector<CompiledSource> sources;
  if (!opened->has_debug_info()) return sources;
  auto dwarf = DwarfFile::open(std::move(*opened));
  if (!dwarf) return dwarf.error();
  std::set<std::string> seen;
  dwarf->each_unit([&](const DwarfFile::Unit& unit) {
    const std::filesystem::path name = die_name(unit.die);
    const std::filesystem::path directory = string_of(unit.die, DW_AT_comp_dir);
    if (name.empty() || name.native().front() == '<') return;  // made by the compiler itself
    CompiledSource source{(directory / name).lexically_normal(), directory.lexically_normal()};
    if (seen.insert(source.file).second) sources.push_back(std::move(source));
  });
  return sources;
}

}  // namespace gordian
