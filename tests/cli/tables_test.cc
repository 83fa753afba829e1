// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the command line offers is what the tables have: algorithms, isolations, formats, settings.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/command_facts.h"
#include "cli/help_text.h"
#include "config/settings.h"
#include "detect/algorithms.h"
#include "model/isolation.h"
#include "report/formats/formats.h"
#include "report/text.h"
#include "store/words.h"

namespace gordian {
namespace {

class Tables : public ::testing::Test {
 protected:
  CommandFacts facts(const std::string& command) const {
    return command_facts(*find_command(*program_.parser, command));
  }

  CommonOptions common_;
  Program program_ = make_program(common_);
};

TEST_F(Tables, EveryAlgorithmCanBeAskedForAndItsOptionsNameIt) {
  const CommandFacts detect = facts("detect");
  EXPECT_EQ(detect.option("algorithm")->choices, algorithm_words());
  const std::string page = find_topic("algorithms")->text();
  for (const AlgorithmTraits& traits : algorithms()) {
    EXPECT_NE(page.find("  " + std::string(traits.word) + "  "), std::string::npos) << traits.word;
    for (const std::string& word : words_of(traits.options)) {
      const auto option =
          std::find_if(detect.options.begin(), detect.options.end(),
                       [&](const auto& o) { return o.name == word || o.short_name == word; });
      ASSERT_NE(option, detect.options.end()) << traits.word << " " << word;
      EXPECT_NE(option->help.find(traits.word), std::string::npos) << traits.word << " " << word;
    }
  }
}

TEST_F(Tables, EveryIsolationCanBeAskedFor) {
  const CommandFacts run = facts("run");
  EXPECT_EQ(run.option("isolate")->choices, isolation_words(true));
  EXPECT_EQ(facts("detect").option("isolate")->choices, isolation_words(false));
  const std::string page = find_topic("isolation")->text();
  for (const IsolationTraits& traits : kIsolations) {
    EXPECT_EQ(parse_isolation(traits.word), traits.isolation);
    EXPECT_NE(run.option("isolate")->help.find(traits.word), std::string::npos) << traits.word;
    EXPECT_NE(page.find("--isolate " + std::string(traits.word)), std::string::npos);
  }
}

/// A database of an older version holds these.
TEST(StoredWords, OfTablesNeverChange) {
  for (const char* word : {"none", "fork", "process", "snapshot", "auto"}) {
    EXPECT_TRUE(parse_stored_word<Isolation>(word)) << word;
  }
  for (const char* word :
       {"default order", "known dependences", "given orders", "isolation", "reversal", "self",
        "random", "exhaustive", "aware", "pairs", "screen", "dataflow", "dataflow backwards"}) {
    EXPECT_TRUE(parse_stored_word<PhaseKind>(word)) << word;
  }
}

TEST_F(Tables, EveryFormatIsAnOptionOfReportAndDetect) {
  for (const char* command : {"report", "detect"}) {
    const CommandFacts facts = this->facts(command);
    for (const ReportFormat& format : report_formats()) {
      const OptionFacts* option = facts.option(format.word);
      ASSERT_NE(option, nullptr) << command << " --" << format.word;
      EXPECT_EQ(option->help, format.help);
      EXPECT_EQ(option->group, "Output");
    }
  }
}

TEST_F(Tables, EverySettingIsOfTheKindOfItsOption) {
  for (const Setting& setting : settings()) {
    for (const CommandFacts& command : all_command_facts(*program_.parser)) {
      const OptionFacts* option = command.option(setting.key);
      if (option == nullptr || !is_for(setting, command.name)) continue;
      const bool list = setting.kind == SettingKind::paths || setting.kind == SettingKind::words;
      EXPECT_EQ(option->kind == ValueKind::none, setting.kind == SettingKind::flag)
          << command.name << " --" << setting.key;
      EXPECT_EQ(option->repeated, list) << command.name << " --" << setting.key;
      EXPECT_EQ(option->value_name == "N", setting.kind == SettingKind::number)
          << command.name << " --" << setting.key;
    }
  }
}

/// | time | `budget`, `slow`, ... | written as |
TEST_F(Tables, SettingsAreThoseOfTheDocumentation) {
  const auto file = std::filesystem::path(GORDIAN_ZOO_SOURCES).parent_path() / "docs/config.md";
  const auto text = read_regular(file);
  ASSERT_TRUE(text) << file;
  std::map<std::string, std::set<std::string>> told, known;
  bool inside = false;
  for (std::string_view line : split_lines(*text)) {
    if (line.starts_with("## ")) inside = line == "## Keys";
    if (!inside || !line.starts_with("| ") || line.starts_with("| kind")) continue;
    const std::size_t first = line.find(" | "), second = line.find(" | ", first + 3);
    std::set<std::string>& keys = told[std::string(line.substr(2, first - 2))];
    std::string_view rest = line.substr(first, second - first);
    for (std::size_t at; (at = rest.find('`')) != std::string_view::npos;) {
      const std::size_t end = rest.find('`', at + 1);
      keys.emplace(rest.substr(at + 1, end - at - 1));
      rest.remove_prefix(end + 1);
    }
  }
  for (const Setting& setting : settings()) {
    known[std::string(to_string(setting.kind))].emplace(setting.key);
  }
  EXPECT_EQ(told, known);
}

TEST(Words, AreListedAsASentenceDoes) {
  EXPECT_EQ(alternatives({}), "");
  EXPECT_EQ(alternatives({"a"}), "a");
  EXPECT_EQ(alternatives({"a", "b"}), "a or b");
  EXPECT_EQ(alternatives({"a", "b", "c"}), "a, b or c");
  EXPECT_EQ(words_of(" a  bc "), (std::vector<std::string>{"a", "bc"}));
  EXPECT_TRUE(has_word("ab c", "ab"));
  EXPECT_FALSE(has_word("ab c", "a"));
}

}  // namespace
}  // namespace gordian
