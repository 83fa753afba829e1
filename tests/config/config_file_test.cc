// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "config/config_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/random.h"
#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

using Names = std::vector<std::string>;

std::string error_of(std::string_view text) {
  auto config = parse_config(text, "x.toml");
  return config ? "none" : config.error().message + " | " + config.error().hint;
}

TEST(ConfigFile, ReadsWhatIsIgnored) {
  auto config = parse_config(
      "# ours\n[ignore]\nvariables = ['a', \"b*\"]\nfiles = [\n  \"/tmp/x\", # why\n]\n", "x");
  ASSERT_TRUE(config) << config.error().message;
  const IgnoreList* list = &config->ignore;
  EXPECT_EQ(list->variables, (Names{"a", "b*"}));
  EXPECT_EQ(list->files, (Names{"/tmp/x"}));
  EXPECT_TRUE(list->environment.empty());
  EXPECT_EQ(list->file, "x");
}

TEST(ConfigFile, NamesTheLineOfWhatItDoesNotKnow) {
  EXPECT_EQ(error_of("[ignore]\nvariabels = []\n"),
            "x.toml:2:1: there is no setting 'variabels' here | did you mean 'variables'?");
  EXPECT_EQ(error_of("\n[ingore]\n"),
            "x.toml:2:2: there is no setting 'ingore' here | did you mean 'ignore'?");
  EXPECT_EQ(error_of("[ignore]\nfiles = 'a'\n"),
            "x.toml:2:9: 'files' must be a list of names | files = [\"name\"]");
  EXPECT_EQ(error_of("[ignore]\nfiles = [\n 3]\n"), "x.toml:3:2: a name must be a string | ");
  EXPECT_EQ(error_of("[ignore]\nfiles = ['']\n"), "x.toml:2:10: a name must not be empty | ");
  EXPECT_EQ(error_of("[ignore\n").substr(0, 9), "x.toml:1:");
}

/// "profile/command/key=words@line:column".
Names values_of(const ProjectConfig& config) {
  Names all;
  for (const ConfigValue& v : config.values) {
    std::string text = v.profile + "/" + v.command + "/" + v.key + "=";
    for (const std::string& word : v.words) text += word + ";";
    all.push_back(text + "@" + std::to_string(v.place.line) + ":" + std::to_string(v.place.column));
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(ConfigProfiles, EveryKindOfValue) {
  auto config = parse_config(
      "[profile.default]\ntimeout = 2.5\njobs = 4\nfail-fast = true\n"
      "db = \"x/y.db\"\nprivate-dir = [\"data\", \"/abs\"]\n"
      "[profile.default.detect]\ntimeout = \"500ms\"\n[profile.ci]\nisolate = \"fork\"\n",
      "/repo/.gordian.toml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->profiles, (Names{"ci", "default"}));
  EXPECT_EQ(values_of(*config),
            (Names{"ci//isolate=fork;@10:1", "default//db=/repo/x/y.db;@5:1",
                   "default//fail-fast=true;@4:1", "default//jobs=4;@3:1",
                   "default//private-dir=/repo/data;/abs;@6:1", "default//timeout=2.5;@2:1",
                   "default/detect/timeout=500ms;@8:1"}));
}

TEST(ConfigProfiles, ACommandRunsWhereTheFileIs) {
  auto config = parse_config(
      "[profile.default.fix]\nbuild = \"make -C 'my tests'\"\nstrategy = [\"restore\", "
      "\"own-reset\"]\n",
      "/my repo/.gordian.toml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(values_of(*config),
            (Names{"default/fix/build=cd '/my repo/' && make -C 'my tests';@2:1",
                   "default/fix/strategy=restore;own-reset;@3:1"}));
  EXPECT_EQ(error_of("[profile.default]\nstrategy = \"restore\"\n"),
            "x.toml:2:12: 'strategy' must be a list of names | as in: strategy = [\"restore\"]");
  EXPECT_EQ(error_of("[profile.default]\nbuild = [\"make\"]\n"),
            "x.toml:2:9: 'build' must be a text in quotation marks | as in: build = \"make -j4 "
            "tests\"");
}

TEST(ConfigProfiles, WrongKeysAndTypesAreErrorsWithTheirPlace) {
  EXPECT_EQ(error_of("[profile.default]\n  timout = \"1s\"\n"),
            "x.toml:2:3: there is no setting 'timout' here | did you mean 'timeout'?");
  EXPECT_EQ(error_of("[profile.ci]\nwhatever = 1\n"),
            "x.toml:2:1: there is no setting 'whatever' here | 'gordian help config' lists the "
            "settings");
  EXPECT_EQ(error_of("[profile.ci]\njobs = \"four\"\n"),
            "x.toml:2:8: 'jobs' must be a whole number | as in: jobs = 4");
  EXPECT_EQ(error_of("[profile.ci]\nfail-fast = 1\n"),
            "x.toml:2:13: 'fail-fast' must be true or false | as in: fail-fast = true");
  EXPECT_EQ(error_of("[profile.ci]\ntimeout = \"soon\"\n"),
            "x.toml:2:11: 'soon' is not a time | write 500ms, 2s, 1.5m, or 0 for none");
  EXPECT_EQ(error_of("[profile.ci]\ntimeout = -1\n").substr(0, 13), "x.toml:2:11: ");
  EXPECT_EQ(error_of("profile = 3\n"),
            "x.toml:1:11: 'profile.default' must be a section | write [profile.default]");
  EXPECT_EQ(error_of("[profile]\nci = 3\n"),
            "x.toml:2:6: 'profile.ci' must be a section | write [profile.ci]");
}

TEST(ConfigOverrides, AreRead) {
  auto config = parse_config(
      "[[override]]\nfilter = \"Net.*\"\ntimeout = \"2m\"\nserial = true\n"
      "[[override]]\nfilter = \"A.B\"\nignore-state = [\"g_*\"]\n",
      "x");
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_EQ(config->overrides.size(), 2U);
  EXPECT_EQ(config->overrides[0].filter.text(), "Net.*");
  EXPECT_EQ(config->overrides[0].timeout, std::chrono::minutes(2));
  EXPECT_EQ(config->overrides[0].serial, true);
  EXPECT_EQ(config->overrides[1].place, "x:5:1");
  ASSERT_EQ(config->ignore.of_tests.size(), 1U);
  EXPECT_EQ(config->ignore.of_tests[0].names, Names{"g_*"});
}

TEST(ConfigOverrides, WhatIsWrongIsSaid) {
  EXPECT_EQ(error_of("[[override]]\ntimeout = \"1s\"\n"),
            "x.toml:1:1: an override needs a 'filter': the tests that it is for | filter = "
            "\"Suite.*\"");
  EXPECT_EQ(error_of("[[override]]\nfilter = \"a\"\nseriel = true\n"),
            "x.toml:3:1: there is no setting 'seriel' here | did you mean 'serial'?");
  EXPECT_EQ(error_of("[[override]]\nfilter = \"a\"\nserial = \"yes\"\n"),
            "x.toml:3:10: 'serial' must be true or false | ");
  EXPECT_EQ(error_of("[override]\nfilter = \"a\"\n"),
            "x.toml:1:1: 'override' must be a list of sections | write [[override]]");
}

std::string added(std::string_view text, const std::string& rule,
                  IgnoreKind kind = IgnoreKind::variable) {
  auto edited = with_rule(text, kind, rule, "x");
  return edited ? *edited : "error: " + edited.error().message;
}
std::string removed(std::string_view text, const std::string& rule) {
  auto edited = without_rule(text, IgnoreKind::variable, rule, "x");
  return edited ? *edited : "error: " + edited.error().message;
}

TEST(ConfigEdit, AddsWhereTheUserWouldHave) {
  EXPECT_EQ(added("", "a"), "[ignore]\nvariables = [\"a\"]\n");
  EXPECT_EQ(added("# mine", "a"), "# mine\n\n[ignore]\nvariables = [\"a\"]\n");
  EXPECT_EQ(added("[ignore]", "a"), "[ignore]\nvariables = [\"a\"]\n");
  EXPECT_EQ(added("[ignore] # x\nfiles = []\n", "a"),
            "[ignore] # x\nvariables = [\"a\"]\nfiles = []\n");
  EXPECT_EQ(added("[ignore]\nfiles = [  ]\n", "/a", IgnoreKind::file),
            "[ignore]\nfiles = [\"/a\"  ]\n");
  EXPECT_EQ(added("[ignore]\nvariables = ['x'] # y\n", "a"),
            "[ignore]\nvariables = ['x', \"a\"] # y\n");
  EXPECT_EQ(added("[ignore]\nvariables = [\n    'x' # why, [oh] why\n  ]\n", "a"),
            "[ignore]\nvariables = [\n    'x', # why, [oh] why\n    \"a\",\n  ]\n");
  EXPECT_EQ(added("[ignore]\nvariables = [\n  'x',\n  # last\n]\n", "a"),
            "[ignore]\nvariables = [\n  'x',\n  # last\n  \"a\",\n]\n");
}

TEST(ConfigEdit, LeavesAloneWhatIsThere) {
  const std::string text = "[ignore]\nvariables = ['a']\n";
  EXPECT_EQ(added(text, "a"), text);
  EXPECT_EQ(removed(text, "b"), text);
}

TEST(ConfigEdit, RemovesWithItsComma) {
  EXPECT_EQ(removed("[ignore]\nvariables = ['a', 'b']\n", "a"), "[ignore]\nvariables = ['b']\n");
  EXPECT_EQ(removed("[ignore]\nvariables = ['a', 'b']\n", "b"), "[ignore]\nvariables = ['a']\n");
  EXPECT_EQ(removed("[ignore]\nvariables = ['a']\n", "a"), "[ignore]\nvariables = []\n");
  EXPECT_EQ(removed("[ignore]\nvariables = [\n  'a', # it\n  'b',\n]\n", "a"),
            "[ignore]\nvariables = [\n  'b',\n]\n");
}

TEST(ConfigEdit, RefusesWhatItCannotEdit) {
  EXPECT_EQ(added("ignore = {variables = ['x']}\n", "a").substr(0, 6), "error:");
  EXPECT_EQ(added("ignore.variables = ['x']\n", "a").substr(0, 6), "error:");
}

TEST(ConfigEdit, ManyEditsEndWhereTheyBegan) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::string text = "# head\n[ignore]\n";
    Names names;
    for (int i = 0; i < 30; ++i) {
      const std::string name = "n" + std::to_string(random.below(6)) + "\"\\]#";
      auto at = std::find(names.begin(), names.end(), name);
      if (random.below(2) == 0) {
        text = added(text, name);
        if (at == names.end()) names.push_back(name);
      } else {
        text = removed(text, name);
        if (at != names.end()) names.erase(at);
      }
      auto config = parse_config(text, "x");
      ASSERT_TRUE(config) << text;
      ASSERT_EQ(config->ignore.variables, names) << text;
      ASSERT_TRUE(text.starts_with("# head\n[ignore]\n"));
    }
  }
}

}  // namespace
}  // namespace gordian
