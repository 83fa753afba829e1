// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What kind of file is this? Asked before elfutils sees a file, so that the answer to a shell
// script, a core dump or another machine's program is a sentence that names it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

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
/// ELF program or shared object of our machine; otherwise an Error{target} that says what it is.
/// `name` is how the message calls the file.
Status check_elf_identity(std::string_view name, std::string_view head, std::uint64_t file_size);

}  // namespace gordian
