// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/elf_file.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <utility>

#include "symbols/reader.h"

namespace gordian {
namespace {

using namespace std::string_view_literals;

constexpr std::array<std::pair<std::uint16_t, std::string_view>, 11> kMachines = {{
    {EM_X86_64, "x86-64"},
    {EM_386, "x86 (32-bit)"},
    {EM_AARCH64, "AArch64"},
    {EM_ARM, "ARM (32-bit)"},
    {EM_RISCV, "RISC-V"},
    {EM_PPC64, "PowerPC 64"},
    {EM_PPC, "PowerPC"},
    {EM_S390, "S/390"},
    {EM_MIPS, "MIPS"},
    {EM_SPARCV9, "SPARC V9"},
    {EM_LOONGARCH, "LoongArch"},
}};

constexpr std::array kMachOMagics = {"\xfe\xed\xfa\xce"sv, "\xfe\xed\xfa\xcf"sv,
                                     "\xce\xfa\xed\xfe"sv, "\xcf\xfa\xed\xfe"sv,
                                     "\xca\xfe\xba\xbe"sv};

bool is_text(std::string_view head) {
  return std::none_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f';
  });
}

Error not_elf(std::string_view name, std::string_view head) {
  const std::string file(name);
  if (head.empty()) return target_error(file + " is an empty file", "was the build interrupted?");
  if (head.starts_with("#!")) {
    const std::string_view line = head.substr(0, head.find('\n'));
    return target_error(file + " is a script (" + std::string(line) + "), not a test binary",
                        "name the binary that the script starts");
  }
  if (head.starts_with("MZ")) return target_error(file + " is a Windows program (PE)");
  if (std::any_of(kMachOMagics.begin(), kMachOMagics.end(),
                  [head](std::string_view magic) { return head.starts_with(magic); })) {
    return target_error(file + " is a macOS program (Mach-O)");
  }
  if (head.starts_with("!<arch>\n")) {
    return target_error(file + " is a static library", "link it into a test binary first");
  }
  return target_error(
      file + (is_text(head) ? " is a text file" : " is not an ELF file") + ", not a test binary",
      "name a compiled test binary");
}

Error cut_off(std::string_view name) {
  return target_error(std::string(name) + " is truncated: it ends before its own tables do",
                      "build it again; was a copy or link step interrupted?");
}

Status check_type(std::string_view name, std::uint16_t type) {
  const std::string file(name);
  switch (type) {
    case ET_EXEC:
    case ET_DYN:
      return {};
    case ET_REL:
      return target_error(file + " is an object file (.o), not linked yet",
                          "name the linked test binary");
    case ET_CORE:
      return target_error(file + " is a core dump", "name the test binary that dumped it");
    default:
      return target_error(file + " has an unknown ELF type (" + std::to_string(type) + ")");
  }
}

/// Program and section headers must lie inside of the file. Anything past its end is found here,
/// where it can be named, not later as an odd error of a library.
Status check_complete(std::string_view name, const ByteReader& head, std::uint64_t file_size) {
  struct Table {
    std::uint64_t offset_at, entry_size_at, count_at;
  };
  constexpr Table kProgramHeaders = {32, 54, 56}, kSectionHeaders = {40, 58, 60};
  for (const Table& table : {kProgramHeaders, kSectionHeaders}) {
    const auto offset = head.read<std::uint64_t>(table.offset_at);
    const auto entry_size = head.read<std::uint16_t>(table.entry_size_at);
    const auto count = head.read<std::uint16_t>(table.count_at);
    if (!offset || !entry_size || !count) return cut_off(name);
    const auto end = checked_add(*offset, std::uint64_t{*entry_size} * *count);
    if (*offset != 0 && (!end || *end > file_size)) return cut_off(name);
  }
  return {};
}

}  // namespace

std::string machine_name(std::uint16_t machine) {
  for (auto [number, name] : kMachines) {
    if (number == machine) return std::string(name);
  }
  return "machine number " + std::to_string(machine);
}

std::uint16_t our_machine() {
#if defined(__x86_64__)
  return EM_X86_64;
#elif defined(__aarch64__)
  return EM_AARCH64;
#elif defined(__riscv)
  return EM_RISCV;
#else
#error "Gordian does not know this machine yet"
#endif
}

Status check_elf_identity(std::string_view name, std::string_view head, std::uint64_t file_size) {
  if (!head.starts_with("\x7f"
                        "ELF"))
    return not_elf(name, head);
  if (head.size() < sizeof(Elf64_Ehdr)) return cut_off(name);
  const bool big = head[EI_DATA] == ELFDATA2MSB;
  const ByteReader reader(head, big ? std::endian::big : std::endian::little);
  const std::uint16_t machine = reader.read<std::uint16_t>(18).value_or(EM_NONE);
  const std::string file(name), ours = machine_name(our_machine());
  if (machine != our_machine()) {
    return target_error(file + " is built for " + machine_name(machine) + "; this is " + ours,
                        "build it for this machine");
  }
  if (head[EI_CLASS] != ELFCLASS64) {
    return target_error(file + " is a 32-bit program; only 64-bit ones can be run",
                        "build it without -m32 or -mx32");
  }
  if (big != (std::endian::native == std::endian::big)) {
    return target_error(file + " has the other byte order");
  }
  const std::uint16_t type = reader.read<std::uint16_t>(16).value_or(ET_NONE);
  if (Status typed = check_type(name, type); !typed) return typed;
  return check_complete(name, reader, file_size);
}

}  // namespace gordian
