// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/site_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/detect_flow.h"
#include "report/stack_fold.h"
#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

constexpr int kNeighbours = 2;  // lines of source on either side

struct Columns {
  int indent, label;
  int text() const { return indent + label; }
};

/// Tabs would shift what stands behind them.
std::string without_tabs(const std::string& line) {
  std::string out;
  for (char c : line) out += c == '\t' ? std::string("    ") : std::string(1, c);
  return sanitize_line(out);
}

std::string excerpt_text(const StackFrame& frame, const SourceReader& source, const Style& style,
                         int indent) {
  const std::vector<std::string>& lines = source(frame.file);
  const int count = static_cast<int>(lines.size());
  if (frame.line < 1 || frame.line > count) return {};
  const int first = std::max(frame.line - kNeighbours, 1);
  const int last = std::min(frame.line + kNeighbours, count);
  const int digits = static_cast<int>(std::to_string(last).size());
  std::string out;
  for (int n = first; n <= last; ++n) {
    const bool here = n == frame.line;
    StyledLine line;
    line.add(std::string(static_cast<std::size_t>(indent), ' ')).add(here ? "> " : "  ", Ink::bold);
    line.add(fmt::format("{:>{}} | ", n, digits), Ink::dim);
    line.add(without_tabs(lines[static_cast<std::size_t>(n - 1)]), here ? Ink::bold : Ink::plain);
    std::string text = line.render(style, style.width > 0 ? std::max(style.width - 1, 1) : 0);
    while (text.ends_with(' ')) text.pop_back();
    out += text + "\n";
  }
  return out;
}

/// Which of several accesses this is.
std::string times_text(const Site& site, bool write) {
  std::string by = sanitize_line(site.test);
  if (site.times <= 1 && !site.times_capped) return by.empty() ? "" : "by " + by;
  std::string which = fmt::format("{} of {}{}", write ? "the last" : "the first",
                                  site.times_capped ? "at least " : "",
                                  count_of(site.times, write ? "write" : "read"));
  if (write && site.times_capped) which += ", there may be later ones";
  return by.empty() ? which : which + " by " + by;
}

std::string callers_text(const Site& site, const Style& style, int indent) {
  std::string out;
  for (const StackLine& caller : callers(site)) {
    FlowLine line(indent, indent + 4);
    line.glue("called from ", Ink::dim);
    if (caller.frame == nullptr) {
      line.continued(folded_text(caller), Ink::dim);
    } else {
      line.name(frame_text(*caller.frame));
    }
    out += line.render(style);
  }
  return out;
}

std::string through_text(const Site& site, const Style& style, int indent) {
  const StackLine inner = inner_frames(site);
  if (inner.folded == 0) return {};
  FlowLine line(indent, indent + 4);
  line.glue("through ", Ink::dim).name(short_function(*inner.frame));
  std::string more = inner.library.empty() ? "" : sanitize_line(inner.library);
  if (inner.folded > 1) more += fmt::format("{}{} frames", more.empty() ? "" : ", ", inner.folded);
  if (!more.empty()) line.word("(" + more + ")", Ink::dim);
  return line.render(style);
}

std::string site_text(std::string_view label, const Site& site, bool write,
                      const SourceReader& source, const Style& style, Columns columns) {
  FlowLine line(columns.indent, columns.text());
  line.glue(fmt::format("{:<{}}", label, columns.label), Ink::dim);
  StackFrame shown;
  if (site.shown < site.stack.size()) shown = site.stack[site.shown];
  line.name(site.stack.empty() ? "at an unknown place" : frame_text(shown), Ink::cyan);
  const std::string times = times_text(site, write);
  if (!times.empty()) line.word("", Ink::plain, "  ").continued(times, Ink::dim);
  return line.render(style) + excerpt_text(shown, source, style, columns.text()) +
         through_text(site, style, columns.text()) + callers_text(site, style, columns.text());
}

}  // namespace

std::string written_text(const Site& site, const SourceReader& source, const Style& style,
                         int indent, int label) {
  return site_text("written", site, true, source, style, {indent, label});
}

std::string read_text(const Site& site, const SourceReader& source, const Style& style, int indent,
                      int label) {
  return site_text("read", site, false, source, style, {indent, label});
}

}  // namespace gordian
