// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/target.h"

#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

/// Stands in the scratch directory for the time of a test.
class ResolveTargets : public ScratchDir {
 protected:
  ResolveTargets() : before_(fs::current_path()) { fs::current_path(dir_); }
  ~ResolveTargets() override { fs::current_path(before_); }

  static Error refused(const std::string& word) {
    auto found = resolve_targets({word}, {});
    if (found.ok()) {
      ADD_FAILURE() << word << " was accepted";
      return {};
    }
    return found.error();
  }

 private:
  fs::path before_;
};

TEST_F(ResolveTargets, AFileIsOneTargetInTheCurrentDirectory) {
  write("bin/tests", "x");
  auto found = resolve_targets({"bin/tests"}, {"--data", "d"});
  ASSERT_TRUE(found.ok()) << found.error().message;
  ASSERT_EQ(found->targets.size(), 1u);
  EXPECT_EQ(found->targets[0].binary, dir_ / "bin/tests");
  EXPECT_EQ(found->targets[0].working_dir, dir_);
  EXPECT_EQ(found->targets[0].args, (std::vector<std::string>{"--data", "d"}));
  EXPECT_TRUE(found->targets[0].origin.empty());
}

TEST_F(ResolveTargets, ASymlinkKeepsItsName) {
  write("real/tests-1.2", "x");
  fs::create_symlink("real/tests-1.2", dir_ / "tests");
  fs::create_directory_symlink("real", dir_ / "alias");
  auto found = resolve_targets({"./tests", "alias/../tests", "alias/tests-1.2"}, {});
  ASSERT_TRUE(found.ok()) << found.error().message;
  ASSERT_EQ(found->targets.size(), 2u) << "the same program is returned once";
  EXPECT_EQ(found->targets[0].binary, dir_ / "tests");
  EXPECT_EQ(found->targets[1].binary, dir_ / "real/tests-1.2");
}

TEST_F(ResolveTargets, AMisspeltNameGetsASuggestion) {
  write("parser_test", "x");
  write("build/bin/lexer_test", "x");
  write("notes", "x", 0644);
  EXPECT_EQ(refused("parser_tset").hint, "did you mean ./parser_test?");
  EXPECT_EQ(refused("lexer_test").hint, "did you mean build/bin/lexer_test?");
  EXPECT_EQ(refused("build/bin/lexertest").hint, "did you mean build/bin/lexer_test?");
  EXPECT_EQ(refused("note").hint.find("did you mean"), std::string::npos) << "not a program";
  EXPECT_EQ(refused("something_else").hint.find("did you mean"), std::string::npos);
}

TEST_F(ResolveTargets, ABuildDirectoryIsAskedThroughCtest) {
  const auto program = write("build/tests",
                             "\x7f"
                             "ELF");
  write("build/CTestTestfile.cmake", "add_test(all \"" + program.string() + "\")\n");
  auto found = resolve_targets({"build"}, {"--more"});
  ASSERT_TRUE(found.ok()) << found.error().message;
  ASSERT_EQ(found->targets.size(), 1u);
  EXPECT_EQ(found->targets[0].binary, program);
  EXPECT_EQ(found->targets[0].args, std::vector<std::string>{"--more"});
  EXPECT_EQ(found->targets[0].origin, "all");
}

TEST_F(ResolveTargets, ABuildWithoutProgramsIsAnError) {
  write("build/CTestTestfile.cmake", "add_test(all \"" + (dir_ / "build/none").string() + "\")\n");
  const Error error = refused("build");
  EXPECT_EQ(error.kind, ErrorKind::target);
  EXPECT_NE(error.hint.find("cmake --build"), std::string::npos) << error.hint;
}

TEST_F(ResolveTargets, AnEmptyWordIsAUsageError) {
  EXPECT_EQ(refused("").kind, ErrorKind::usage);
}

}  // namespace
}  // namespace gordian
