// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whether the shared libraries of a program are still the same: their code is code under test too.
#pragma once

#include <string>
#include <string_view>

#include "symbols/elf_file.h"

namespace gordian {

/// A digest over the libraries that the program needs, and those that these need. Libraries of the
/// system count by path, size and time of change, others by content. What cannot be found counts by
/// name, and what the program loads by itself (dlopen) not at all.
std::string library_digest(const ElfFile& program, std::string_view library_path);

}  // namespace gordian
