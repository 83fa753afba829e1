// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "frameworks/gtest/recognise.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "frameworks/framework_symbols.h"

namespace gordian {
namespace {

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

}  // namespace

bool recognise_gtest(const ElfFile& file, FrameworkFinding& finding) {
  const GtestPresence gtest = look_for_gtest(file);
  if (gtest.any()) describe_gtest(finding, gtest, file);
  return gtest.any();
}

namespace {

using namespace std::string_view_literals;

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

}  // namespace

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

}  // namespace gordian
