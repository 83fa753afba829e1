// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/fix_session.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "base/owned_dir.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

class SourceStamp : public ::testing::Test {
 protected:
  SourceStamp() : dir_(std::move(*TemporaryDir::make(std::vector<fs::path>{"/tmp"}))) {
    project_.source_root = dir_.path();
    project_.build_dir = dir_.path() / "out";
    for (const char* name : {"src/a.cc", "src/a.h", "CMakeLists.txt", "out/gen.cc"}) write(name);
  }

  void write(const std::string& name, const std::string& text = "x") const {
    fs::create_directories((dir_.path() / name).parent_path());
    std::ofstream(dir_.path() / name) << text;
  }
  std::string stamp() const { return source_stamp(project_); }

  TemporaryDir dir_;
  Project project_;
};

TEST_F(SourceStamp, IsTheSameWhileNothingChanges) {
  EXPECT_EQ(stamp(), stamp());
}

TEST_F(SourceStamp, ChangesWithASourceAHeaderAndABuildFile) {
  for (const char* name : {"src/a.cc", "src/a.h", "CMakeLists.txt", "src/deep/new.hpp"}) {
    const std::string before = stamp();
    write(name, "longer");
    EXPECT_NE(stamp(), before) << name;
  }
}

TEST_F(SourceStamp, ChangesWithTheTimeOfAFile) {
  const std::string before = stamp();
  const fs::path file = dir_.path() / "src/a.cc";
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(1));
  EXPECT_NE(stamp(), before);
}

TEST_F(SourceStamp, DoesNotMindWhatIsBuiltOrHidden) {
  const std::string before = stamp();
  for (const char* name :
       {"out/gen.cc", ".git/x.h", "notes.txt", "other/CMakeCache.txt", "other/made.cc"}) {
    write(name, "longer");
    EXPECT_EQ(stamp(), before) << name;
  }
}

DependenceGroup group() {
  DependenceGroup result;
  result.binary.sha256 = "feed";
  NamedDependence& d = result.stored.emplace_back();
  d.id = DependenceId{3};
  d.target.binary = "/b/test";
  d.witness = {"A.a", "A.b"};
  return result;
}

TEST(FixKeyTest, NamesTheBuildAndTheQuestion) {
  const FixKey key = fix_key(group(), {});
  EXPECT_EQ(key.binary_path, "/b/test");
  EXPECT_EQ(key.sha256, "feed");
  EXPECT_EQ(key.settings, fix_key(group(), {}).settings);
  EXPECT_NE(key.settings.find("\nD3 A.a A.b"), std::string::npos) << key.settings;
}

TEST(FixKeyTest, EveryOptionThatMattersIsAnotherQuestion) {
  const std::vector<std::function<void(FixOptions&)>> changes = {
      [](FixOptions& o) { o.repair.strategies.only = {Strategy::paper}; },
      [](FixOptions& o) { o.repair.strategies.allow_product_code = true; },
      [](FixOptions& o) { o.repair.accept_partly = true; },
      [](FixOptions& o) { o.repair.random_orders = 7; },
      [](FixOptions& o) { o.repair.seed = 7; },
      [](FixOptions& o) { o.repair.confirmations = 7; },
      [](FixOptions& o) {
        o.repair.base["/a.cc"] = {"x", "y"};
      },
      [](FixOptions& o) { o.project.build_command = "make"; },
      [](FixOptions& o) { o.project.source_root = "/s"; },
      [](FixOptions& o) { o.without_compiler = true; },
      [](FixOptions& o) { o.repeat.on = true; },
  };
  const std::string plain = fix_key(group(), {}).settings;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    FixOptions options;
    changes[i](options);
    EXPECT_NE(fix_key(group(), options).settings, plain) << i;
  }
  DependenceGroup other = group();
  other.stored.front().witness = {"A.c", "A.b"};
  EXPECT_NE(fix_key(other, {}).settings, plain);
}

}  // namespace
}  // namespace gordian
