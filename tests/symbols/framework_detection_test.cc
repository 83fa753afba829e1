// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/framework_detection.h"

#include <algorithm>

#include "tests/symbols/fixture_paths.h"

namespace gordian {
namespace {

class FrameworkDetection : public ScratchDir {
 protected:
  static FrameworkFinding detect(const std::filesystem::path& path,
                                 std::string_view library_path = {}) {
    auto file = ElfFile::open(path);
    if (!file.ok()) {
      ADD_FAILURE() << file.error().message;
      return {};
    }
    return detect_framework(*file, library_path);
  }
};

TEST_F(FrameworkDetection, FindsGoogleTestInTheProgram) {
  for (const char* name : {"gtest_plain", "gtest_nopie", "gtest_static"}) {
    const FrameworkFinding finding = detect(fixture(name));
    EXPECT_EQ(finding.framework, Framework::gtest) << name;
    EXPECT_TRUE(finding.hookable) << name;
    EXPECT_EQ(finding.location, fixture(name));
    EXPECT_GE(finding.event_slots, 15) << name;
  }
}

TEST_F(FrameworkDetection, StrippingHidesTheSlotsButNotTheFramework) {
  const FrameworkFinding plain = detect(fixture("gtest_plain"));
  const FrameworkFinding stripped = detect(fixture("gtest_stripped"));
  EXPECT_EQ(stripped.framework, Framework::gtest);
  EXPECT_TRUE(stripped.hookable);
  EXPECT_EQ(stripped.event_slots, 0);
  EXPECT_FALSE(stripped.evidence.empty());
  EXPECT_FALSE(plain.version.empty());
  EXPECT_EQ(plain.version.substr(0, 2), "1.");
  EXPECT_EQ(stripped.version.substr(0, 4), plain.version.substr(0, 4));
}

TEST_F(FrameworkDetection, FollowsSharedLibrariesToTheFramework) {
  const FrameworkFinding finding = detect(fixture("gtest_shared"));
  EXPECT_EQ(finding.framework, Framework::gtest);
  EXPECT_EQ(finding.location.filename(), "libfixture_framework.so");
  EXPECT_TRUE(finding.hookable);
  EXPECT_TRUE(finding.missing_libraries.empty());
}

TEST_F(FrameworkDetection, SaysWhichLibraryIsMissing) {
  const auto alone = write("alone", read_whole(fixture("gtest_shared")));
  const FrameworkFinding lost = detect(alone);
  EXPECT_EQ(lost.framework, Framework::unknown);
  ASSERT_EQ(lost.missing_libraries.size(), 1u);
  EXPECT_EQ(lost.missing_libraries[0], "libfixture_helper.so");

  const FrameworkFinding found = detect(alone, fixture("").string());
  EXPECT_EQ(found.framework, Framework::gtest) << "LD_LIBRARY_PATH leads there";
}

TEST_F(FrameworkDetection, AVersionInTheLibrarysNameIsTaken) {
  write("libfixture_helper.so", read_whole(fixture("libfixture_helper.so")));
  write("libgtest.so.1.99.3", read_whole(fixture("libfixture_framework.so")));
  std::filesystem::create_symlink("libgtest.so.1.99.3", dir_ / "libfixture_framework.so");
  const auto program = write("program", read_whole(fixture("gtest_shared")));
  EXPECT_EQ(detect(program).version, "1.99.3");
}

TEST_F(FrameworkDetection, NamesAFrameworkWhoseHooksAreMissing) {
  const FrameworkFinding finding = detect(fixture("looks_like_catch"));
  EXPECT_EQ(finding.framework, Framework::catch2);
  EXPECT_FALSE(finding.hookable);
  EXPECT_EQ(finding.name, "Catch2");
  EXPECT_NE(finding.problem.find("Catch2"), std::string::npos);
}

TEST_F(FrameworkDetection, APlainProgramHasNone) {
  const FrameworkFinding finding = detect(fixture("no_framework"));
  EXPECT_EQ(finding.framework, Framework::unknown);
  EXPECT_TRUE(finding.name.empty());
  EXPECT_FALSE(finding.hookable);
  EXPECT_FALSE(finding.problem.empty());
}

TEST_F(FrameworkDetection, LibrariesAreSearchedInTheLoadersOrder) {
  auto file = ElfFile::open(fixture("gtest_shared"));
  ASSERT_TRUE(file.ok());
  const auto first_path = [](const std::vector<NeededLibrary>& libraries) {
    const auto it = std::find_if(libraries.begin(), libraries.end(), [](const auto& library) {
      return library.name == "libfixture_helper.so";
    });
    return it == libraries.end() ? "" : it->path.string();
  };
  const auto other = write("libfixture_helper.so", "anything");
  EXPECT_EQ(first_path(needed_libraries(*file, "")), fixture("libfixture_helper.so").string());
  EXPECT_EQ(first_path(needed_libraries(*file, dir_.string())), other.string());
}

}  // namespace
}  // namespace gordian
