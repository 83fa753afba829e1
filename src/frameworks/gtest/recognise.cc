// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "frameworks/gtest/recognise.h"

#include <string>
#include <utility>

#include "frameworks/framework_kind.h"
#include "frameworks/gtest/gtest_version.h"

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

}  // namespace gordian
