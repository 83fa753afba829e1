// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What every command must have, also one that is new: help, examples that parse, groups; and what
// is made of it: completion and the man page.
#include "cli/help_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/command.h"
#include "cli/command_facts.h"
#include "config/settings.h"
#include "report/text.h"

namespace gordian {
namespace {

class Help : public ::testing::Test {
 protected:
  CommonOptions common_;
  Program program_ = make_program(common_);
  std::vector<CommandFacts> commands_ = all_command_facts(*program_.parser);
};

/// Words of a command as a shell would take them: '...' keeps blanks, > ends them.
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (char c : line) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == '>' && !quoted) {
      break;
    } else if (c == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  std::erase(words, "");
  return words;
}

TEST_F(Help, EveryCommandHasExamplesThatParse) {
  for (const CommandFacts& command : commands_) {
    const auto examples = examples_of(command.name);
    EXPECT_GE(std::count_if(examples.begin(), examples.end(),
                            [](const Example& e) { return !e.command.empty(); }),
              2)
        << command.name << " needs examples in cli/help_text.cc";
    for (const Example& example : examples) {
      if (example.command.empty()) continue;
      CommonOptions common;
      Program program = make_program(common);
      std::string said;
      Status parsed = parse_words(program, shell_words(example.command), said);
      EXPECT_TRUE(parsed) << example.command << ": " << parsed.error().message;
      EXPECT_EQ(said, "") << example.command;
    }
  }
}

TEST_F(Help, TellsOfEveryOption) {
  for (const CommandFacts& command : commands_) {
    const std::string help = command_help(*find_command(*program_.parser, command.name));
    for (const OptionFacts& option : command.options) {
      EXPECT_NE(help.find(option.words()), std::string::npos) << command.name << " " << option.name;
      EXPECT_FALSE(option.help.empty()) << command.name << " " << option.name;
    }
  }
}

TEST_F(Help, FitsIntoItsWidth) {
  for (const CommandFacts& command : commands_) {
    std::istringstream help(command_help(*find_command(*program_.parser, command.name), 80));
    for (std::string line; std::getline(help, line);) {
      // Words that cannot be broken are longer: commands, usage, paths.
      if (line.starts_with("  gordian") || line.starts_with("Usage")) continue;
      EXPECT_LE(line.size(), 92U) << command.name << ": " << line;
    }
  }
  for (const HelpTopic& topic : help_topics()) {
    const std::string text = topic.text();
    for (std::string_view line : split_lines(text)) {
      EXPECT_LE(line.size(), 100U) << topic.name << ": " << line;
      EXPECT_FALSE(line.starts_with("@")) << topic.name << " names no table: " << line;
    }
  }
}

TEST_F(Help, TheSameOptionIsInTheSameGroupEverywhere) {
  const auto titles = option_group_titles();
  for (const CommandFacts& command : commands_) {
    for (const OptionFacts& option : command.options) {
      EXPECT_NE(std::find(titles.begin(), titles.end(), option.group), titles.end())
          << command.name << " --" << option.name << " is in " << option.group;
    }
  }
}

TEST_F(Help, ListsAllSettings) {
  const std::string text = find_topic("config")->text();
  for (const Setting& setting : settings()) {
    EXPECT_NE(text.find(setting.key), std::string::npos) << setting.key;
  }
}

TEST_F(Help, TopicsAreListedWithTheirTitles) {
  const std::string help = program_help(*program_.parser);
  EXPECT_GE(help_topics().size(), 8U);
  for (const HelpTopic& topic : help_topics()) {
    EXPECT_NE(help.find("  " + std::string(topic.name) + " "), std::string::npos);
    EXPECT_EQ(find_topic(topic.name), &topic);
    EXPECT_FALSE(topic.title().ends_with('.')) << topic.name;
  }
  EXPECT_EQ(find_topic("nothing"), nullptr);
}

TEST_F(Help, CommandFactsComeFromTheDeclarations) {
  const CommandFacts run = command_facts(*find_command(*program_.parser, "run"));
  ASSERT_NE(run.option("isolate"), nullptr);
  EXPECT_EQ(run.option("isolate")->choices,
            (std::vector<std::string>{"auto", "none", "snapshot", "fork", "process"}));
  EXPECT_EQ(run.option("jobs")->words(), "-j, --jobs N");
  EXPECT_EQ(run.option("timeout")->words(), "--timeout TIME");
  EXPECT_EQ(run.option("db")->kind, ValueKind::file);
  EXPECT_EQ(run.option("fail-fast")->kind, ValueKind::none);
  EXPECT_EQ(run.usage(), "gordian run [OPTIONS] TARGET...");
  EXPECT_EQ(command_facts(*find_command(*program_.parser, "explain")).arguments.at(0).kind,
            ValueKind::id);
}

TEST_F(Help, CompletionKnowsAllCommandsAndOptions) {
  CompletionFacts facts{commands_, {"verdicts"}};
  for (const std::string& script :
       {bash_completion(facts), zsh_completion(facts), fish_completion(facts)}) {
    for (const CommandFacts& command : commands_) {
      EXPECT_NE(script.find(command.name), std::string::npos);
      for (const OptionFacts& option : command.options) {
        EXPECT_NE(script.find(option.name), std::string::npos) << option.name;
      }
    }
    EXPECT_EQ(script.find("ctest-serve"), std::string::npos) << "no person types it";
  }
}

TEST(ShortHelp, IsTheFirstThought) {
  EXPECT_EQ(short_help("Tests at a time; 0: one per processor"), "Tests at a time");
  EXPECT_EQ(short_help("Time limit of one test, 0 for none (500ms, 2s, 1m)"),
            "Time limit of one test, 0 for none");
  EXPECT_LE(short_help(std::string(50, 'x') + " " + std::string(50, 'y')).size(), 64U);
}

TEST_F(Help, ManPageHasNoRawRoff) {
  const std::string page = man_page(*program_.parser, "1.2.3");
  EXPECT_TRUE(page.find(".TH GORDIAN 1") != std::string::npos);
  EXPECT_NE(page.find("\\-\\-isolate"), std::string::npos);
  EXPECT_EQ(page.find("\n'"), std::string::npos) << "a line of text that roff would obey";
}

}  // namespace
}  // namespace gordian
