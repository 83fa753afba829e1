// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "suite/config_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/random.h"
#include "tests/suite/scratch_dir.h"

namespace gordian {
namespace {

using Names = std::vector<std::string>;

std::string error_of(std::string_view text) {
  auto list = parse_config(text, "x.toml");
  return list ? "none" : list.error().message + " | " + list.error().hint;
}

TEST(ConfigFile, ReadsWhatIsIgnored) {
  auto list = parse_config(
      "# ours\n[ignore]\nvariables = ['a', \"b*\"]\nfiles = [\n  \"/tmp/x\", # why\n]\n", "x");
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->variables, (Names{"a", "b*"}));
  EXPECT_EQ(list->files, (Names{"/tmp/x"}));
  EXPECT_TRUE(list->environment.empty());
  EXPECT_EQ(list->file, "x");
}

TEST(ConfigFile, NamesTheLineOfWhatItDoesNotKnow) {
  EXPECT_EQ(error_of("[ignore]\nvariabels = []\n"),
            "x.toml:2: there is no setting 'variabels' here | did you mean 'variables'?");
  EXPECT_EQ(error_of("\n[ingore]\n"),
            "x.toml:2: there is no setting 'ingore' here | did you mean 'ignore'?");
  EXPECT_EQ(error_of("[ignore]\nfiles = 'a'\n"),
            "x.toml:2: 'files' must be a list of names | files = [\"name\"]");
  EXPECT_EQ(error_of("[ignore]\nfiles = [\n 3]\n"), "x.toml:3: a name must be a string | ");
  EXPECT_EQ(error_of("[ignore]\nfiles = ['']\n"), "x.toml:2: a name must not be empty | ");
  EXPECT_EQ(error_of("[ignore\n").substr(0, 9), "x.toml:1:");
}

using ConfigPlace = ScratchDir;

TEST_F(ConfigPlace, IsFoundUpToTheRepository) {
  const std::filesystem::path root = dir_;
  std::filesystem::create_directories(root / "repo/.git");
  std::filesystem::create_directories(root / "repo/a/b");
  std::ofstream(root / kConfigName) << "\n";
  EXPECT_FALSE(find_config(root / "repo/a/b"));  // above the repository: not ours
  EXPECT_EQ(new_config(root / "repo/a/b"), root / "repo" / kConfigName);
  std::ofstream(root / "repo" / kConfigName) << "\n";
  EXPECT_EQ(find_config(root / "repo/a/b"), root / "repo" / kConfigName);
  std::ofstream(root / "repo/a" / kConfigName) << "\n";
  EXPECT_EQ(find_config(root / "repo/a/b"), root / "repo/a" / kConfigName);
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
      auto list = parse_config(text, "x");
      ASSERT_TRUE(list) << text;
      ASSERT_EQ(list->variables, names) << text;
      ASSERT_TRUE(text.starts_with("# head\n[ignore]\n"));
    }
  }
}

}  // namespace
}  // namespace gordian
