// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// All variables with static storage of one module, and where the types are that units only
// declare: what one long look over the debug information yields. Plain values, so that it can be
// kept between runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "symbols/dwarf_die.h"
#include "symbols/dwarf_file.h"
#include "symbols/types.h"

struct Elf;  // of libelf

namespace gordian {

struct VariableIndex {
  std::vector<Variable> variables;  ///< by (thread_local_storage, address)

  /// The flag that is set once a variable is initialised. In the same kind of storage.
  struct Guard {
    std::uint64_t guard = 0, variable = 0;
    bool thread_local_storage = false;
  };
  std::vector<Guard> guards;  ///< by (thread_local_storage, variable)

  /// Complete types that any unit may name: name_hash() of the qualified name, id of the entry.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> types;  ///< by hash

  /// What could not be read, each a sentence. Such an index is not worth keeping.
  std::vector<std::string> notes;

  std::optional<std::uint64_t> type_id(std::uint64_t hash) const;
};

/// `symbols` is where the symbol table is: the module or its debug file. `dwarf` is null when there
/// is no debug information: then only what has a symbol is known.
VariableIndex build_variable_index(const OpenElf& module, const OpenElf& symbols, DwarfFile* dwarf,
                                   ScopeNames& names);

// The data of a module as its symbol table knows it: what lies where, which guard belongs to which
// variable, and which addresses exist at all. Names only; types are the business of debug
// information. Thread-local data have offsets in the module's TLS block instead of addresses.

struct ObjectSymbol {
  std::string name;  ///< mangled, without a version
  std::uint64_t address = 0, size = 0;
  bool thread_local_storage = false;
  bool writable = false;
  bool from_library = false;  ///< a library's variable, copied here by the loader
};

class ObjectSymbols {
 public:
  /// `symbols` may be the debug file of a stripped `module`.
  ObjectSymbols(Elf* module, Elf* symbols);

  /// By (thread_local_storage, address); of several at one place the first in the table.
  const std::vector<ObjectSymbol>& all() const { return symbols_; }
  const ObjectSymbol* at(std::uint64_t address, bool thread_local_storage) const;
  const ObjectSymbol* named(std::string_view mangled) const;

  const std::vector<VariableIndex::Guard>& guards() const { return guards_; }

  /// Is this part of the module's memory?
  bool in_image(std::uint64_t address, bool thread_local_storage) const;
  /// The offset in the TLS block that debug information means: GCC's split units give the address
  /// of the initial value instead.
  std::uint64_t thread_offset(std::uint64_t described) const;

 private:
  struct Range {
    std::uint64_t begin = 0, end = 0;
    bool writable = false;
  };
  void read_segments(Elf* module);
  void read_copies(Elf* module);
  void read_table(Elf* elf, std::uint32_t type);
  void index();

  std::vector<Range> segments_;
  std::uint64_t tls_address_ = 0, tls_size_ = 0;
  std::map<std::uint64_t, bool> copied_;
  std::vector<ObjectSymbol> symbols_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  std::vector<VariableIndex::Guard> guards_;
};

// Keeps variable indexes between runs: one file for each module and debug file, named by what
// identifies them. A file of another version, of another module or with damage is as good as none,
// and is replaced. Files are written beside and renamed, so readers never see half of one.
//
// The bytes: "GORDVARS", u32 version, u32 0, SHA-256 of the rest (64 hex digits), then the key and
// the tables of VariableIndex. Numbers are little endian; strings are a u32 length and bytes;
// tables a u64 count and entries.

/// What identifies the pair: build id and shape of each file; without a build id its path, size,
/// time and inode. `debug` may be the module itself.
std::string index_key(const OpenElf& module, const OpenElf& debug);

std::string encode_index(const VariableIndex& index, std::string_view key);
std::optional<VariableIndex> decode_index(std::string_view bytes, std::string_view key);

std::optional<VariableIndex> load_index(const std::filesystem::path& dir, std::string_view key);
/// True when it is there now.
bool save_index(const std::filesystem::path& dir, std::string_view key, const VariableIndex& index);

}  // namespace gordian
