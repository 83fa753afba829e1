// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/framework_detection.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "base/sha256.h"
#include "base/text.h"
#include "frameworks/framework_symbols.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

#if defined(__x86_64__)
constexpr std::string_view kMultiarch = "x86_64-linux-gnu";
#elif defined(__aarch64__)
constexpr std::string_view kMultiarch = "aarch64-linux-gnu";
#else
constexpr std::string_view kMultiarch = "riscv64-linux-gnu";
#endif

/// "a:b" as directories; $ORIGIN is the directory of the file that has the list.
void add_list(std::vector<fs::path>& directories, std::string_view list, const fs::path& origin) {
  while (!list.empty()) {
    const std::size_t colon = list.find(':');
    std::string directory(list.substr(0, colon));
    list.remove_prefix(colon == std::string_view::npos ? list.size() : colon + 1);
    if (directory.empty()) continue;
    replace_all(directory, "${ORIGIN}", origin.string());
    replace_all(directory, "$ORIGIN", origin.string());
    directories.emplace_back(directory);
  }
}

std::vector<fs::path> search_directories(const ElfFile& file, std::string_view library_path) {
  std::error_code ignored;
  const fs::path origin = fs::weakly_canonical(file.path(), ignored).parent_path();
  std::vector<fs::path> directories;
  const ElfFacts& facts = file.facts();
  if (facts.runpath.empty()) add_list(directories, facts.rpath, origin);
  add_list(directories, library_path, origin);
  add_list(directories, facts.runpath, origin);
  for (std::string_view root : {"/lib", "/usr/lib", "/usr/local/lib"}) {
    directories.push_back(fs::path(root) / kMultiarch);
    directories.push_back(std::string(root) + "64");
    directories.emplace_back(root);
  }
  return directories;
}

using namespace std::string_view_literals;

constexpr int kMaxLibraries = 300;

/// Signs of a framework. Empty fields are not looked at.
struct Sign {
  std::string_view name, library, symbol_prefix, class_name, section;
};

/// Those that we can name but not drive.
constexpr std::array kSigns = {
    Sign{"CppUnit", "libcppunit", "", "CppUnit::TestResult", ""},
    Sign{"Qt Test", "libQt5Test", "", "", ""},
    Sign{"Qt Test", "libQt6Test", "_ZN5QTest", "", ""},
    Sign{"Check", "libcheck.so", "srunner_run_all", "", ""},
    Sign{"Go", "", "", "", ".gopclntab"},
    Sign{"Rust", "", "rust_eh_personality", "", ""},
};

/// Libraries of the C and C++ runtime hold no test framework and are the largest of all.
bool is_runtime_library(std::string_view name) {
  constexpr std::array kPrefixes = {"libc.so"sv,     "libm.so"sv,       "libstdc++.so"sv,
                                    "libgcc_s.so"sv, "libpthread.so"sv, "ld-linux"sv,
                                    "libdl.so"sv,    "librt.so"sv,      "libc++"sv};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [name](std::string_view prefix) { return name.starts_with(prefix); });
}

bool has_library(const ElfFile& file, std::string_view prefix) {
  const auto& needed = file.facts().needed;
  return std::any_of(needed.begin(), needed.end(),
                     [prefix](const std::string& name) { return name.starts_with(prefix); });
}

/// The program's libraries, level by level, until `wanted` takes one.
using Wanted = std::function<bool(const ElfFile& file)>;
bool search_libraries(FrameworkFinding& finding, const ElfFile& program,
                      std::string_view library_path, const Wanted& wanted) {
  std::deque<NeededLibrary> queue;
  std::set<std::string> seen;
  finding.missing_libraries.clear();
  auto enqueue = [&](const ElfFile& file) {
    for (NeededLibrary& library : needed_libraries(file, library_path)) {
      if (is_runtime_library(library.name) || !seen.insert(library.name).second) continue;
      if (library.path.empty()) finding.missing_libraries.push_back(library.name);
      queue.push_back(std::move(library));
    }
  };
  enqueue(program);
  for (int looked = 0; !queue.empty() && looked < kMaxLibraries; ++looked) {
    const NeededLibrary library = std::move(queue.front());
    queue.pop_front();
    if (library.path.empty()) continue;
    auto file = ElfFile::open(library.path, ElfRole::library);
    if (!file) continue;
    if (wanted(*file)) {
      finding.evidence.insert(finding.evidence.begin(),
                              "uses the shared library " + library.path.string());
      return true;
    }
    enqueue(*file);
  }
  return false;
}

bool shows(const Sign& sign, const ElfFile& program) {
  const std::string vtable = sign.class_name.empty() ? "" : vtable_symbol(sign.class_name);
  return (!sign.library.empty() && has_library(program, sign.library)) ||
         (!sign.symbol_prefix.empty() && program.mentions_symbol(sign.symbol_prefix)) ||
         (!vtable.empty() && program.mentions_symbol(vtable)) ||
         (!sign.class_name.empty() && has_class_name(program, sign.class_name)) ||
         (!sign.section.empty() && program.has_section(sign.section));
}

Sign sign_of(const FrameworkSymbols& symbols) {
  return {to_string(symbols.framework), symbols.library, symbols.symbol_prefix, symbols.class_name,
          ""};
}

/// One that tells by itself in which file it is.
bool is_recognised(FrameworkFinding& finding, const FrameworkSymbols& symbols,
                   const ElfFile& program, std::string_view library_path) {
  auto here = [&](const ElfFile& file) { return symbols.recognise(file, finding); };
  if (here(program) || search_libraries(finding, program, library_path, here)) return true;
  const bool called =
      has_library(program, symbols.library) || program.mentions_symbol(symbols.symbol_prefix);
  if (!called) return false;
  // The program calls it, but the library is not on this machine.
  finding.framework = symbols.framework;
  finding.name = to_string(symbols.framework);
  finding.evidence.push_back("calls " + std::string(symbols.main_function) +
                             " of a shared library");
  finding.problem = "the shared library with " + finding.name + " was not found";
  for (const std::string& name : finding.missing_libraries) {
    finding.evidence.push_back("library " + name + " was not found");
  }
  return true;
}

bool holds_hooks(FrameworkFinding& finding, const FrameworkSymbols& symbols, const ElfFile& file) {
  if (hook_offsets(file, symbols).framework == Framework::unknown) return false;
  finding.location = file.path();
  finding.hookable = true;
  if (symbols.version != nullptr) finding.version = symbols.version(file);
  return true;
}

/// One whose hook points are symbols, of the program or a library.
bool drives(FrameworkFinding& finding, const FrameworkSymbols& symbols, const ElfFile& program,
            std::string_view library_path) {
  const Sign sign = sign_of(symbols);
  if (!shows(sign, program)) return false;
  finding.framework = symbols.framework;
  finding.name = sign.name;
  finding.location = program.path();
  finding.evidence.push_back("looks like " + finding.name);
  auto holds = [&](const ElfFile& file) { return holds_hooks(finding, symbols, file); };
  if (holds(program) || search_libraries(finding, program, library_path, holds)) return true;
  const std::string functions = "the functions of " + finding.name + " that choose and run tests";
  finding.problem = program.facts().has_symtab
                        ? functions +
                              " are not in it as Gordian knows them: another version, or "
                              "another standard library than libstdc++"
                        : "it is stripped, so " + functions + " cannot be found in it";
  return true;
}

void name_other_framework(FrameworkFinding& finding, const ElfFile& program) {
  for (const Sign& sign : kSigns) {
    if (!shows(sign, program)) continue;
    finding.name = sign.name;
    finding.location = program.path();
    finding.problem = "this is a " + finding.name + " program; it is not supported yet";
    finding.evidence.push_back("looks like " + finding.name);
    return;
  }
  finding.problem = "no test framework that Gordian knows was found in it";
}

bool of_the_system(const std::filesystem::path& path) {
  const std::string text = path.string();
  return text.starts_with("/lib") || text.starts_with("/usr/lib");
}

std::string describe(const std::filesystem::path& path) {
  if (!of_the_system(path)) {
    auto content = sha256_file(path);
    return content ? *content : "unreadable";
  }
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  const auto changed = std::filesystem::last_write_time(path, error);
  return fmt::format("{} {}", size, changed.time_since_epoch().count());
}

}  // namespace

std::vector<NeededLibrary> needed_libraries(const ElfFile& file, std::string_view library_path) {
  const std::vector<fs::path> directories = search_directories(file, library_path);
  std::vector<NeededLibrary> result;
  for (const std::string& name : file.facts().needed) {
    NeededLibrary library = {name, {}};
    std::error_code ignored;
    if (name.find('/') != std::string::npos) {
      if (fs::is_regular_file(name, ignored)) library.path = name;
    } else {
      for (const fs::path& directory : directories) {
        if (!fs::is_regular_file(directory / name, ignored)) continue;
        library.path = directory / name;
        break;
      }
    }
    result.push_back(std::move(library));
  }
  return result;
}

std::string library_digest(const ElfFile& program, std::string_view library_path) {
  std::set<std::string> seen;
  std::vector<NeededLibrary> open = needed_libraries(program, library_path);
  Sha256 sha;
  while (!open.empty()) {
    const NeededLibrary library = std::move(open.back());
    open.pop_back();
    if (!seen.insert(library.path.empty() ? library.name : library.path.string()).second) continue;
    sha.update(library.name + '\n');
    if (library.path.empty()) continue;
    sha.update(library.path.string() + ' ' + describe(library.path) + '\n');
    if (of_the_system(library.path)) continue;
    auto file = ElfFile::open(library.path, ElfRole::library);
    if (!file) continue;
    for (NeededLibrary& more : needed_libraries(*file, library_path)) open.push_back(more);
  }
  return sha.hex_digest();
}

FrameworkFinding detect_framework(const ElfFile& program, std::string_view library_path) {
  FrameworkFinding finding;
  for (const FrameworkSymbols* symbols : all_framework_symbols()) {
    const bool found = symbols->recognise != nullptr
                           ? is_recognised(finding, *symbols, program, library_path)
                           : drives(finding, *symbols, program, library_path);
    if (found) return finding;
  }
  name_other_framework(finding, program);
  return finding;
}

}  // namespace gordian
