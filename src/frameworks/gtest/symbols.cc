// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frameworks/framework_symbols.h"
#include "frameworks/frameworks.h"
#include "symbols/elf_file.h"
#include "symbols/framework_detection.h"
#include "symbols/process_memory.h"
#include "wire/hooks.h"

namespace gordian {
namespace {

using namespace std::string_view_literals;

// The vtable of a class in a stripped program is found by what a compiler must leave in memory: the
// typeinfo name string, the typeinfo object that points to it, the vtable that points to that. All
// of it in a running process, after the loader has relocated it.

struct Vtable {
  TargetAddr first_function;  ///< what an object's vptr holds
  unsigned functions = 0;     ///< entries that point into code, counted from the first
};

constexpr unsigned kMostFunctions = 64;

/// The readable parts of one module, copied once.
struct Image {
  TargetAddr base;
  std::string bytes;
};

std::vector<Image> copy_module(pid_t pid, const std::vector<Mapping>& mappings,
                               std::string_view path) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;
  std::vector<Image> images;
  for (const Mapping& m : mappings) {
    std::uint64_t size = m.end.value() - m.begin.value();
    if (m.path != path || !m.readable || m.executable || size > kLargest) continue;
    if (auto bytes = read_memory(pid, m.begin, size)) images.push_back({m.begin, *bytes});
  }
  return images;
}

/// The class name with its terminator on both sides, so that no longer name is taken for it.
std::optional<TargetAddr> find_name(const std::vector<Image>& images, std::string_view name) {
  std::string whole(name);
  whole.push_back('\0');
  for (const Image& image : images) {
    for (auto at = image.bytes.find(whole); at != std::string::npos;
         at = image.bytes.find(whole, at + 1)) {
      if (at == 0 || image.bytes[at - 1] == '\0') return TargetAddr{image.base.value() + at};
    }
  }
  return std::nullopt;
}

std::uint64_t word_at(const Image& image, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, image.bytes.data() + at, sizeof word);
  return word;
}

/// Every aligned place that holds `value`.
std::vector<TargetAddr> find_words(const std::vector<Image>& images, TargetAddr value) {
  std::vector<TargetAddr> places;
  for (const Image& image : images) {
    for (std::size_t at = 0; at + 8 <= image.bytes.size(); at += 8) {
      if (word_at(image, at) == value.value())
        places.push_back(TargetAddr{image.base.value() + at});
    }
  }
  return places;
}

bool is_code(const std::vector<Mapping>& mappings, std::uint64_t address) {
  return std::any_of(mappings.begin(), mappings.end(), [address](const Mapping& m) {
    return m.executable && address >= m.begin.value() && address < m.end.value();
  });
}

/// How many entries from `first_function` on point into code; at most `limit`.
unsigned count_functions(pid_t pid, const std::vector<Mapping>& mappings, TargetAddr first_function,
                         unsigned limit) {
  unsigned count = 0;
  while (count < limit) {
    auto bytes = read_memory(pid, TargetAddr{first_function.value() + 8 * count}, 8);
    if (!bytes) break;
    std::uint64_t word = 0;
    std::memcpy(&word, bytes->data(), sizeof word);
    if (!is_code(mappings, word)) break;
    ++count;
  }
  return count;
}

/// A vtable is: offset to top (0 for a primary one), typeinfo, functions.
std::optional<Vtable> vtable_of(pid_t pid, const std::vector<Mapping>& mappings,
                                const std::vector<Image>& images, TargetAddr typeinfo) {
  for (TargetAddr place : find_words(images, typeinfo)) {
    auto offset_to_top = read_memory(pid, TargetAddr{place.value() - 8}, 8);
    if (!offset_to_top || *offset_to_top != std::string(8, '\0')) continue;
    TargetAddr first{place.value() + 8};
    unsigned functions = count_functions(pid, mappings, first, kMostFunctions);
    if (functions > 0) return Vtable{first, functions};
  }
  return std::nullopt;
}

/// `mangled_type` without prefix: "N7testing9TestSuiteE". Searches the mappings of one module.
std::optional<Vtable> scan_for_vtable(pid_t pid, const std::vector<Mapping>& mappings,
                                      std::string_view module_path, std::string_view mangled_type) {
  std::vector<Image> images = copy_module(pid, mappings, module_path);
  auto name = find_name(images, mangled_type);
  if (!name) return std::nullopt;
  for (TargetAddr place : find_words(images, *name)) {
    // typeinfo: its own vptr, then the name
    if (auto found = vtable_of(pid, mappings, images, TargetAddr{place.value() - 8})) return found;
  }
  return std::nullopt;
}

namespace wire = gordian_wire;

/// Which GoogleTest is compiled into a file? The library carries no version number, but its help
/// text, messages and a few private functions changed from release to release. Each such change is
/// a mark; what is found and what is missing narrow the range. Works on stripped files; the marks
/// were taken from the releases 1.7 to 1.18 and checked against builds of all of them.
struct GtestVersion {
  std::string text;  ///< "1.12", "1.13-1.14", "1.18 or newer", "1.7 or older"; empty: no idea
  std::vector<std::string> evidence;  ///< one line for each mark that narrowed the range
};

/// Releases in order; marks speak of them by index. 1.9 was never released.
constexpr std::array kReleases = {"1.7"sv,  "1.8.0"sv, "1.8.1"sv, "1.10"sv, "1.11"sv, "1.12"sv,
                                  "1.13"sv, "1.14"sv,  "1.15"sv,  "1.16"sv, "1.17"sv, "1.18"sv};
constexpr int kLast = static_cast<int>(kReleases.size()) - 1;

constexpr int release(std::string_view name) {
  for (int i = 0; i <= kLast; ++i) {
    if (kReleases[static_cast<std::size_t>(i)] == name) return i;
  }
  return -1;
}

enum class Where { bytes, symbol };
/// Does a missing mark say something? Only if no compiler option can remove it.
enum class Absence { silent, speaks };

/// Something found in the releases first..last and in no other.
struct Mark {
  int first, last;
  Where where;
  Absence absence;
  std::string_view what;
};

constexpr std::array kMarks = {
    Mark{0, 0, Where::bytes, Absence::silent, "http://code.google.com/p/googletest/@D"sv},
    Mark{release("1.8.0"), kLast, Where::bytes, Absence::speaks,
         "https://github.com/google/googletest/@D"sv},
    Mark{release("1.8.1"), kLast, Where::bytes, Absence::speaks,
         "Generate a JSON or XML report in the given directory"sv},
    Mark{release("1.10"), kLast, Where::bytes, Absence::speaks,
         "All tests in the same test suite must use the same test fixture"sv},
    Mark{0, release("1.8.1"), Where::bytes, Absence::silent,
         "All tests in the same test case must use the same test fixture"sv},
    Mark{release("1.11"), kLast, Where::bytes, Absence::speaks,
         "--gtest_filter=@YPOSITIVE_PATTERNS["sv},
    Mark{release("1.12"), kLast, Where::bytes, Absence::speaks,
         "--gtest_recreate_environments_when_repeating@D"sv},
    // Colour terminals became known one by one; the list is always compiled in.
    Mark{release("1.13"), kLast, Where::bytes, Absence::speaks, "xterm-kitty\0"sv},
    Mark{release("1.11"), release("1.12"), Where::bytes, Absence::silent,
         "/blob/master/docs/advanced.md#death-tests-and-threads"sv},
    Mark{release("1.14"), kLast, Where::bytes, Absence::silent,
         "base == nullptr || dynamic_cast<Derived*>(base) != nullptr"sv},
    Mark{0, release("1.13"), Where::bytes, Absence::silent, "typeid(*base) == typeid(Derived)"sv},
    Mark{release("1.15"), kLast, Where::bytes, Absence::speaks, "alacritty\0"sv},
    // 1.16 changed functions, and no text but the indent of an XML tag.
    Mark{release("1.16"), kLast, Where::symbol, Absence::silent,
         "_ZN7testing8internal24XmlUnitTestResultPrinter30OutputXmlTestCaseForTestResult"sv},
    Mark{0, release("1.15"), Where::symbol, Absence::silent,
         "_ZN7testing8internal24XmlUnitTestResultPrinter29TestPropertiesAsXmlAttributes"sv},
    Mark{release("1.12"), release("1.15"), Where::bytes, Absence::silent, "\0      </\0"sv},
    Mark{release("1.17"), kLast, Where::bytes, Absence::speaks, "fail_if_no_test_linked"sv},
    Mark{release("1.18"), kLast, Where::bytes, Absence::speaks, "fail_if_no_test_selected"sv},
};

std::string printable(std::string_view text) {
  std::string out(text);
  std::erase(out, '\0');
  return out;
}

std::string range_text(int low, int high) {
  const auto name = [](int i) { return std::string(kReleases[static_cast<std::size_t>(i)]); };
  if (low > high) std::swap(low, high);  // marks that disagree: a development version in between
  if (low == 0 && high == kLast) return "";
  if (high == kLast) return name(low) + " or newer";
  if (low == 0) return name(high) + " or older";
  return low == high ? name(low) : name(low) + "-" + name(high);
}

/// REQUIRES: GoogleTest is in `file`; otherwise the answer means nothing.
GtestVersion gtest_version(const ElfFile& file) {
  int low = 0, high = kLast;
  GtestVersion version;
  for (const Mark& mark : kMarks) {
    const bool found = mark.where == Where::bytes ? file.contains_bytes(mark.what)
                                                  : file.mentions_symbol(mark.what);
    const int old_low = low, old_high = high;
    if (found) {
      low = std::max(low, mark.first);
      high = std::min(high, mark.last);
    } else if (mark.absence == Absence::speaks) {
      high = std::min(high, mark.first - 1);
    }
    if (low == old_low && high == old_high) continue;
    version.evidence.push_back((found ? "has \"" : "lacks \"") + printable(mark.what) + "\" (" +
                               range_text(mark.first, mark.last) + ")");
  }
  version.text = range_text(low, high);
  return version;
}

constexpr std::string_view kEventRepeater = "testing::internal::TestEventRepeater";

std::string help_text_piece() {
  std::string piece = "--gtest_also_run";
  return piece.append("_disabled_tests@D");
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
  return {file.find(vtable_symbol(kEventRepeater)), has_class_name(file, kEventRepeater),
          file.contains_bytes(help_text_piece())};
}

void add_evidence(FrameworkFinding& finding, const GtestPresence& gtest, const ElfFile& file) {
  auto& lines = finding.evidence;
  if (gtest.vtable) {
    lines.push_back("symbol " + vtable_symbol(kEventRepeater) + " (" +
                    std::to_string(finding.event_slots) + " slots)");
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

/// In one file, whichever of its three signs is left: a symbol, a class name, its help text.
bool recognise_gtest(const ElfFile& file, FrameworkFinding& finding) {
  const GtestPresence gtest = look_for_gtest(file);
  if (gtest.any()) describe_gtest(finding, gtest, file);
  return gtest.any();
}

constexpr std::string_view kRepeater = "N7testing8internal17TestEventRepeaterE";
constexpr std::array<std::string_view, 2> kSuiteTypes = {"N7testing9TestSuiteE",
                                                         "N7testing8TestCaseE"};

// Before 1.10 suites are called test cases.
constexpr std::array kHooks = {
    HookSymbol{"_ZTVN7testing8internal17TestEventRepeaterE", wire::kRepeaterVtable,
               wire::kRepeaterSlots},
    HookSymbol{"_ZTVN7testing9TestSuiteE", wire::kSuiteVtable},
    HookSymbol{"_ZTVN7testing8TestCaseE", wire::kSuiteVtable},
    HookSymbol{.name = "_ZN7testing9TestSuite11ClearResultEv",
               .entry = wire::kClearResult,
               .optional = true},
    HookSymbol{.name = "_ZN7testing8TestCase11ClearResultEv",
               .entry = wire::kClearResult,
               .optional = true},
    HookSymbol{.name = "_ZNK7testing10TestResult6FailedEv",
               .entry = wire::kResultFailed,
               .optional = true},
};

/// A stripped module that holds the framework: its vtables are still in memory.
bool from_memory(pid_t pid, const LoadedModule& module, const ElfFile& elf, wire::Hooks& hooks) {
  if (!elf.contains_bytes(kRepeater)) return false;
  auto mappings = read_mappings(pid);
  auto repeater = scan_for_vtable(pid, mappings, module.path, kRepeater);
  if (!repeater) return false;
  hooks.entry[wire::kRepeaterVtable] = repeater->first_function.value() - module.base;
  hooks.number[wire::kRepeaterSlots] = repeater->functions;
  for (std::string_view type : kSuiteTypes) {
    if (auto suite = scan_for_vtable(pid, mappings, module.path, type)) {
      hooks.entry[wire::kSuiteVtable] = suite->first_function.value() - module.base;
      break;
    }
  }
  return are_complete(hooks, gtest_symbols());
}

std::string version(const ElfFile& file) {
  return gtest_version(file).text;
}

}  // namespace

const FrameworkSymbols& gtest_symbols() {
  static const FrameworkSymbols kSymbols = {.framework = Framework::gtest,
                                            .library = "libgtest",
                                            .symbol_prefix = "_ZN7testing8UnitTest3RunEv",
                                            .class_name = "testing::internal::TestEventRepeater",
                                            .hooks = kHooks,
                                            .from_memory = from_memory,
                                            .recognise = recognise_gtest,
                                            .main_function = "testing::UnitTest::Run",
                                            .version = version};
  return kSymbols;
}

}  // namespace gordian
