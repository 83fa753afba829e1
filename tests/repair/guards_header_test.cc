// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "repair/guards.h"

namespace gordian {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

const SourceText kNothing([](const std::string&) { return std::nullopt; });

SourceText holding(const std::string& content) {
  return SourceText([=](const std::string&) { return std::optional<std::string>(content); });
}

TEST(GuardsHeader, HasItsLicenceAndItsNames) {
  EXPECT_THAT(std::string(guards_header()), StartsWith("// SPDX-License-Identifier: MIT-0\n"));
  const std::set<std::string> names = guards_in(guards_header());
  EXPECT_THAT(names, Contains("ScopedRestoreArray"));
  EXPECT_THAT(names, Contains("ScopedEnv"));
  EXPECT_THAT(names, Contains("ExposeAuto"));
}

TEST(GuardsHeader, CutDownToOneGuard) {
  EXPECT_EQ(guards_header_for({"ScopedUmask"}),
            std::string(guards_header().substr(0, guards_header().find("#include"))) +
                R"(#include <sys/stat.h>

namespace gordian {

/// The file mode creation mask.
class ScopedUmask {
 public:
  ScopedUmask() : saved_(::umask(0)) { ::umask(saved_); }
  ~ScopedUmask() { ::umask(saved_); }
  ScopedUmask(const ScopedUmask&) = delete;
  ScopedUmask& operator=(const ScopedUmask&) = delete;

 private:
  mode_t saved_;
};

}  // namespace gordian
)");
}

TEST(GuardsHeader, BringsWhatAGuardNeedsAndNoMore) {
  const std::string copy = guards_header_for({"ScopedCopy"});
  EXPECT_THAT(copy, HasSubstr("class ScopedFresh"));
  EXPECT_THAT(copy, Not(HasSubstr("ScopedEnv")));
  EXPECT_THAT(copy, Not(HasSubstr("//@")));
  EXPECT_THAT(guards_header_for({"Expose"}), Not(HasSubstr("namespace gordian")));
  EXPECT_THAT(guards_header_for({"ScopedRestoreObject"}), Not(HasSubstr("<atomic>")));
  EXPECT_THAT(guards_header_for({"ScopedRestore"}), HasSubstr("<atomic>"));
}

TEST(GuardsHeader, TellsWhichGuardsAreInIt) {
  EXPECT_THAT(guards_in(guards_header_for({"ScopedCopy", "Expose"})),
              UnorderedElementsAre("ScopedCopy", "ScopedFresh", "Expose"));
  EXPECT_THAT(guards_in("int main() {}"), testing::IsEmpty());
  std::set<std::string> names = guards_in(guards_header());
  names.insert("ScopedRestore");  // all of its parts
  for (const std::string& name : names) {
    const std::string text = guards_header_for({name});
    EXPECT_EQ(guards_header_for(guards_in(text)), text) << name;
  }
}

TEST(AddGuards, AsANewFile) {
  Change change;
  ASSERT_TRUE(add_guards(change, "/p/g.h", {"ScopedEnv"}, kNothing).ok());
  EXPECT_EQ(change.new_files["/p/g.h"], guards_header_for({"ScopedEnv"}));
  ASSERT_TRUE(add_guards(change, "/p/g.h", {"ScopedCwd"}, kNothing).ok());
  EXPECT_EQ(change.new_files["/p/g.h"], guards_header_for({"ScopedEnv", "ScopedCwd"}));
}

TEST(AddGuards, ToTheFileOfAnEarlierPatch) {
  const SourceText source = holding(guards_header_for({"ScopedEnv"}));
  Change same, more;
  ASSERT_TRUE(add_guards(same, "/p/g.h", {"ScopedEnv"}, source).ok());
  EXPECT_TRUE(same.empty());
  ASSERT_TRUE(add_guards(more, "/p/g.h", {"ScopedCwd"}, source).ok());
  EXPECT_EQ(apply(more, source)->at("/p/g.h").after, guards_header_for({"ScopedEnv", "ScopedCwd"}));
}

TEST(AddGuards, NotToAnotherFileOfThatName) {
  Change change;
  EXPECT_FALSE(add_guards(change, "/p/g.h", {"ScopedEnv"}, holding("int theirs;\n")).ok());
  const std::string changed = guards_header_for({"ScopedEnv"}) + "int theirs;\n";
  EXPECT_TRUE(add_guards(change, "/p/g.h", {"ScopedEnv"}, holding(changed)).ok());
  EXPECT_FALSE(add_guards(change, "/p/g.h", {"ScopedCwd"}, holding(changed)).ok());
  EXPECT_TRUE(change.empty());
}

}  // namespace
}  // namespace gordian
