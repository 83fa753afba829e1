// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/elf_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "symbols/elf_walk.h"
#include "symbols/reader.h"

namespace gordian {
namespace {

using namespace std::string_view_literals;

Error unreadable(const std::filesystem::path& path, int error) {
  const std::string name = path.string();
  if (error == ENOENT || error == ENOTDIR) {
    return target_error(name + ": no such file", "check the path, or build the tests first");
  }
  if (error == EACCES) {
    return target_error(name + ": permission denied", "its read permission is missing (ls -l)");
  }
  return target_error("cannot open " + name + ": " + std::strerror(error));
}

/// The start of the file and its size, after the checks that need no look inside.
Status check_file(const std::filesystem::path& path, int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return unreadable(path, errno);
  if (S_ISDIR(info.st_mode)) {
    return target_error(path.string() + " is a directory", "name a test binary inside of it");
  }
  if (!S_ISREG(info.st_mode)) return target_error(path.string() + " is not a regular file");
  std::array<char, 4096> head;
  const ssize_t n = ::pread(fd, head.data(), head.size(), 0);
  if (n < 0) return unreadable(path, errno);
  return check_elf_identity(path.string(), {head.data(), static_cast<std::size_t>(n)},
                            static_cast<std::uint64_t>(info.st_size));
}

std::string read_build_id(Elf* elf) {
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
  return size <= 0 || size > 64 ? "" : hex(bytes, static_cast<std::size_t>(size));
}

}  // namespace

std::string_view to_string(Sanitizer sanitizer) {
  constexpr std::array kWords = {"none"sv, "address"sv, "thread"sv, "memory"sv, "undefined"sv};
  return kWords[static_cast<std::size_t>(sanitizer)];
}

std::string_view to_string(CounterKind kind) {
  constexpr std::array kWords = {"none"sv, "gcov"sv, "llvm"sv};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string hex(const void* data, std::size_t size) {
  std::string result;
  for (std::size_t i = 0; i < size; ++i) {
    const auto byte = static_cast<const unsigned char*>(data)[i];
    result += "0123456789abcdef"[byte >> 4];
    result += "0123456789abcdef"[byte & 0xf];
  }
  return result;
}

void OpenElf::ElfEnd::operator()(Elf* elf) const {
  elf_end(elf);
}

OpenElf::OpenElf(std::filesystem::path path, UniqueFd fd, std::unique_ptr<Elf, ElfEnd> elf)
    : path_(std::move(path)),
      fd_(std::move(fd)),
      elf_(std::move(elf)),
      build_id_(read_build_id(elf_.get())) {}

Result<OpenElf> OpenElf::open(const std::filesystem::path& path) {
  // O_NONBLOCK: a FIFO under this name must not hang us before we know what it is.
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return unreadable(path, errno);
  if (Status checked = check_file(path, fd.get()); !checked) return checked.error();
  elf_version(EV_CURRENT);
  std::unique_ptr<Elf, ElfEnd> elf(elf_begin(fd.get(), ELF_C_READ, nullptr));
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF) {
    return target_error(path.string() + " is damaged: " + elf_errmsg(-1), "build it again");
  }
  return OpenElf(path, std::move(fd), std::move(elf));
}

bool OpenElf::has_section(std::string_view wanted) const {
  bool found = false;
  each_section(elf(), [&](Elf_Scn*, const GElf_Shdr& header, std::string_view name) {
    found |= name == wanted && header.sh_type != SHT_NOBITS;
  });
  return found;
}
Result<ElfFile> ElfFile::open(const std::filesystem::path& path, ElfRole role) {
  auto opened = OpenElf::open(path);
  if (!opened) return opened.error();
  if (role == ElfRole::program && ::access(path.c_str(), X_OK) != 0) {
    return target_error(path.string() + " is not executable",
                        "chmod +x it, or build it again with the linker");
  }
  ElfFile file(std::move(*opened));
  if (Status loaded = file.load(role); !loaded) return loaded.error();
  return file;
}

Status ElfFile::load(ElfRole role) {
  read_sections();
  read_dynamic();
  if (Status headers = read_program_headers(role); !headers) return headers;
  facts_.build_id = file_.build_id();
  read_symbols();
  return {};
}

Status ElfFile::read_program_headers(ElfRole role) {
  GElf_Ehdr header;
  struct stat info {};
  if (::fstat(file_.fd(), &info) != 0) return unreadable(path(), errno);
  bool has_loader = false, whole = true;
  std::size_t count = 0;
  if (gelf_getehdr(file_.elf(), &header) == nullptr || elf_getphdrnum(file_.elf(), &count) != 0) {
    return target_error(path().string() + " is damaged: " + elf_errmsg(-1), "build it again");
  }
  each_segment(file_.elf(), [&](const GElf_Phdr& segment) {
    has_loader |= segment.p_type == PT_INTERP;
    const auto end = checked_add(segment.p_offset, segment.p_filesz);
    whole &= segment.p_type != PT_LOAD || (end && *end <= static_cast<std::uint64_t>(info.st_size));
  });
  if (!whole) {
    return target_error(path().string() + " is truncated: part of its code or data is missing",
                        "build it again; was a copy or link step interrupted?");
  }
  facts_.machine = header.e_machine;
  facts_.statically_linked = !has_loader;
  facts_.pie = header.e_type == ET_DYN;
  if (role == ElfRole::program && facts_.pie && !has_loader && !position_independent_flag_) {
    return target_error(path().string() + " is a shared library, not a program",
                        "name the test binary that uses it");
  }
  return {};
}

void ElfFile::read_sections() {
  each_section(file_.elf(), [this](Elf_Scn* section, const GElf_Shdr& header, auto name) {
    sections_.push_back(
        {std::string(name), elf_ndxscn(section), header.sh_type, header.sh_flags, header.sh_link});
  });
  facts_.has_debug_info = has_section(".debug_info") || has_section(".zdebug_info") ||
                          has_section(".gnu_debuglink") || has_section(".debug_link") ||
                          has_section(".gnu_debugaltlink");
}

void ElfFile::read_dynamic() {
  for (const Section& section : sections_) {
    if (section.type != SHT_DYNAMIC) continue;
    Elf_Data* data = elf_getdata(elf_getscn(file_.elf(), section.index), nullptr);
    GElf_Dyn entry;
    for (int i = 0; data != nullptr && gelf_getdyn(data, i, &entry) != nullptr; ++i) {
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_FLAGS_1) position_independent_flag_ |= entry.d_un.d_val & DF_1_PIE;
      const char* text = elf_strptr(file_.elf(), section.link, entry.d_un.d_val);
      if (text == nullptr) continue;
      if (entry.d_tag == DT_NEEDED) facts_.needed.emplace_back(text);
      if (entry.d_tag == DT_RPATH) facts_.rpath = text;
      if (entry.d_tag == DT_RUNPATH) facts_.runpath = text;
    }
  }
}

void ElfFile::read_symbols() {
  load_symbols(SHT_SYMTAB, symtab_);
  load_symbols(SHT_DYNSYM, dynsym_);
  std::array<bool, 5> sanitizers{};  // indexed by Sanitizer
  auto mark = [&sanitizers](Sanitizer s) { sanitizers[static_cast<std::size_t>(s)] = true; };
  bool gcov = false, llvm = has_section("__llvm_prf_cnts");
  facts_.has_agent_adapter = has_section(".gordian");
  auto look = [&](const SeenSymbol& seen) {
    // A weak wish for a sanitizer's function is how code asks whether one is there.
    if (!seen.defined && seen.weak) return true;
    const std::string_view name = seen.name;
    if (!name.starts_with("__")) {
      facts_.has_agent_adapter |= name == "gordian_link_adapter";
      return true;
    }
    if (name == "__asan_init") mark(Sanitizer::address);
    if (name == "__tsan_init") mark(Sanitizer::thread);
    if (name == "__msan_init") mark(Sanitizer::memory);
    if (name.starts_with("__ubsan_handle_")) mark(Sanitizer::undefined);
    gcov |= name == "__gcov_dump" || name == "__gcov_exit" || name == "__gcov_init";
    llvm |= name == "__llvm_profile_runtime";
    return true;
  };
  each_symbol(SHT_SYMTAB, look);
  each_symbol(SHT_DYNSYM, look);
  for (const std::string& library : facts_.needed) {
    if (library.starts_with("libasan.so")) mark(Sanitizer::address);
    if (library.starts_with("libtsan.so")) mark(Sanitizer::thread);
    if (library.starts_with("libubsan.so")) mark(Sanitizer::undefined);
  }
  // The address sanitizer's runtime brings the handlers of the undefined one along: first wins.
  for (Sanitizer s :
       {Sanitizer::undefined, Sanitizer::memory, Sanitizer::thread, Sanitizer::address}) {
    if (sanitizers[static_cast<std::size_t>(s)]) facts_.sanitizer = s;
  }
  facts_.has_symtab = std::any_of(sections_.begin(), sections_.end(),
                                  [](const Section& s) { return s.type == SHT_SYMTAB; });
  if (!gcov && !facts_.has_symtab) gcov = contains_bytes("GCOV_PREFIX_STRIP\0"sv);
  facts_.coverage = llvm ? CounterKind::llvm : gcov ? CounterKind::gcov : CounterKind::none;
}

std::string_view ElfFile::section_bytes(std::size_t index) const {
  return raw_bytes(elf_getscn(file_.elf(), index));
}

void ElfFile::load_symbols(std::uint32_t table_type, std::vector<SeenSymbol>& symbols) {
  for (const Section& table : sections_) {
    if (table.type != table_type) continue;
    const ByteReader names(section_bytes(table.link));
    gordian::each_symbol(elf_getscn(file_.elf(), table.index), [&](const GElf_Sym& symbol) {
      const auto name = names.c_string(symbol.st_name);
      if (!name || name->empty()) return;
      symbols.push_back({*name,
                         {symbol.st_value, symbol.st_size},
                         symbol.st_shndx != SHN_UNDEF,
                         GELF_ST_BIND(symbol.st_info) == STB_WEAK});
    });
  }
}

void ElfFile::each_symbol(std::uint32_t table_type,
                          const std::function<bool(const SeenSymbol&)>& visit) const {
  for (const SeenSymbol& symbol : table_type == SHT_SYMTAB ? symtab_ : dynsym_) {
    if (!visit(symbol)) return;
  }
}

std::vector<std::optional<Symbol>> ElfFile::find(std::span<const std::string_view> mangled) const {
  std::vector<std::optional<Symbol>> found(mangled.size());
  std::unordered_multimap<std::string_view, std::size_t> wanted;
  for (std::size_t i = 0; i < mangled.size(); ++i) wanted.emplace(mangled[i], i);
  auto look = [&](const SeenSymbol& seen) {
    if (!seen.defined) return true;
    const auto [first, last] = wanted.equal_range(seen.name);
    for (auto it = first; it != last; ++it) found[it->second] = seen.symbol;
    wanted.erase(first, last);
    return !wanted.empty();
  };
  if (!wanted.empty()) each_symbol(SHT_SYMTAB, look);
  if (!wanted.empty()) each_symbol(SHT_DYNSYM, look);
  return found;
}
bool ElfFile::mentions_symbol(std::string_view prefix) const {
  bool found = false;
  auto look = [&](const SeenSymbol& seen) { return !(found = seen.name.starts_with(prefix)); };
  each_symbol(SHT_SYMTAB, look);
  if (!found) each_symbol(SHT_DYNSYM, look);
  return found;
}

bool ElfFile::contains_bytes(std::string_view bytes) const {
  constexpr std::uint64_t kNotConstant = SHF_WRITE | SHF_EXECINSTR;
  return std::any_of(sections_.begin(), sections_.end(), [&](const Section& section) {
    if (section.type != SHT_PROGBITS || !(section.flags & SHF_ALLOC)) return false;
    if (section.flags & kNotConstant) return false;
    const std::string_view content = section_bytes(section.index);
    if (content.size() < bytes.size() || content.empty()) return false;
    return ::memmem(content.data(), content.size(), bytes.data(), bytes.size()) != nullptr;
  });
}

bool ElfFile::has_section(std::string_view name) const {
  return std::any_of(sections_.begin(), sections_.end(),
                     [name](const Section& s) { return s.name == name; });
}

}  // namespace gordian
