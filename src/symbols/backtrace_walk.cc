// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/backtrace_walk.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "symbols/dwarf_die.h"
#include "symbols/dwarf_file.h"
#include "symbols/types.h"

namespace gordian {

Dwarf_Die* UnitRanges::unit_at(Dwfl_Module* module, std::uint64_t address, Dwarf_Addr& bias) {
  if (Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias)) return unit;
  const Table& table = table_of(module);
  bias = table.bias;
  const std::uint64_t linked = address - bias;
  auto after =
      std::upper_bound(table.ranges.begin(), table.ranges.end(), linked,
                       [](std::uint64_t wanted, const Range& r) { return wanted < r.begin; });
  if (after == table.ranges.begin()) return nullptr;
  const Range& range = *--after;
  return linked < range.end ? range.unit : nullptr;
}

const UnitRanges::Table& UnitRanges::table_of(Dwfl_Module* module) {
  const auto [known, is_new] = tables_.try_emplace(module);
  Table& table = known->second;
  if (!is_new) return table;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &table.bias)) != nullptr) {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &begin, &end)) > 0;) {
      // Code that the linker dropped is said to begin at 0.
      if (begin != 0 && begin < end) table.ranges.push_back({begin, end, unit});
    }
  }
  std::sort(table.ranges.begin(), table.ranges.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  return table;
}

namespace {

/// elfutils' own search would ask a debuginfod server when the user's environment names one.
int find_local_debuginfo(Dwfl_Module* module, void**, const char*, Dwarf_Addr, const char* file,
                         const char* link, GElf_Word, char** debug_file) {
  const unsigned char* id = nullptr;
  GElf_Addr where = 0;
  const int size = dwfl_module_build_id(module, &id, &where);
  for (const std::filesystem::path& candidate : debug_file_candidates(
           file == nullptr ? "" : file, size > 0 ? hex(id, static_cast<std::size_t>(size)) : "",
           link == nullptr || file == nullptr ? "" : link, "/usr/lib/debug")) {
    const int fd = ::open(candidate.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) continue;
    *debug_file = ::strdup(candidate.c_str());
    return fd;
  }
  return -1;
}

struct Walk {
  std::vector<FrameAddress> addresses;
  std::size_t most;
};

int on_frame(Dwfl_Frame* state, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  FrameAddress address;
  Dwarf_Addr pc = 0;
  if (!dwfl_frame_pc(state, &pc, &address.interrupted)) return DWARF_CB_ABORT;
  // A return address belongs to the instruction after the call; one less is inside of the call.
  address.pc = pc;
  address.at = address.interrupted ? pc : pc - 1;
  walk.addresses.push_back(address);
  return walk.addresses.size() < walk.most ? DWARF_CB_OK : DWARF_CB_ABORT;
}

/// Of a function that no linker sees, and therefore has a plain name only: with its scopes, as far
/// as these are namespaces and classes.
std::string scoped_name(Dwarf_Die function) {
  Dwarf_Die declared = declared_entry(function);
  Dwarf_Die* found = nullptr;
  const int count = dwarf_getscopes_die(&declared, &found);
  std::string name(die_name(declared));
  if (!name.empty() && count > 2) name += "()";
  for (int i = 1; i + 1 < count && !name.empty(); ++i) {  // the last one is the unit
    const int tag = dwarf_tag(&found[i]);
    const std::string scope(die_name(found[i]));
    if (tag == DW_TAG_namespace) {
      name = (scope.empty() ? "(anonymous namespace)" : scope) + "::" + name;
    } else if (tag == DW_TAG_class_type || tag == DW_TAG_structure_type) {
      if (!scope.empty()) name = scope + "::" + name;
    }
  }
  std::free(found);
  return name;
}

std::string function_name(Dwarf_Die* die) {
  const std::string linkage(linkage_name(*die));
  return linkage.empty() ? scoped_name(*die) : demangled(linkage.c_str());
}

/// Line tables name files as the compiler was told them.
std::string full_path(Dwarf_Die* unit, const char* file) {
  if (file == nullptr || *file == '/') return file == nullptr ? "" : file;
  const std::string_view directory = string_of(*unit, DW_AT_comp_dir);
  return directory.empty() ? file : (std::filesystem::path(directory) / file).string();
}

void set_call_site(Dwarf_Die* unit, Dwarf_Die* inlined, StackFrame& frame) {
  Dwarf_Attribute memory;
  Dwarf_Word file = 0, line = 0;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &memory), &line) == 0) {
    frame.line = static_cast<int>(line);
  }
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &memory), &file) != 0) return;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count) return;
  frame.file = full_path(unit, dwarf_filesrc(files, file, nullptr, nullptr));
}

bool may_hold_code(int tag) {
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
         tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/// Adds the scopes around an address as the code is laid out, innermost first: functions inlined
/// into inlined functions, up to the function itself. dwarf_getscopes leaves this nest after the
/// first inlined function, for the scopes that surround its definition in the source, and does not
/// look for functions inside of namespaces, where Clang puts them.
bool add_scopes(Dwarf_Die around, Dwarf_Addr address, int depth, std::vector<Dwarf_Die>& scopes) {
  constexpr int kDeepest = 128;
  bool found = false;
  if (depth > kDeepest) return false;
  each_child(around, [&](Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_namespace) {
      found = add_scopes(child, address, depth + 1, scopes);
    } else if (may_hold_code(tag) && dwarf_haspc(&child, address) > 0) {
      add_scopes(child, address, depth + 1, scopes);
      scopes.push_back(child);
      found = true;
    }
    return !found;
  });
  return found;
}

std::vector<Dwarf_Die> scopes_at(Dwarf_Die* unit, Dwarf_Addr address) {
  std::vector<Dwarf_Die> scopes;
  add_scopes(*unit, address, 0, scopes);
  return scopes;
}

bool is_system_library(std::string_view path) {
  return is_system_path(path) && path.find(".so", path.rfind('/')) != std::string_view::npos;
}

void set_line(Dwarf_Die* unit, Dwarf_Addr address, StackFrame& frame) {
  Dwarf_Line* line = dwarf_getsrc_die(unit, address);
  if (line == nullptr || dwarf_lineno(line, &frame.line) != 0) return;
  frame.file = full_path(unit, dwarf_linesrc(line, nullptr, nullptr));
}

/// One frame for each function inlined at this address; `frame` becomes the place of the outermost
/// call, so that it reads like the function's own frame.
void add_inlined(Dwarf_Die* unit, Dwarf_Addr at, StackFrame& frame,
                 std::vector<StackFrame>& frames) {
  for (Dwarf_Die& scope : scopes_at(unit, at)) {
    if (dwarf_tag(&scope) == DW_TAG_subprogram) break;
    if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine) continue;
    StackFrame inlined = frame;
    inlined.function = function_name(&scope);
    frames.push_back(std::move(inlined));
    set_call_site(unit, &scope, frame);
  }
}

}  // namespace

std::string demangled(const char* name) {
  if (name == nullptr) return "";
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 ? text : name;
  std::free(text);
  return result;
}

Result<DwflHandle> open_modules(pid_t pid, bool for_stacks) {
  static const Dwfl_Callbacks kCallbacks = {dwfl_linux_proc_find_elf, find_local_debuginfo, nullptr,
                                            nullptr};
  DwflHandle dwfl(dwfl_begin(&kCallbacks));
  if (!dwfl || dwfl_linux_proc_report(dwfl.get(), pid) != 0 ||
      dwfl_report_end(dwfl.get(), nullptr, nullptr) != 0 ||
      (for_stacks && dwfl_linux_proc_attach(dwfl.get(), pid, true) != 0)) {
    return target_error("cannot read the memory map of process " + std::to_string(pid));
  }
  return dwfl;
}

bool refresh_modules(Dwfl* dwfl, pid_t pid) {
  dwfl_report_begin(dwfl);
  const bool reported = dwfl_linux_proc_report(dwfl, pid) == 0;
  return dwfl_report_end(dwfl, nullptr, nullptr) == 0 && reported;
}

std::vector<FrameAddress> walk_thread(Dwfl* dwfl, pid_t tid, int max_frames) {
  Walk walk{{}, static_cast<std::size_t>(max_frames)};
  dwfl_getthread_frames(dwfl, tid, on_frame, &walk);
  return std::move(walk.addresses);
}

std::size_t describe_frame(Dwfl* dwfl, UnitRanges& units, const FrameAddress& address,
                           std::vector<StackFrame>& frames, bool library_lines) {
  const std::size_t before = frames.size();
  StackFrame frame;
  frame.address = address.pc;
  if (Dwfl_Module* module = dwfl_addrmodule(dwfl, address.at)) {
    const char* path =
        dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    const std::string_view name = path == nullptr ? "" : path;
    frame.module = name.substr(name.rfind('/') + 1);  // npos + 1 is 0
    const bool lines = library_lines || !is_system_library(name);
    Dwarf_Addr bias = 0;
    if (Dwarf_Die* unit = lines ? units.unit_at(module, address.at, bias) : nullptr) {
      set_line(unit, address.at - bias, frame);
      add_inlined(unit, address.at - bias, frame, frames);
    }
    frame.function = demangled(dwfl_module_addrname(module, address.at));
  }
  frames.push_back(std::move(frame));
  return frames.size() - before;
}

}  // namespace gordian
