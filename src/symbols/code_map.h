// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A program's code and data by address: which symbol lies where, what the file holds there, and
// what the loader will write there. Addresses are as linked. Files are hostile: what is damaged
// yields fewer answers. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace gordian {

struct CodeSymbol {
  std::uint64_t start = 0, size = 0;
  std::string name;  ///< mangled; of several for one address the first in the alphabet
  std::vector<std::string> aliases;
  bool function = false;
  bool weak = false;  ///< defined in a header, so in whoever used it
};

/// What the loader puts into eight bytes of data: the address of a symbol of another module, or of
/// something in this program.
struct Pointer {
  std::string name;           ///< empty when it is known by address
  std::uint64_t address = 0;  ///< 0 when it is elsewhere
};

class CodeMap {
 public:
  /// Needs .symtab. An error says what is missing.
  static Result<CodeMap> read(const std::filesystem::path& path);

  const std::vector<CodeSymbol>& symbols() const { return symbols_; }
  /// The symbol whose bytes these are.
  const CodeSymbol* symbol_at(std::uint64_t address) const;
  /// Up to `most` bytes from there to the end of the section; empty when the file holds none.
  std::string_view bytes_at(std::uint64_t address, std::uint64_t most) const;
  bool is_constant(std::uint64_t address) const;    ///< data that nobody writes, ever
  bool is_executable(std::uint64_t address) const;  ///< in a section of instructions
  /// In any section that is loaded.
  bool in_image(std::uint64_t address) const { return section_at(address) != nullptr; }
  std::optional<Pointer> pointer_at(std::uint64_t address) const;
  /// Linked to a fixed address: pointers in code and data are plain numbers.
  bool fixed_address() const { return fixed_address_; }

 private:
  struct Section {
    std::uint64_t start = 0, size = 0;
    bool writable = false, executable = false;
    std::string bytes;  ///< empty for .bss
  };
  const Section* section_at(std::uint64_t address) const;

  std::vector<Section> sections_;                            ///< by address
  std::vector<CodeSymbol> symbols_;                          ///< by address
  std::vector<std::pair<std::uint64_t, Pointer>> pointers_;  ///< by the place they are put at
  bool fixed_address_ = false;

  friend class CodeMapReader;
};

}  // namespace gordian
