// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "report/formats/finding.h"
#include "report/formats/formats.h"
#include "report/formats/markdown_text.h"
#include "report/json.h"
#include "report/terminal_style.h"
#include "report/text.h"

namespace gordian {
namespace {

using nlohmann::json;

/// How many of the last parts of two paths are the same.
std::size_t common_end(const std::string& a, const std::string& b) {
  const std::filesystem::path left(a), right(b);
  const std::vector<std::filesystem::path> l(left.begin(), left.end()),
      r(right.begin(), right.end());
  const auto ends = std::mismatch(l.rbegin(), l.rend(), r.rbegin(), r.rend());
  return static_cast<std::size_t>(ends.first - l.rbegin());
}

/// The share of their tests that two suites have in common; 0 when a report does not name them.
double common_tests(const ComparedSuite& a, const ComparedSuite& b) {
  std::vector<std::string> both;
  std::set_intersection(a.tests.begin(), a.tests.end(), b.tests.begin(), b.tests.end(),
                        std::back_inserter(both));
  const std::size_t all = a.tests.size() + b.tests.size() - both.size();
  return all == 0 ? 0 : static_cast<double>(both.size()) / static_cast<double>(all);
}

/// How sure it is that two suites are those of one binary; 0: they are not.
double likeness(const ComparedSuite& a, const ComparedSuite& b) {
  if (binary_name(a.binary) == binary_name(b.binary)) {
    return 1 + static_cast<double>(common_end(a.binary, b.binary));
  }
  const double share = common_tests(a, b);
  return share > 0.5 ? share : 0;
}

using Pairs = std::map<const ComparedSuite*, const ComparedSuite*>;  // old -> new

/// Pairs of suites, the likeliest first; each stands in one pair only.
Pairs matched(const ComparedReport& before, const ComparedReport& now) {
  std::vector<std::tuple<double, const ComparedSuite*, const ComparedSuite*>> candidates;
  for (const ComparedSuite& old : before.suites) {
    for (const ComparedSuite& fresh : now.suites) {
      const double sure = likeness(old, fresh);
      if (sure > 0) candidates.emplace_back(sure, &old, &fresh);
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return std::get<0>(a) > std::get<0>(b); });
  Pairs pairs;
  std::vector<const ComparedSuite*> taken;
  for (const auto& [sure, old, fresh] : candidates) {
    if (pairs.contains(old) || std::find(taken.begin(), taken.end(), fresh) != taken.end()) {
      continue;
    }
    pairs[old] = fresh;
    taken.push_back(fresh);
  }
  return pairs;
}

bool same_dependence(const ComparedDependence& a, const ComparedDependence& b) {
  if (a.test != b.test || a.role != b.role) return false;
  return a.carriers.empty() || b.carriers.empty() || a.carriers == b.carriers;
}

std::string why_gone(const ComparedDependence& gone, const ComparedSuite& before,
                     const ComparedSuite& now) {
  const bool has_names = !now.tests.empty();
  if (has_names && !std::binary_search(now.tests.begin(), now.tests.end(), gone.test)) {
    return "the test is no longer there";
  }
  if (!now.finished) return "the new search was not finished: it may still be there";
  return now.covered < before.covered ? "the new search tried fewer pairs: it may still be there"
                                      : "";
}

void compare_suites(const ComparedSuite& before, const ComparedSuite& now, Comparison& result) {
  const std::string binary = binary_name(now.binary);
  std::vector<const ComparedDependence*> seen;
  for (const ComparedDependence& old : before.dependences) {
    const auto found = std::find_if(
        now.dependences.begin(), now.dependences.end(), [&](const ComparedDependence& fresh) {
          return same_dependence(old, fresh) &&
                 std::find(seen.begin(), seen.end(), &fresh) == seen.end();
        });
    if (found == now.dependences.end()) {
      result.gone.push_back({binary, &old, nullptr, why_gone(old, before, now)});
      continue;
    }
    seen.push_back(&*found);
    result.remaining.push_back({binary, &old, &*found, ""});
  }
  for (const ComparedDependence& fresh : now.dependences) {
    if (std::find(seen.begin(), seen.end(), &fresh) != seen.end()) continue;
    result.fresh.push_back({binary, nullptr, &fresh, ""});
  }
}

std::vector<std::string> proved_names(const json& dependence) {
  std::vector<std::string> names;
  const json& holder =
      dependence.contains("explanation") ? dependence.at("explanation") : dependence;
  if (!holder.is_object() || !holder.contains("carriers")) return names;
  for (const json& carrier : holder.at("carriers")) {
    if (carrier.at("proved").get<bool>()) names.push_back(carrier.at("name").get<std::string>());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Where the tests stand that a report lists one by one.
void add_tests(const json& suite, ComparedSuite& compared) {
  if (!suite.contains("tests")) return;
  std::map<std::string, const json*> by_name;
  for (const json& test : suite.at("tests")) by_name[test.at("name").get<std::string>()] = &test;
  for (const auto& [name, test] : by_name) compared.tests.push_back(name);
  for (ComparedDependence& dependence : compared.dependences) {
    const auto found = by_name.find(dependence.test);
    if (found == by_name.end() || !found->second->at("file").is_string()) continue;
    dependence.file = found->second->at("file").get<std::string>();
    const json& line = found->second->at("line");
    dependence.line = line.is_number() ? line.get<int>() : 0;
  }
}

ComparedSuite suite_from(const json& suite) {
  ComparedSuite compared;
  compared.binary = suite.at("suite").at("binary").get<std::string>();
  compared.finished = suite.at("end") == "finished" && !suite.at("search").at("out_of_budget") &&
                      suite.at("search").value("unseen_total", 0) == 0;
  const double total = suite.at("search").at("pairs_total").get<double>();
  if (total > 0) compared.covered = suite.at("search").at("pairs_covered").get<double>() / total;
  for (const json& one : suite.at("dependences")) {
    compared.dependences.push_back(
        {one.at("id").get<std::string>(), one.at("test").get<std::string>(),
         one.at("role").get<std::string>(), one.at("by").get<std::vector<std::string>>(),
         proved_names(one), "", 0});
  }
  add_tests(suite, compared);
  return compared;
}

Error no_report(const std::string& name, const std::string& why) {
  return usage_error(fmt::format("{} cannot be compared: {}", name, why),
                     "give a database of Gordian, or what report --json or detect --json wrote");
}

}  // namespace

Result<ComparedReport> compared_report(const json& document, const std::string& name) {
  const std::string kind = document.is_object() ? document.value("kind", "") : "";
  if (kind != "report" && kind != "detect" && kind != "detects") {
    return no_report(name, "it is no report");
  }
  ComparedReport report{name, {}};
  try {
    if (const int version = document.at("version").get<int>(); version != kJsonVersion) {
      return no_report(name, fmt::format("its version is {}, not {}", version, kJsonVersion));
    }
    if (kind == "detect") report.suites.push_back(suite_from(document));
    if (kind == "detect") return report;
    for (const json& suite : document.at(kind == "report" ? "suites" : "detects")) {
      report.suites.push_back(suite_from(suite));
    }
  } catch (const json::exception& error) {
    return no_report(name, error.what());
  }
  return report;
}

Comparison compare_reports(const ComparedReport& before, const ComparedReport& now) {
  Comparison result;
  result.before = before.name;
  result.now = now.name;
  const Pairs pairs = matched(before, now);
  std::vector<const ComparedSuite*> searched;
  for (const ComparedSuite& old : before.suites) {
    const auto found = pairs.find(&old);
    if (found != pairs.end()) {
      compare_suites(old, *found->second, result);
      searched.push_back(found->second);
      continue;
    }
    for (const ComparedDependence& unknown : old.dependences) {
      result.not_searched.push_back({binary_name(old.binary), &unknown, nullptr, ""});
    }
  }
  for (const ComparedSuite& suite : now.suites) {
    if (!suite.finished) result.unfinished.push_back(binary_name(suite.binary));
    if (std::find(searched.begin(), searched.end(), &suite) != searched.end()) continue;
    result.new_binaries.push_back(binary_name(suite.binary));
    compare_suites(ComparedSuite{}, suite, result);
  }
  return result;
}

namespace {

namespace md = markdown;

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
          {"remark", text_or_null(change.remark)}};
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
