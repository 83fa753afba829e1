// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/formats/compare_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/detect_flow.h"
#include "report/formats/github.h"
#include "report/formats/markdown_text.h"
#include "report/run_json.h"
#include "report/text.h"
#include "report/units.h"

namespace gordian {
namespace {

namespace md = markdown;
using nlohmann::json;

constexpr int kLongestName = 120;

std::string shown(std::string_view name) {
  return truncate_middle(sanitize_line(name), kLongestName, "...");
}

/// The dependence as it is now, or as it was.
const ComparedDependence& of(const ComparedChange& change) {
  return change.now != nullptr ? *change.now : *change.before;
}

std::string joined(const std::vector<std::string>& names) {
  std::vector<std::string> list;
  for (const std::string& name : names) list.push_back(shown(name));
  return fmt::format("{}", fmt::join(list, ", "));
}

/// "D3"; "D3, was D1" where the number has changed.
std::string number_text(const ComparedChange& change) {
  const std::string& id = of(change).id;
  const bool other = change.now != nullptr && change.before != nullptr && change.before->id != id;
  return other ? fmt::format("{}, was {}", shown(id), shown(change.before->id)) : shown(id);
}

/// "self-dependent": as people say it.
std::string role_text(const ComparedDependence& dependence) {
  std::string word = shown(dependence.role);
  std::replace(word.begin(), word.end(), '_', '-');
  return word;
}

/// The tests before it; none for one that depends on itself.
std::string before_text(const ComparedDependence& dependence) {
  return dependence.role == "self_dependent" ? std::string() : joined(dependence.by);
}

struct Section {
  std::string_view title;
  const std::vector<ComparedChange>* changes;
  Ink ink;
};

std::vector<Section> sections(const Comparison& comparison) {
  return {{"New", &comparison.fresh, Ink::red},
          {"Gone", &comparison.gone, Ink::green},
          {"Remaining", &comparison.remaining, Ink::yellow},
          {"Not searched again", &comparison.not_searched, Ink::dim}};
}

std::string change_line(const ComparedChange& change, const Style& style) {
  const ComparedDependence& dependence = of(change);
  FlowLine line(2, 6);
  line.name(shown(change.binary)).glue(":").word("").name(shown(dependence.test), Ink::bold);
  line.word("(" + role_text(dependence));
  if (const std::string before = before_text(dependence); !before.empty()) {
    line.word(dependence.role == "brittle" ? "without" : "after").word("").name(before);
  }
  line.glue(")");
  if (!dependence.carriers.empty()) line.word("by").word("").name(joined(dependence.carriers));
  line.word(number_text(change), Ink::dim);
  if (!change.remark.empty()) line.glue(";").sentence(change.remark);
  return line.render(style);
}

std::string warning_text(const Comparison& comparison) {
  std::string out;
  if (!comparison.unfinished.empty()) {
    out += fmt::format("Not finished, so there may be more: {}.\n", joined(comparison.unfinished));
  }
  if (!comparison.new_binaries.empty()) {
    out += fmt::format("Not in the old report: {}.\n", joined(comparison.new_binaries));
  }
  return out;
}

std::string how_many(std::size_t count) {
  return count == 0 ? "none" : thousands(count);
}

json change_to_json(const ComparedChange& change) {
  const ComparedDependence& dependence = of(change);
  return {{"binary", change.binary},
          {"test", dependence.test},
          {"role", dependence.role},
          {"by", dependence.by},
          {"carriers", dependence.carriers},
          {"id", change.now == nullptr ? json() : json(change.now->id)},
          {"old_id", change.before == nullptr ? json() : json(change.before->id)},
          {"remark", change.remark.empty() ? json() : json(change.remark)}};
}

json changes_to_json(const std::vector<ComparedChange>& changes) {
  json list = json::array();
  for (const ComparedChange& change : changes) list.push_back(change_to_json(change));
  return list;
}

}  // namespace

std::string comparison_sentence(const Comparison& comparison) {
  std::string text =
      fmt::format("{}, {} gone, {} remaining",
                  comparison.fresh.empty() ? "No new dependence"
                                           : count_of(comparison.fresh.size(), "new dependence"),
                  how_many(comparison.gone.size()), how_many(comparison.remaining.size()));
  if (!comparison.not_searched.empty()) {
    text += fmt::format(", {} not searched again", thousands(comparison.not_searched.size()));
  }
  return text + ".";
}

std::string comparison_text(const Comparison& comparison, const Style& style) {
  std::string out = fmt::format("{} compared with {}\n\n", sanitize_line(comparison.now),
                                sanitize_line(comparison.before));
  for (const Section& section : sections(comparison)) {
    if (section.changes->empty()) continue;
    out += paint(fmt::format("{}:", section.title), section.ink, style.color) + "\n";
    for (const ComparedChange& change : *section.changes) out += change_line(change, style);
    out += "\n";
  }
  return out + warning_text(comparison) + comparison_sentence(comparison) + "\n";
}

std::string comparison_to_markdown(const Comparison& comparison) {
  std::string out = fmt::format("## {}\n\n", comparison_sentence(comparison));
  bool any = false;
  for (const Section& section : sections(comparison)) {
    for (const ComparedChange& change : *section.changes) {
      if (!any) out += md::head({"", "binary", "test", "role", "after", "carrier", "id", "remark"});
      any = true;
      const ComparedDependence& dependence = of(change);
      out += md::row({std::string(section.title), md::cell_code(shown(change.binary)),
                      md::cell_code(shown(dependence.test)), md::text(role_text(dependence)),
                      md::cell_code(before_text(dependence)),
                      md::cell_code(joined(dependence.carriers)), md::text(number_text(change)),
                      md::text(change.remark)});
    }
  }
  if (any) out += "\n";
  const std::string warnings = warning_text(comparison);
  for (std::string_view line : split_lines(warnings)) {
    out += md::code(line) + "\n\n";
  }
  return out;
}

std::string comparison_to_github(const Comparison& comparison, const SourceRoot& root) {
  std::string out;
  for (const ComparedChange& change : comparison.fresh) {
    const ComparedDependence& dependence = *change.now;
    const auto file = root.relative(dependence.file, change.binary);
    std::string text = fmt::format("{}: {} ({})", shown(change.binary), shown(dependence.test),
                                   role_text(dependence));
    if (!before_text(dependence).empty()) text += "\nafter: " + before_text(dependence);
    if (!dependence.carriers.empty()) text += "\ncarrier: " + joined(dependence.carriers);
    const bool has_line = file && dependence.line > 0;
    out += github_command("error",
                          {{"title", "New dependent test"},
                           {"file", file.value_or("")},
                           {"line", has_line ? std::to_string(dependence.line) : std::string()}},
                          text);
  }
  return out;
}

json comparison_to_json(const Comparison& comparison) {
  return {{"kind", "comparison"},
          {"version", kJsonVersion},
          {"old", comparison.before},
          {"now", comparison.now},
          {"new", changes_to_json(comparison.fresh)},
          {"gone", changes_to_json(comparison.gone)},
          {"remaining", changes_to_json(comparison.remaining)},
          {"not_searched", changes_to_json(comparison.not_searched)},
          {"new_binaries", comparison.new_binaries},
          {"unfinished", comparison.unfinished}};
}

}  // namespace gordian
