// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A module (program or shared library) together with the file that holds its debug information,
// which may be another one: by build id, or by the .gnu_debuglink of a stripped file. Only this
// machine's disk is asked, never a server. Files are read, not mapped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

struct Elf;    // of libelf
struct Dwarf;  // of libdw

namespace gordian {

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
  bool has_debug_info() const;

 private:
  struct ElfEnd {
    void operator()(Elf* elf) const;
  };
  OpenElf(std::filesystem::path path, UniqueFd fd, Elf* elf);

  std::filesystem::path path_;
  UniqueFd fd_;
  std::unique_ptr<Elf, ElfEnd> elf_;
  std::string build_id_;
};

/// As build ids are written.
std::string hex(const void* data, std::size_t size);

/// Where the debug information of a file may be, the likeliest first. `link` is the name in its
/// .gnu_debuglink, or empty.
std::vector<std::filesystem::path> debug_file_candidates(const std::filesystem::path& file,
                                                         std::string_view build_id,
                                                         std::string_view link,
                                                         const std::filesystem::path& debug_root);

/// The separate debug file that belongs to `module`: same build id, or the checksum that the link
/// tells. An error when there is none.
Result<OpenElf> find_debug_file(const OpenElf& module, const std::filesystem::path& debug_root);

/// The end of a module's last loaded page, as linked, zeroed data included: the mappings of a
/// process do not say where that is, because the kernel joins it with whatever lies behind. nullopt
/// when the file cannot be read.
std::optional<std::uint64_t> image_end(const std::string& path);

}  // namespace gordian
