// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The data of a module as its symbol table knows it: what lies where, which guard belongs to which
// variable, and which addresses exist at all. Names only; types are the business of debug
// information. Thread-local data have offsets in the module's TLS block instead of addresses.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct Elf;  // of libelf

namespace gordian {

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

  struct Guard {
    std::uint64_t guard = 0, variable = 0;
    bool thread_local_storage = false;
  };
  const std::vector<Guard>& guards() const { return guards_; }

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
  std::vector<Guard> guards_;
};

}  // namespace gordian
