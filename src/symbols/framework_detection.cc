// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/framework_detection.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <set>

#include "frameworks/framework_kind.h"
#include "frameworks/gtest/gtest_version.h"
#include "symbols/hook_addresses.h"
#include "symbols/library_search.h"

namespace gordian {
namespace {

using namespace std::string_view_literals;

constexpr auto kRepeater = "testing::internal::TestEventRepeater"sv;
constexpr auto kRunAllTests = "_ZN7testing8UnitTest3RunEv"sv;
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

// Texts that stripped files are searched for are put together at run time. Written out, they would
// make our own program look like a test binary.

/// "a::B" as the C++ ABI writes it in type information: "N1a1BE".
std::string mangled_class(std::string_view name) {
  const bool nested = name.find("::") != std::string_view::npos;
  std::string mangled = nested ? "N" : "";
  while (!name.empty()) {
    const std::size_t end = std::min(name.find("::"), name.size());
    mangled += std::to_string(end) + std::string(name.substr(0, end));
    name.remove_prefix(std::min(end + 2, name.size()));
  }
  return nested ? mangled + "E" : mangled;
}

/// The NUL keeps longer names from counting.
bool has_class_name(const ElfFile& file, std::string_view name) {
  return file.contains_bytes(mangled_class(name) + '\0');
}

std::string vtable_of(std::string_view class_name) {
  return "_ZTV" + mangled_class(class_name);
}

std::string help_text_piece() {
  std::string piece = "--gtest_also_run";
  return piece.append("_disabled_tests@D");
}

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

/// "1.14.0" from "/usr/lib/libgtest.so.1.14.0"; empty when the name tells no version.
std::string version_in_name(const std::filesystem::path& library) {
  std::error_code ignored;
  const std::string name = std::filesystem::weakly_canonical(library, ignored).filename().string();
  const std::size_t at = name.find(".so.1.");
  if (!name.starts_with("libgtest") || at == std::string::npos) return "";
  return name.substr(at + 4);
}

/// How GoogleTest shows itself in one file, whichever of the three ways is left.
struct GtestPresence {
  std::optional<Symbol> vtable;
  bool rtti_name = false;
  bool help_text = false;
  /// The class name alone is not enough: tools that look for it, like us, have it too.
  bool any() const { return vtable || help_text; }
};

GtestPresence look_for_gtest(const ElfFile& file) {
  return {file.find(vtable_of(kRepeater)), has_class_name(file, kRepeater),
          file.contains_bytes(help_text_piece())};
}

void add_evidence(FrameworkFinding& finding, const GtestPresence& gtest, const ElfFile& file) {
  auto& lines = finding.evidence;
  if (gtest.vtable) {
    lines.push_back("symbol " + vtable_of(kRepeater) + " (" + std::to_string(finding.event_slots) +
                    " slots)");
  }
  if (gtest.rtti_name) lines.push_back("class name of testing::internal::TestEventRepeater");
  if (gtest.help_text) lines.push_back("GoogleTest's help text");
  for (std::string& line : gtest_version(file).evidence) lines.push_back(std::move(line));
}

void describe_gtest(FrameworkFinding& finding, const GtestPresence& gtest, const ElfFile& file) {
  finding.framework = Framework::gtest;
  finding.name = to_string(Framework::gtest);
  finding.location = file.path();
  // A vtable starts with the offset to the top and the type information.
  constexpr std::uint64_t kWord = 8, kHeaderWords = 2;
  if (gtest.vtable && gtest.vtable->size / kWord > kHeaderWords &&
      gtest.vtable->size / kWord < 64) {
    finding.event_slots = static_cast<int>(gtest.vtable->size / kWord - kHeaderWords);
  }
  finding.hookable = gtest.vtable || gtest.rtti_name;
  if (!finding.hookable) {
    finding.problem =
        "it is stripped and built without RTTI, so GoogleTest's event list cannot be found in it";
  }
  finding.version = version_in_name(file.path());
  if (finding.version.empty()) finding.version = gtest_version(file).text;
  add_evidence(finding, gtest, file);
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

bool is_gtest(FrameworkFinding& finding, const ElfFile& file) {
  const GtestPresence gtest = look_for_gtest(file);
  if (gtest.any()) describe_gtest(finding, gtest, file);
  return gtest.any();
}

/// The program calls GoogleTest, but the library with it is not on this machine.
bool expects_missing_gtest(FrameworkFinding& finding, const ElfFile& program) {
  if (!has_library(program, "libgtest") && !program.mentions_symbol(kRunAllTests)) return false;
  finding.framework = Framework::gtest;
  finding.name = to_string(Framework::gtest);
  finding.evidence.push_back("calls testing::UnitTest::Run of a shared library");
  finding.problem = "the shared library with GoogleTest was not found";
  for (const std::string& name : finding.missing_libraries) {
    finding.evidence.push_back("library " + name + " was not found");
  }
  return true;
}

bool shows(const Sign& sign, const ElfFile& program) {
  const std::string vtable = sign.class_name.empty() ? "" : vtable_of(sign.class_name);
  return (!sign.library.empty() && has_library(program, sign.library)) ||
         (!sign.symbol_prefix.empty() && program.mentions_symbol(sign.symbol_prefix)) ||
         (!vtable.empty() && program.mentions_symbol(vtable)) ||
         (!sign.class_name.empty() && has_class_name(program, sign.class_name)) ||
         (!sign.section.empty() && program.has_section(sign.section));
}

bool holds_hooks(FrameworkFinding& finding, const FrameworkKind& kind, const ElfFile& file) {
  if (hook_offsets(file, kind).framework == gordian_wire::kNoFramework) return false;
  finding.location = file.path();
  finding.hookable = true;
  if (kind.version != nullptr) finding.version = kind.version(file);
  return true;
}

/// A framework other than GoogleTest whose hook points are symbols, of the program or a library.
bool drives(FrameworkFinding& finding, const FrameworkKind& kind, const ElfFile& program,
            std::string_view library_path) {
  const Sign sign{to_string(kind.framework), kind.library, kind.symbol_prefix, kind.class_name, ""};
  if (!shows(sign, program)) return false;
  finding.framework = kind.framework;
  finding.name = sign.name;
  finding.location = program.path();
  finding.evidence.push_back("looks like " + finding.name);
  auto holds = [&](const ElfFile& file) { return holds_hooks(finding, kind, file); };
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

}  // namespace

FrameworkFinding detect_framework(const ElfFile& program, std::string_view library_path) {
  FrameworkFinding finding;
  auto gtest_in = [&finding](const ElfFile& file) { return is_gtest(finding, file); };
  if (gtest_in(program)) return finding;
  if (search_libraries(finding, program, library_path, gtest_in)) return finding;
  if (expects_missing_gtest(finding, program)) return finding;
  for (const FrameworkKind* kind : framework_kinds()) {
    if (kind->framework == Framework::gtest) continue;
    if (drives(finding, *kind, program, library_path)) return finding;
  }
  name_other_framework(finding, program);
  return finding;
}

}  // namespace gordian
