// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which test framework drives a program, where it is (in the program or in a library it needs),
// which version, and by what signs we know. Only reads files; runs nothing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/test.h"
#include "symbols/elf_file.h"

namespace gordian {

/// A DT_NEEDED entry and the file it means; `path` is empty when it was not found.
struct NeededLibrary {
  std::string name;
  std::filesystem::path path;
};

/// The libraries that `file` itself names, in its order. `library_path` is the LD_LIBRARY_PATH the
/// program will be started with. Follows the loader's order, but reads no ld.so.cache: the default
/// directories stand for it, so a library in an odd system directory can be missed. The caller must
/// say "not found", never "not there".
std::vector<NeededLibrary> needed_libraries(const ElfFile& file, std::string_view library_path);

/// Whether the libraries are still the same, as their code is code under test too: a digest over
/// the libraries that the program needs, and those that these need. Libraries of the system count
/// by path, size and time of change, others by content. What cannot be found counts by name, and
/// what the program loads by itself (dlopen) not at all.
std::string library_digest(const ElfFile& program, std::string_view library_path);

struct FrameworkFinding {
  Framework framework = Framework::unknown;  ///< unknown: none that Gordian can drive
  std::string name;     ///< "GoogleTest", or a framework we recognise but cannot drive; or empty
  std::string version;  ///< "1.12", "1.13-1.14", ...; empty when unknown
  std::filesystem::path location;  ///< the file that holds the framework's code; may be empty
  /// GoogleTest: slots in its event repeater's vtable, from the symbol's size; 0 when stripped.
  int event_slots = 0;
  /// The agent can find its hook: the vtable's symbol or its class's name is there.
  bool hookable = false;
  std::string problem;                         ///< when not hookable: one sentence why
  std::vector<std::string> evidence;           ///< for `gordian doctor`, one fact each
  std::vector<std::string> missing_libraries;  ///< needed, but not found on this machine
};

/// `library_path` is the LD_LIBRARY_PATH that the program will be started with.
FrameworkFinding detect_framework(const ElfFile& program, std::string_view library_path = {});

}  // namespace gordian
