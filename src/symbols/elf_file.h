// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One ELF file, opened to be read: what kind of program it is, its symbols, its constant bytes.
// Files are hostile: a damaged table yields fewer answers, never a crash. The file is read, not
// mapped, so a linker that rewrites it under our eyes cannot kill us. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

struct Elf;  // of libelf

namespace gordian {

/// What an ELF file is opened for.
enum class ElfRole : std::uint8_t {
  program,  ///< we mean to run it
  library,  ///< a program needs it
};

/// "x86-64" for EM_X86_64 (62), "machine number 4711" for what has no name here.
std::string machine_name(std::uint16_t machine);

/// The e_machine of the programs this build of Gordian can run.
std::uint16_t our_machine();

/// Looks at the first bytes of a file (up to 4096 are used) and its size. OK for a complete 64-bit
/// ELF program or shared object of our machine; otherwise an Error{target} that says what it is:
/// asked before elfutils sees a file, so that the answer to a shell script, a core dump or another
/// machine's program names it. `name` is how the message calls the file.
Status check_elf_identity(std::string_view name, std::string_view head, std::uint64_t file_size);

/// One ELF file held open by libelf.
class OpenElf {
 public:
  /// An Error{target} for what is no complete 64-bit ELF program or library of this machine.
  static Result<OpenElf> open(const std::filesystem::path& path);

  Elf* elf() const { return elf_.get(); }
  int fd() const { return fd_.get(); }
  const std::filesystem::path& path() const { return path_; }
  /// Hex; empty when the linker wrote none.
  const std::string& build_id() const { return build_id_; }
  bool has_section(std::string_view name) const;
  /// .debug_info, plain or compressed.
  bool has_debug_info() const { return has_section(".debug_info") || has_section(".zdebug_info"); }

 private:
  struct ElfEnd {
    void operator()(Elf* elf) const;
  };
  OpenElf(std::filesystem::path path, UniqueFd fd, std::unique_ptr<Elf, ElfEnd> elf);

  std::filesystem::path path_;
  UniqueFd fd_;
  std::unique_ptr<Elf, ElfEnd> elf_;
  std::string build_id_;
};

/// As build ids are written.
std::string hex(const void* data, std::size_t size);

enum class Sanitizer : std::uint8_t { none, address, thread, memory, undefined };
/// What counts which code runs, in a build for coverage.
enum class CounterKind : std::uint8_t { none, gcov, llvm };

std::string_view to_string(Sanitizer sanitizer);
std::string_view to_string(CounterKind kind);

/// What can be said of the file as a whole.
struct ElfFacts {
  std::uint16_t machine = 0;
  bool pie = false;                ///< loaded at a random address
  bool statically_linked = false;  ///< no loader: LD_PRELOAD has no effect
  bool has_symtab = false;         ///< not stripped
  bool has_debug_info = false;     ///< DWARF inside, or a link to a file that has it
  bool has_agent_adapter = false;  ///< our link-time adapter is compiled in
  std::string build_id;            ///< hex; empty when the linker wrote none
  std::vector<std::string> needed;
  std::string rpath;    ///< DT_RPATH as written, $ORIGIN included
  std::string runpath;  ///< DT_RUNPATH as written
  Sanitizer sanitizer = Sanitizer::none;
  CounterKind coverage = CounterKind::none;
};

struct Symbol {
  std::uint64_t vaddr = 0;  ///< as linked; add the load address of a PIE
  std::uint64_t size = 0;
};

class ElfFile {
 public:
  /// Opens a program (or a library some program needs). What is no 64-bit ELF of this machine, is
  /// damaged or cannot be read is an Error{target} that says so.
  static Result<ElfFile> open(const std::filesystem::path& path, ElfRole role = ElfRole::program);

  const std::filesystem::path& path() const { return file_.path(); }
  const ElfFacts& facts() const { return facts_; }

  /// Defined symbols by their mangled names, in one pass over .symtab and one over .dynsym for
  /// what is left. Answer i belongs to name i.
  std::vector<std::optional<Symbol>> find(std::span<const std::string_view> mangled) const;
  std::optional<Symbol> find(std::string_view mangled) const {
    return find(std::span(&mangled, 1)).front();
  }

  /// Does any symbol, defined here or expected from a library, start with this?
  bool mentions_symbol(std::string_view prefix) const;

  /// Does a constant section hold these bytes? Works on stripped files too: strings and the names
  /// of classes with virtual functions live there.
  bool contains_bytes(std::string_view bytes) const;

  bool has_section(std::string_view name) const;

 private:
  struct Section {
    std::string name;
    std::size_t index = 0;
    std::uint32_t type = 0;
    std::uint64_t flags = 0;
    std::uint32_t link = 0;
  };
  struct SeenSymbol {
    std::string_view name;
    Symbol symbol;
    bool defined = false;
    bool weak = false;
  };
  explicit ElfFile(OpenElf file) : file_(std::move(file)) {}

  Status load(ElfRole role);
  Status read_program_headers(ElfRole role);
  void read_sections();
  void read_dynamic();
  void read_symbols();
  std::string_view section_bytes(std::size_t index) const;
  void load_symbols(std::uint32_t table_type, std::vector<SeenSymbol>& symbols);
  /// Calls `visit` for each symbol of the tables of this type until it returns false.
  void each_symbol(std::uint32_t table_type,
                   const std::function<bool(const SeenSymbol&)>& visit) const;

  OpenElf file_;
  std::vector<Section> sections_;
  std::vector<SeenSymbol> symtab_, dynsym_;  ///< names point into what libelf holds
  ElfFacts facts_;
  bool position_independent_flag_ = false;  ///< DF_1_PIE
};

}  // namespace gordian
