// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/shard_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/text.h"

namespace gordian {
namespace {

/// What is appended to the properties of one test.
struct Added {
  std::vector<std::string> depends, setup, required, locks;
};

/// What it was, with what is new.
std::string list_value(std::vector<std::string> before, const std::vector<std::string>& added) {
  for (const std::string& one : added) {
    if (std::find(before.begin(), before.end(), one) == before.end()) before.push_back(one);
  }
  std::string text;
  for (const std::string& one : before) text += (text.empty() ? "" : ";") + list_element(one);
  return bracket_argument(text);
}

std::string fixture(const RunnerRules::Needs& needs) {
  return fmt::format("gordian.{}", to_string(needs.dependence));
}

std::map<std::string, Added> additions(const CtestExport& facts) {
  std::map<std::string, Added> added;
  auto added_to = [&](TestId test) -> Added& { return added[facts.names[test.value()]]; };
  for (const RunnerRules::After& after : facts.rules.after) {
    added_to(after.second).depends.push_back(facts.names[after.first.value()]);
  }
  for (const RunnerRules::Needs& needs : facts.rules.needs) {
    added_to(needs.test).required.push_back(fixture(needs));
    for (TestId setter : needs.setters) added_to(setter).setup.push_back(fixture(needs));
  }
  for (const RunnerRules::Lock& lock : facts.rules.locks) {
    for (TestId test : lock.tests) added_to(test).locks.push_back("gordian:" + lock.state);
  }
  return added;
}

std::string properties(const std::string& name, const Added& added, const CtestEntry& before) {
  std::string text;
  auto add = [&](const char* property, const std::vector<std::string>& had,
                 const std::vector<std::string>& more) {
    if (!more.empty()) text += fmt::format("\n  {} {}", property, list_value(had, more));
  };
  add("DEPENDS", before.depends, added.depends);
  add("FIXTURES_SETUP", before.fixtures_setup, added.setup);
  add("FIXTURES_REQUIRED", before.fixtures_required, added.required);
  add("RESOURCE_LOCK", before.resource_lock, added.locks);
  return fmt::format("set_tests_properties({} PROPERTIES{})\n", bracket_argument(name), text);
}

std::string comment(const std::string& text) {
  return "# " + sanitize_line(text) + "\n";
}

std::string exported_name(const CtestExport& facts, TestId test) {
  return facts.names[test.value()];
}

std::string reasons(const CtestExport& facts) {
  std::string text;
  for (const RunnerRules::After& after : facts.rules.after) {
    text +=
        comment(fmt::format("{}: {} runs before {}", to_string(after.dependence),
                            exported_name(facts, after.first), exported_name(facts, after.second)));
  }
  for (const RunnerRules::Needs& needs : facts.rules.needs) {
    std::string setters;
    for (TestId setter : needs.setters) {
      setters += (setters.empty() ? "" : ", ") + exported_name(facts, setter);
    }
    text += comment(fmt::format("{}: {} needs {} before it, also with ctest -R",
                                to_string(needs.dependence), exported_name(facts, needs.test),
                                setters));
  }
  for (const RunnerRules::Lock& lock : facts.rules.locks) {
    text += comment(fmt::format("{} is used by {}: one at a time", lock.state,
                                count_of(lock.tests.size(), "test")));
  }
  for (const RunnerRules::Unmet& unmet : facts.rules.unmet) {
    text += comment(fmt::format("not safe, {}: {}: {}", to_string(unmet.dependence),
                                exported_name(facts, unmet.test), unmet.why));
  }
  return text;
}

std::string export_label(std::string_view word, Ink ink, const Style& style) {
  return paint(fmt::format("{:>10}", word), ink, style.color) + "  ";
}

std::string export_notices(const std::vector<Notice>& notices, const Style& style) {
  std::string text;
  for (const Notice& notice : notices) {
    const bool warning = notice.level == Notice::Level::warning;
    text += export_label(warning ? "Warning" : "Note", warning ? Ink::yellow : Ink::cyan, style) +
            sanitize_line(notice.text) + "\n";
  }
  return text;
}

/// As a string of Starlark.
std::string starlark(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

std::string counts_text(const BazelTarget& target) {
  return fmt::format("{}", fmt::join(target.safe_counts, ", "));
}

/// "1 to 4, 6, 8 to 50": for people.
std::string ranges_text(const std::vector<std::size_t>& counts) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < counts.size(); first = ++last) {
    while (last + 1 < counts.size() && counts[last + 1] == counts[last] + 1) ++last;
    if (first > 0) text += ", ";
    text += std::to_string(counts[first]);
    if (last > first) text += fmt::format("{} {}", last == first + 1 ? "," : " to", counts[last]);
  }
  return text;
}

}  // namespace

std::string ctest_script(const CtestExport& facts) {
  std::string text = "# Written by gordian export --ctest for " + sanitize_line(facts.binary.path) +
                     "\n# Include it behind the tests: see docs/shard.md of Gordian.\n#\n" +
                     reasons(facts) + "if(NOT DEFINED ENV{GORDIAN_WITHOUT_EXPORT})\n";
  const CtestEntry nothing;
  for (const auto& [name, added] : additions(facts)) {
    auto before = facts.before.find(name);
    text += properties(name, added, before == facts.before.end() ? nothing : before->second);
  }
  return text + "endif()\n";
}

std::string bazel_script(const std::vector<BazelTarget>& targets) {
  std::string text =
      "\"\"\"Written by gordian export --bazel: see docs/shard.md of Gordian.\"\"\"\n\n"
      "# Numbers of shards with which every test is known to keep its expected result, as far as\n"
      "# searches have told. GoogleTest gives test i to shard i modulo the number of shards.\n"
      "SAFE_SHARD_COUNTS = {\n";
  for (const BazelTarget& target : targets) {
    if (!target.searched) text += "    # never searched: " + sanitize_line(target.name) + "\n";
    if (!target.searched || target.any_count) continue;
    text += fmt::format("    {}: [{}],\n", starlark(target.name), counts_text(target));
  }
  text += "}\n\nTAGS = {\n";
  for (const BazelTarget& target : targets) {
    if (!target.order_dependent) continue;
    text += fmt::format("    {}: [\"order-dependent\"{}],\n", starlark(target.name),
                        target.shares_files ? ", \"exclusive\"" : "");
  }
  return text +
         "}\n\ndef safe_shard_count(name, wanted):\n"
         "    \"\"\"The greatest number of shards up to the wanted one that is safe.\"\"\"\n"
         "    safe = [n for n in SAFE_SHARD_COUNTS.get(name, [wanted]) if n <= wanted]\n"
         "    return max(safe) if safe else 1\n\n"
         "def known_tags(name):\n"
         "    return TAGS.get(name, [])\n";
}

std::string ctest_export_text(const CtestExport& facts, const std::string& file,
                              const Style& style) {
  const RunnerRules& rules = facts.rules;
  std::string text = export_label("Rules", Ink::bold, style) +
                     fmt::format("{} by DEPENDS, {} by FIXTURES, {} by RESOURCE_LOCK\n",
                                 rules.after.size(), rules.needs.size(), rules.locks.size());
  for (const RunnerRules::Unmet& unmet : rules.unmet) {
    text += export_label("Not safe", Ink::yellow, style) +
            sanitize_line(fmt::format("{} ({}): {}", exported_name(facts, unmet.test),
                                      to_string(unmet.dependence), unmet.why)) +
            "\n";
  }
  for (const std::string& miss : facts.misses) {
    text += export_label("Unseen", Ink::yellow, style) + sanitize_line(miss) + "\n";
  }
  text += export_notices(facts.notices, style);
  return file == "-"
             ? text
             : text + export_label("Written", Ink::green, style) + sanitize_line(file) + "\n";
}

std::string bazel_export_text(const std::vector<BazelTarget>& targets, const std::string& file,
                              const Style& style) {
  std::string text;
  for (const BazelTarget& target : targets) {
    const std::string counts = !target.searched   ? "not known: it was never searched"
                               : target.any_count ? "any number of shards"
                                                  : "shards: " + ranges_text(target.safe_counts);
    text += export_label("Safe", Ink::bold, style) + sanitize_line(target.name) + "  " + counts +
            "\n" + export_notices(target.notices, style);
  }
  return file == "-"
             ? text
             : text + export_label("Written", Ink::green, style) + sanitize_line(file) + "\n";
}

}  // namespace gordian
