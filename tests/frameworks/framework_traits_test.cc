// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Every row of the table of frameworks, also one that is new: nothing that others ask for is
// missing.
#include "frameworks/framework_traits.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/files.h"
#include "frameworks/framework_symbols.h"
#include "repair/framework_macros.h"
#include "report/text.h"
#include "state/memory_diff.h"
#include "store/words.h"

namespace gordian {
namespace {

const std::filesystem::path kRoot = std::filesystem::path(GORDIAN_ZOO_SOURCES).parent_path();

TEST(FrameworkTraits, HaveNamesOfTheirOwn) {
  std::set<std::string_view> words, names;
  for (const FrameworkTraits* traits : all_frameworks()) {
    EXPECT_TRUE(words.insert(traits->word).second) << traits->word;
    EXPECT_TRUE(names.insert(traits->name).second) << traits->name;
    EXPECT_EQ(to_string(traits->framework), traits->name);
    EXPECT_EQ(stored_word(traits->framework), traits->word);
    EXPECT_EQ(*parse_stored_word<Framework>(traits->word), traits->framework);
    EXPECT_EQ(&traits_of(traits->framework), traits);
  }
}

/// A database of an older version holds these.
TEST(FrameworkTraits, StoredWordsNeverChange) {
  for (const char* word :
       {"unknown", "gtest", "catch2", "doctest", "boost", "cpputest", "process"}) {
    auto framework = parse_stored_word<Framework>(word);
    ASSERT_TRUE(framework) << word;
    EXPECT_EQ(stored_word(*framework), word);
  }
  EXPECT_FALSE(parse_stored_word<Framework>("nothing"));
}

TEST(FrameworkTraits, StandInFoldersOfThatName) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    const std::string word(traits->word);
    EXPECT_TRUE(std::filesystem::exists(kRoot / "src/frameworks" / word / "traits.cc")) << word;
    EXPECT_TRUE(
        std::filesystem::exists(kRoot / "src/target/agent/frameworks" / (word + "_hooks.cc")))
        << word;
    EXPECT_EQ(symbols_of(traits->framework).framework, traits->framework);
  }
}

/// | [GoogleTest](#googletest) 1.8 to 1.18 | yes | ... | declared | its random order |
TEST(FrameworkTraits, AreThoseOfTheDocumentation) {
  const auto docs = read_regular(kRoot / "docs/frameworks.md");
  ASSERT_TRUE(docs);
  for (const FrameworkTraits* traits : all_frameworks()) {
    const std::string begin = "| [" + std::string(traits->name) + "](#";
    std::string_view row;
    for (std::string_view line : split_lines(*docs)) {
      if (line.starts_with(begin)) row = line;
    }
    ASSERT_FALSE(row.empty()) << traits->name;
    EXPECT_EQ(row.ends_with("| `--from-seed` |"), traits->shuffle != nullptr) << row;
    EXPECT_EQ(row.ends_with("| - | no |") || row.ends_with("| - | `--from-seed` |"),
              traits->needs == nullptr)
        << row;
  }
}

TEST(FrameworkTraits, SayWhoseCodeItIs) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    EXPECT_FALSE(traits->namespaces.empty()) << traits->word;
    EXPECT_FALSE(traits->runners.empty()) << traits->word;
    EXPECT_FALSE(traits->bookkeeping.empty()) << traits->word;
    for (std::string_view name : traits->bookkeeping) EXPECT_TRUE(is_bookkeeping(name)) << name;
    const FrameworkSymbols& symbols = symbols_of(traits->framework);
    EXPECT_FALSE(symbols.library.empty() && symbols.symbol_prefix.empty() &&
                 symbols.class_name.empty())
        << traits->word << " has no sign";
    EXPECT_FALSE(symbols.hooks.empty()) << traits->word;
  }
}

TEST(FrameworkTraits, TheirMacrosAreKnownInSources) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    const FrameworkMacros& macros = traits->macros;
    EXPECT_FALSE(macros.tests.empty()) << traits->word;
    EXPECT_FALSE(macros.checks.empty()) << traits->word;
    for (const TestMacro& macro : macros.tests) {
      const std::string prefixed = std::string(macros.prefix) + std::string(macro.name);
      for (const std::string& spelled : {std::string(macro.name), prefixed}) {
        const TestMacro* found = test_macro(spelled);
        ASSERT_NE(found, nullptr) << spelled;
        EXPECT_EQ(found->form, macro.form) << spelled;
        EXPECT_EQ(found->is_template, macro.is_template) << spelled;
      }
      EXPECT_FALSE(is_check_macro(macro.name)) << macro.name;
    }
    for (std::string_view name : macros.checks) EXPECT_TRUE(is_check_macro(name)) << name;
    for (std::string_view name : macros.skips) EXPECT_TRUE(is_skip_macro(name)) << name;
    for (std::string_view name : macros.suites) EXPECT_TRUE(is_suite_macro(name)) << name;
  }
}

TEST(FrameworkTraits, ListenersRegisterTheClassThatPatchesAsk) {
  int with_listeners = 0;
  for (const FrameworkTraits* traits : all_frameworks()) {
    if (traits->listener == nullptr) continue;
    ++with_listeners;
    for (const char* version : {"", "2.13", "3.7 or newer"}) {
      const ListenerSource listener = traits->listener(version);
      EXPECT_NE(listener.code.find("class Isolation"), std::string::npos) << traits->word;
      EXPECT_NE(listener.code.find("test_ = save()"), std::string::npos) << traits->word;
      EXPECT_NE(listener.code.find("put_back(test_)"), std::string::npos) << traits->word;
      EXPECT_EQ(listener.code.find("BASE"), std::string::npos) << traits->word;
      EXPECT_FALSE(listener.includes.empty()) << traits->word;
      EXPECT_EQ(listener.define.empty(), listener.define_reason.empty()) << traits->word;
    }
  }
  EXPECT_EQ(with_listeners, 3);
}

TEST(FrameworkTraits, ASeedThatIsNoneIsRefused) {
  const Suite suite(Framework::gtest, "", {});
  const auto shuffle = traits_of(Framework::gtest).shuffle;
  EXPECT_FALSE(shuffle(suite, 0));
  EXPECT_FALSE(shuffle(suite, 100'000));
  EXPECT_TRUE(shuffle(suite, 99'999));
}

}  // namespace
}  // namespace gordian
