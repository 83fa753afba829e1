// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which units are read, what is kept of them, and what happens when gordian-facts does not work;
// with a made-up gordian-facts.
#include "repair/facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/owned_dir.h"
#include "base/sha256.h"
#include "tests/repair/unit_samples.h"

namespace gordian {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CompilerFacts : public testing::Test {
 protected:
  CompilerFacts() {
    files_["/b/compile_commands.json"] = R"([
      {"directory": "/p", "file": "a_test.cc", "command": "g++ -c a_test.cc"},
      {"directory": "/p", "file": "/p/a.cc", "arguments": ["g++", "-c", "a.cc"]},
      {"directory": "/p", "file": "b.cc", "command": "g++ -c b.cc"}])";
    files_["/p/a_test.cc"] = "#include \"a.h\"\n";
    files_["/p/a.cc"] = "#include \"a.h\"\n";
    files_["/p/b.cc"] = "#include \"inc/only_b.h\"\n";
    const std::filesystem::path places[] = {testing::TempDir()};
    scratch_.emplace(std::move(*TemporaryDir::make(places)));
    options_.program = "/nowhere/gordian-facts";
    options_.compile_commands = "/b/compile_commands.json";
    options_.cache_dir = scratch_->path() / "facts";
    world_.read = [this](const std::string& file) -> std::optional<std::string> {
      const auto found = files_.find(file);
      return found == files_.end() ? std::nullopt : std::optional(found->second);
    };
    world_.run = [this](const std::vector<std::string>& argv, std::string& output) {
      return run(argv.back(), output);
    };
  }

  Result<int> run(const std::string& file, std::string& output) {
    runs_.push_back(file);
    json unit = sample_unit(file);
    unit["includes"] = {{{"file", file}, {"digest", digest(files_.at(file))}}};
    unit["errors"] = errors_;
    unit["first_error"] = errors_ > 0 ? "a.cc:1: no such thing" : "";
    if (file == "/p/a_test.cc")
      unit["undefined"] = {{{"id", "f"}, {"name", "f"}, {"file", undefined_in_}}};
    output = exit_code_ == 0 ? sample_document({unit}) : "Stack dump:\n";
    return exit_code_;
  }

  static std::string digest(const std::string& content) {
    Sha256 sum;
    sum.update(content);
    return sum.hex_digest();
  }

  std::vector<std::string> runs_of(const std::vector<std::string>& files) {
    runs_.clear();
    const auto facts = compiler_facts(files, options_, world_);
    EXPECT_TRUE(facts.ok()) << facts.error().message;
    return runs_;
  }

  std::map<std::string, std::string> files_;
  std::optional<TemporaryDir> scratch_;
  CompilerFactsOptions options_;
  FactsWorld world_;
  std::vector<std::string> runs_;
  std::string undefined_in_ = "/other/z.h";
  int errors_ = 0, exit_code_ = 0;
};

TEST_F(CompilerFacts, ReadsTheUnitOfEachFileOnce) {
  EXPECT_THAT(runs_of({"/p/a_test.cc", "/p/a.cc", "/p/./a.cc"}),
              ElementsAre("/p/a_test.cc", "/p/a.cc"));
}

TEST_F(CompilerFacts, AHeaderIsSeenThroughAUnit) {
  EXPECT_THAT(runs_of({"/p/a.h"}), ElementsAre("/p/a.cc")) << "the unit of the same name";
  EXPECT_THAT(runs_of({"/p/inc/only_b.h"}), ElementsAre("/p/b.cc")) << "the one that includes it";
}

TEST_F(CompilerFacts, FunctionsOfOtherUnitsAreLookedFor) {
  undefined_in_ = "/p/include/b.h";
  EXPECT_THAT(runs_of({"/p/a_test.cc"}), ElementsAre("/p/a_test.cc", "/p/b.cc"));
}

TEST_F(CompilerFacts, WhatIsKeptIsNotReadAgain) {
  runs_of({"/p/a.cc"});
  EXPECT_THAT(runs_of({"/p/a.cc"}), IsEmpty());
  files_["/p/a.cc"] += "int more;\n";
  EXPECT_THAT(runs_of({"/p/a.cc"}), ElementsAre("/p/a.cc")) << "the file has changed";
  files_["/b/compile_commands.json"].replace(files_["/b/compile_commands.json"].find("\"-c\""), 4,
                                             "\"-O\"");
  EXPECT_THAT(runs_of({"/p/a.cc"}), ElementsAre("/p/a.cc")) << "the command has changed";
}

TEST_F(CompilerFacts, DamageInTheCacheIsNoHarm) {
  runs_of({"/p/a.cc"});
  for (const auto& file : std::filesystem::directory_iterator(options_.cache_dir))
    std::filesystem::resize_file(file, file.file_size() / 2);
  EXPECT_THAT(runs_of({"/p/a.cc"}), ElementsAre("/p/a.cc"));
}

TEST_F(CompilerFacts, AUnitWithErrorsIsToldAndNotKept) {
  errors_ = 2;
  const auto facts = compiler_facts({"/p/a.cc"}, options_, world_);
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->units.at(0).errors, 2);
  EXPECT_THAT(facts->notices, ElementsAre(HasSubstr("no such thing")));
  EXPECT_THAT(runs_of({"/p/a.cc"}), ElementsAre("/p/a.cc"));
}

TEST_F(CompilerFacts, AFileThatNoUnitShowsIsANotice) {
  const auto facts = compiler_facts({"/p/a.cc", "/p/lost.h"}, options_, world_);
  ASSERT_TRUE(facts.ok());
  EXPECT_THAT(facts->notices, ElementsAre(HasSubstr("/p/lost.h")));
  EXPECT_FALSE(compiler_facts({"/p/lost.h"}, options_, world_).ok());
}

TEST_F(CompilerFacts, ACrashIsAnError) {
  exit_code_ = 139;
  const auto facts = compiler_facts({"/p/a.cc"}, options_, world_);
  ASSERT_FALSE(facts.ok());
  EXPECT_THAT(facts.error().message, HasSubstr("139"));
}

TEST_F(CompilerFacts, CompileCommandsMustBeThereAndReadable) {
  files_["/b/compile_commands.json"] = "[{";
  EXPECT_FALSE(compiler_facts({"/p/a.cc"}, options_, world_).ok());
  files_.erase("/b/compile_commands.json");
  const auto facts = compiler_facts({"/p/a.cc"}, options_, world_);
  ASSERT_FALSE(facts.ok());
  EXPECT_THAT(facts.error().message, HasSubstr("/b/compile_commands.json"));
}

}  // namespace
}  // namespace gordian
