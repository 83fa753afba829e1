// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How a test framework shows itself in a program's files, and where its hook points are. A folder
// each, see frameworks.h; what the agent does with the hooks is in target/agent/frameworks.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/test.h"
#include "symbols/elf_file.h"
#include "symbols/process_memory.h"
#include "wire/protocol.h"

namespace gordian {

struct FrameworkFinding;

/// A symbol of a framework that makes hooks: places in Hooks::entry and Hooks::number, see
/// wire/hooks.h. Where several rows have one place, the first whose symbol is there counts.
struct HookSymbol {
  std::string_view name;  ///< mangled
  int entry = -1;         ///< its address; of a vtable, what a vptr holds
  int number = -1;
  std::uint32_t value = 0;  ///< of the number; 0: how many functions the vtable has
  bool optional = false;    ///< the agent can do without
};

struct FrameworkSymbols {
  Framework framework = Framework::unknown;

  /// Signs that it is in use, any of which is enough; empty ones are not looked at.
  std::string_view library{};        ///< a needed library begins with this
  std::string_view symbol_prefix{};  ///< a symbol begins with this
  std::string_view class_name{};     ///< type information of this class is there

  std::span<const HookSymbol> hooks;
  /// Whether what is optional is enough, too; may be null.
  bool (*enough)(const gordian_wire::Hooks& hooks) = nullptr;
  /// Fills the hooks of a module without symbols, from the memory of a process; may be null.
  bool (*from_memory)(pid_t pid, const LoadedModule& module, const ElfFile& elf,
                      gordian_wire::Hooks& hooks) = nullptr;
  /// Fills what is known of it, if it is in this file; null: the signs above tell, and it can be
  /// driven where `hooks` are.
  bool (*recognise)(const ElfFile& file, FrameworkFinding& finding) = nullptr;
  std::string_view main_function{};  ///< what a program calls of it, for who recognises it so

  /// REQUIRES: the framework is in `file`. Empty when it does not tell; may be null.
  std::string (*version)(const ElfFile& file) = nullptr;
};

/// Those that the agent can drive, GoogleTest first.
std::span<const FrameworkSymbols* const> all_framework_symbols();
/// REQUIRES: one of them.
const FrameworkSymbols& symbols_of(Framework framework);

// Texts that stripped files are searched for are put together at run time. Written out, they would
// make our own program look like a test binary.

/// The symbol of the vtable of "a::B".
std::string vtable_symbol(std::string_view class_name);
/// The file has type information of the class, and not only of one whose name begins so.
bool has_class_name(const ElfFile& file, std::string_view class_name);

/// Everything is there that the agent cannot do without.
bool are_complete(const gordian_wire::Hooks& hooks, const FrameworkSymbols& symbols);

/// What the symbol tables of a module tell, as offsets from its base. `framework` is 0 where they
/// tell too little of it: the module is stripped, or the framework is elsewhere.
gordian_wire::Hooks hook_offsets(const ElfFile& elf, const FrameworkSymbols& symbols);

/// Where the hook points are in a process that has just been loaded: from symbol tables where there
/// are some, else by what the framework's symbols.cc finds in memory. Remembers what it found by
/// module file, so that the hundredth process of a binary costs nothing. Not thread safe.
class HookAddresses {
 public:
  /// `framework`: by which the program is driven.
  explicit HookAddresses(Framework framework) : symbols_(symbols_of(framework)) {}

  /// What is known of a module already, so that its file need not be read again.
  void remember(const std::string& path, const gordian_wire::Hooks& offsets);
  /// From now on nothing is found by which coverage counters are written out.
  void leave_counters() { counters_stay_ = true; }

  /// An error says why this binary cannot be hooked; its hint names the way round.
  Result<gordian_wire::Hooks> find(pid_t pid, const std::vector<LoadedModule>& modules);

 private:
  gordian_wire::Hooks search(pid_t pid, const LoadedModule& module) const;

  const FrameworkSymbols& symbols_;
  bool counters_stay_ = false;
  /// Offsets from a module's base; framework 0 means that it is not in it.
  std::map<std::string, gordian_wire::Hooks> by_module_;
};

}  // namespace gordian
