// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/apply_settings.h"

#include <gtest/gtest.h>

#include <map>

#include "cli/command.h"

namespace gordian {
namespace {

using Environment = std::map<std::string, std::string>;

/// A command line, an environment and a file; what options have in the end.
class Settings : public ::testing::Test {
 protected:
  Settings() : program_(make_program(common_)) {}

  void file(std::string_view text) {
    auto config = parse_config(text, "/p/.gordian.toml");
    ASSERT_TRUE(config) << config.error().message;
    common_.config = std::move(*config);
  }

  std::string type(std::vector<std::string> words) {
    std::string said;
    if (Status parsed = parse_words(program_, std::move(words), said); !parsed) {
      return parsed.error().message + " | " + parsed.error().hint;
    }
    if (common_.profile.empty()) common_.profile = kDefaultProfile;
    Status applied = apply_settings(*program_.chosen()->options, common_, environment());
    return applied ? "" : applied.error().message + " | " + applied.error().hint;
  }

  std::string value(const std::string& option) const {
    const auto* found = program_.chosen()->options->find(option);
    auto words = found->words();
    return words.empty() ? "-" : words.back();
  }

  EnvLookup environment() const {
    return [this](const char* name) -> std::optional<std::string> {
      auto it = environment_.find(name);
      if (it == environment_.end()) return std::nullopt;
      return it->second;
    };
  }

  CommonOptions common_;
  Program program_;
  Environment environment_;
};

TEST_F(Settings, EveryKeyIsAnOptionOfSomeCommand) {
  for (const Setting& setting : settings()) {
    int commands = 0;
    for (const Program::Action& action : program_.actions) {
      commands += takes_setting(*action.options, setting) ? 1 : 0;
    }
    EXPECT_GT(commands, 0) << setting.key;
  }
}

TEST_F(Settings, TheStrongestWordCounts) {
  file(
      "[profile.default]\ntimeout = '1s'\njobs = 1\nslow = 1\nbudget = 1\n"
      "[profile.ci]\njobs = 2\nslow = 2\n");
  common_.profile = "ci";
  environment_ = {{"GORDIAN_SLOW", "3s"}, {"GORDIAN_TIMEOUT", "3s"}};
  EXPECT_EQ(type({"run", "x", "--timeout", "4s"}), "");
  EXPECT_EQ(value("--timeout"), "4s");  // command line over environment
  EXPECT_EQ(value("--slow"), "3s");     // environment over profile
  EXPECT_EQ(value("--jobs"), "2");      // profile over default
  EXPECT_EQ(value("--start-timeout"), "-");
}

TEST_F(Settings, ACommandsOwnSectionCountsMoreThanItsProfile) {
  file("[profile.default]\ntimeout = '1s'\n[profile.default.detect]\ntimeout = '2s'\n");
  EXPECT_EQ(type({"detect", "x"}), "");
  EXPECT_EQ(value("--timeout"), "2s");
}

TEST_F(Settings, OtherCommandsSectionsDoNotCount) {
  file("[profile.default.detect]\ntimeout = '2s'\n");
  EXPECT_EQ(type({"run", "x"}), "");
  EXPECT_EQ(value("--timeout"), "-");
}

TEST_F(Settings, AReplayIsAsTheRunWas) {
  file("[profile.default]\nisolate = 'fork'\njobs = 3\ntimeout = '1s'\n");
  EXPECT_EQ(type({"replay", "R1"}), "");
  EXPECT_EQ(value("--isolate"), "-");
  EXPECT_EQ(value("--jobs"), "-");
  EXPECT_EQ(value("--timeout"), "1s");
}

TEST_F(Settings, AKeyOfOneCommandIsNotForAnotherOfThatName) {
  file("[profile.default]\nexplain = true\n");
  EXPECT_EQ(type({"config"}), "");
  EXPECT_EQ(value("--explain"), "-");
  EXPECT_TRUE(is_for(*find_setting("junit"), "run"));
  EXPECT_FALSE(is_for(*find_setting("junit"), "replay"));
  EXPECT_FALSE(is_for(*find_setting("junit"), "report"));
}

TEST_F(Settings, FlagsAndLists) {
  file("[profile.default]\nfail-fast = true\nverbose = false\nprivate-dir = ['a', 'b']\n");
  EXPECT_EQ(type({"run", "x"}), "");
  EXPECT_EQ(value("--fail-fast"), "true");
  EXPECT_EQ(program_.chosen()->options->find("--private-dir")->words(),
            (std::vector<std::string>{"/p/a", "/p/b"}));
}

TEST_F(Settings, HowRepairsAreMade) {
  file(
      "[profile.default.fix]\nbuild = 'make'\nallow-product-code = true\n"
      "strategy = ['restore', 'cleaner']\n");
  EXPECT_EQ(type({"fix"}), "");
  EXPECT_EQ(value("--build"), "cd /p/ && make");
  EXPECT_EQ(value("--allow-product-code"), "true");
  EXPECT_EQ(program_.chosen()->options->find("--strategy")->words(),
            (std::vector<std::string>{"restore", "cleaner"}));
}

TEST_F(Settings, TheCommandLineSaysHowRepairsAreMade) {
  file("[profile.default.fix]\nbuild = 'make'\nstrategy = ['restore', 'cleaner']\n");
  EXPECT_EQ(type({"fix", "--build", "ninja", "--strategy", "members"}), "");
  EXPECT_EQ(value("--build"), "ninja");
  EXPECT_EQ(program_.chosen()->options->find("--strategy")->words(),
            std::vector<std::string>{"members"});
}

TEST_F(Settings, AFlagOfTheFileCanBeTakenBack) {
  file("[profile.default]\nfail-fast = true\n");
  EXPECT_EQ(type({"run", "x", "--fail-fast=false"}), "");
  EXPECT_EQ(value("--fail-fast"), "false");
}

TEST_F(Settings, WhatTheCommandLineExcludesIsNotApplied) {
  file("[profile.default]\nexplain = true\n");
  EXPECT_EQ(type({"detect", "x", "--estimate"}), "");
  EXPECT_EQ(value("--explain"), "-");
}

TEST_F(Settings, AWrongVariableIsNamed) {
  environment_ = {{"GORDIAN_JOBS", "many"}};
  EXPECT_EQ(type({"run", "x"}).substr(0, 14), "GORDIAN_JOBS: ");
  environment_ = {{"GORDIAN_TIMEOUT", "soon"}};
  EXPECT_NE(type({"run", "x"}).find("GORDIAN_TIMEOUT: 'soon' is not a time"), std::string::npos);
}

TEST_F(Settings, TheCommandLinesTimeLimitCountsMoreThanOverrides) {
  file("[[override]]\nfilter = 'A.*'\ntimeout = '9s'\nserial = true\n");
  EXPECT_EQ(type({"run", "x"}), "");
  EXPECT_TRUE(common_.config.overrides.at(0).timeout);
  EXPECT_EQ(type({"run", "x", "--timeout", "1s"}), "");
  EXPECT_FALSE(common_.config.overrides.at(0).timeout);
  EXPECT_TRUE(common_.config.overrides.at(0).serial);
}

TEST_F(Settings, SlipsOfTheFingersAreUnderstood) {
  EXPECT_EQ(type({"run", "x", "--timout", "1s"}),
            "gordian run has no option '--timout' | did you mean --timeout?");
  EXPECT_EQ(type({"run", "x", "--isolate", "forc"}),
            "--isolate cannot be 'forc' | did you mean --isolate fork?");
  EXPECT_EQ(type({"detect", "x", "--fail-on", "sometimes"}),
            "--fail-on cannot be 'sometimes' | it can be: any, victim, brittle, none");
  EXPECT_EQ(type({"run", "x", "--zzzz"}),
            "gordian run has no option '--zzzz' | 'gordian run --help' lists the options");
}

}  // namespace
}  // namespace gordian
