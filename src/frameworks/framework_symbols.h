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

struct FrameworkSymbols {
  Framework framework = Framework::unknown;

  /// Signs that it is in use, any of which is enough; empty ones are not looked at.
  std::string_view library{};        ///< a needed library begins with this
  std::string_view symbol_prefix{};  ///< a symbol begins with this
  std::string_view class_name{};     ///< type information of this class is there

  /// The symbols whose addresses make the hooks.
  std::span<const std::string_view> names;
  /// `found`: one entry for each of `names`. Fills entry and number, as offsets from the module's
  /// base. False when something that the agent needs is not there.
  bool (*from_symbols)(std::span<const std::optional<Symbol>> found, gordian_wire::Hooks& hooks);
  /// The same for a module without symbols, from the memory of a process; may be null.
  bool (*from_memory)(pid_t pid, const LoadedModule& module, const ElfFile& elf,
                      gordian_wire::Hooks& hooks) = nullptr;
  /// Fills what is known of it, if it is in this file; null: the signs above tell, and it can be
  /// driven where `names` are.
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

/// What a symbol's address is, 0 where it is missing.
std::uint64_t address(const std::optional<Symbol>& symbol);
/// What an object's vptr holds: behind the offset to top and the type information; 0 if missing.
std::uint64_t vptr_value(const std::optional<Symbol>& vtable);
/// How many virtual functions a vtable has by its symbol's size.
std::uint32_t vtable_slots(const std::optional<Symbol>& vtable);

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
