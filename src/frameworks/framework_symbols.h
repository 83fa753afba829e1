// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How a test framework shows itself in a program's files, and where its hook points are. A folder
// each, see frameworks.h; what the agent does with the hooks is in target/agent/frameworks.
#pragma once

#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/test.h"
#include "symbols/elf_file.h"
#include "wire/protocol.h"

namespace gordian {

struct LoadedModule {
  std::string path;  ///< absolute
  std::uint64_t base = 0;
};

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

}  // namespace gordian
