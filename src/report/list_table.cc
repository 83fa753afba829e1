// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/run_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/outcome_text.h"
#include "report/text.h"

namespace gordian {
namespace {

constexpr int kIndent = 2;
constexpr int kGap = 2;
constexpr int kMinName = 20;
constexpr int kMaxRemark = 24;      // on a terminal; parameters can be whole documents
constexpr int kMaxPipeColumn = 60;  // one giant name must not push all places to the right

std::string header_line(const Target& target, const Suite& suite, const Style& style) {
  const auto& tests = suite.tests();
  auto disabled =
      std::count_if(tests.begin(), tests.end(), [](const Test& t) { return t.disabled; });
  std::string facts(to_string(suite.framework()));
  if (!suite.framework_version().empty()) facts += " " + sanitize_line(suite.framework_version());
  facts += ", " + count_of(tests.size(), "test");
  if (disabled > 0)
    facts += fmt::format(", {} disabled", thousands(static_cast<std::uint64_t>(disabled)));
  if (!target.origin.empty()) facts += ", ctest test " + sanitize_line(target.origin);
  StyledLine line;
  line.add(sanitize_line(target.binary.string()), Ink::bold).add(": " + facts);
  return line.render(style) + "\n";
}

/// What the name does not tell: the parameter, and why a test would not run.
std::string remark(const Test& test, const Style& style) {
  std::string text;
  if (!test.type_param.empty()) text += "  <" + sanitize_line(test.type_param) + ">";
  if (!test.value_param.empty()) text += "  = " + sanitize_line(test.value_param);
  if (!test.tags.empty()) text += "  " + sanitize_line(test.tags);
  if (test.disabled) {
    text += "  (disabled)";
  } else if (!test.will_run) {
    text += "  (not run by default)";
  }
  return style.width > 0 ? truncate_end(text, kMaxRemark, style.ellipsis()) : text;
}

/// As wide as the widest name, but on a terminal only as wide as leaves room for what follows.
int name_column(const Suite& suite, const Style& style) {
  int widest_name = 0;
  int widest_rest = 0;
  for (const Test& test : suite.tests()) {
    widest_name = std::max(widest_name, display_width(printable_name(test)));
    int rest = display_width(location_text(test.file, test.line) + remark(test, style));
    widest_rest = std::max(widest_rest, rest);
  }
  if (style.width == 0) return std::min(widest_name, kMaxPipeColumn);
  int room = style.width - kIndent - kGap - widest_rest;
  return std::min(widest_name, std::max(room, kMinName));
}

std::string test_line(const Test& test, int column, const Style& style) {
  std::string name = printable_name(test);
  if (style.width > 0) name = truncate_middle(name, column, style.ellipsis());
  StyledLine line;
  line.add(std::string(kIndent, ' ')).add(name, test.will_run ? Ink::plain : Ink::dim);
  std::string place = location_text(test.file, test.line);
  std::string extra = remark(test, style);
  if (!place.empty() || !extra.empty()) {
    int padding = std::max(column - display_width(name), 0) + (place.empty() ? 0 : kGap);
    line.add(std::string(static_cast<std::size_t>(padding), ' ')).add(place, Ink::cyan);
  }
  line.add(extra, Ink::dim);
  return line.render(style) + "\n";
}

}  // namespace

std::string list_table(const Target& target, const Suite& suite, const Style& style) {
  std::string out = header_line(target, suite, style);
  int column = name_column(suite, style);
  for (const Test& test : suite.tests()) out += test_line(test, column, style);
  return out;
}

}  // namespace gordian
