// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What is known about the memory of one running program: its modules with their variables, types
// and symbols, at the addresses where they are loaded. Debug information is opened once for all
// explanations of a binary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/native/held_process.h"
#include "state/memory_diff.h"
#include "state/value_text.h"
#include "symbols/code_map.h"
#include "symbols/debug_info.h"

namespace gordian {

class ProgramMemory {
 public:
  /// `cache`: where indexes of debug information are kept; nullopt = nowhere.
  explicit ProgramMemory(std::optional<std::filesystem::path> cache) : cache_(std::move(cache)) {}

  /// Which modules: those the process began with, or also those that it has loaded since, without
  /// their thread-local variables.
  enum class Modules { loaded_at_start, loaded_by_now };
  /// Reads the modules of a process; what is known already is not read again.
  void load(HeldProcess& held, const std::string& executable,
            Modules which = Modules::loaded_at_start);

  /// Variables of the modules that have debug information, where they lie in the held process.
  const std::vector<LiveVariable>& variables() const { return variables_; }
  const ProgramNames& names() const { return names_; }
  /// "on_resize"; empty when unknown.
  std::string function_at(std::uint64_t address);
  /// Where a function of the program or its libraries begins.
  std::optional<std::uint64_t> function_named(std::string_view mangled);
  /// Base name of the module that an address lies in; empty for heap and stack.
  std::string module_of(std::uint64_t address) const;
  /// The exported object of a library that an address lies in, as "std::locale::_S_global"; empty
  /// when there is none.
  std::string library_object_at(std::uint64_t address);
  /// library_object_at(), or else "libc.so.6+0x1d2340": its place in its module.
  std::string library_place(std::uint64_t address);
  /// Data of a library that is not known by variables.
  bool is_library_data(std::uint64_t address) const;
  /// Files of the program itself and of libraries that do not belong to the system.
  std::vector<std::string> own_modules() const;
  /// Where our agent is loaded.
  ByteRange agent_module() const;
  /// Thread-local variables of the thread that runs tests, with what the C library keeps there.
  const std::vector<ByteRange>& thread_storage() const { return thread_storage_; }
  /// What is missing, in sentences.
  std::vector<std::string> notes() const;

 private:
  struct Module {
    std::string path;
    std::uint64_t base = 0;
    std::uint64_t begin = 0, end = 0;  ///< of all its mappings
    std::shared_ptr<DebugInfo> debug;  ///< null: none, or not looked for
    bool late = false;                 ///< loaded since the start
    // Null until asked for.
    mutable std::shared_ptr<CodeMap> code;
    mutable bool code_tried = false;
    mutable std::shared_ptr<DebugInfo> symbols;  ///< of a library, only to look objects up
  };
  void read_modules(const std::vector<LoadedModule>& all);
  void find_extents(HeldProcess& held);
  void place_variables(HeldProcess& held);
  void make_names();
  const Module* module_at(std::uint64_t address) const;
  const CodeSymbol* symbol_at(std::uint64_t address, std::uint64_t& from_start);
  const Type* dynamic_type(std::uint64_t vtable);

  std::optional<std::filesystem::path> cache_;
  std::vector<Module> modules_;
  std::vector<LiveVariable> variables_;
  std::vector<ByteRange> thread_storage_;
  ProgramNames names_;
};

}  // namespace gordian
