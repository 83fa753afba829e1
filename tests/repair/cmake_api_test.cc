// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/project.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

/// A reply with one executable, declared through a function of an included file.
std::map<std::string, std::string> reply() {
  return {
      {"index-1.json", R"({"objects":[{"kind":"codemodel","jsonFile":"codemodel.json"}]})"},
      {"codemodel.json", R"({"paths":{"source":"/src","build":"/b"},
         "configurations":[{"targets":[{"jsonFile":"lib.json"},{"jsonFile":"t.json"}]}]})"},
      {"lib.json", R"({"type":"STATIC_LIBRARY","name":"l","artifacts":[{"path":"bin/t"}]})"},
      {"t.json", R"({"type":"EXECUTABLE","name":"t","artifacts":[{"path":"bin/t"}],"backtrace":3,
         "backtraceGraph":{"commands":["add_executable","my_test","add_subdirectory"],
           "files":["cmake/my.cmake","sub/CMakeLists.txt","CMakeLists.txt"],
           "nodes":[{"file":2},{"file":2,"line":9,"command":2,"parent":0},
                    {"file":1,"line":4,"command":1,"parent":1},
                    {"file":0,"line":2,"command":0,"parent":2}]}})"},
  };
}

std::optional<CmakeTarget> find(std::map<std::string, std::string> files,
                                const std::string& binary) {
  return find_cmake_target(
      "/b", "index-1.json", binary,
      [files](const std::filesystem::path& file) -> std::optional<std::string> {
        EXPECT_EQ(file.parent_path(), "/b/.cmake/api/v1/reply");
        const auto found = files.find(file.filename());
        if (found == files.end()) return std::nullopt;
        return found->second;
      });
}

TEST(CmakeApi, FindsTheCallInTheUsersOwnCode) {
  const auto target = find(reply(), "/b/bin/t");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->name, "t");
  EXPECT_EQ(target->file, "/src/sub/CMakeLists.txt");
  EXPECT_EQ(target->line, 4);
}

TEST(CmakeApi, KnowsNoTargetOfAnotherProgram) {
  EXPECT_FALSE(find(reply(), "/b/bin/other"));
}

TEST(CmakeApi, TakesDamageForNoAnswer) {
  for (const char* file : {"index-1.json", "codemodel.json", "t.json"}) {
    auto files = reply();
    files[file] = "[1, {";
    EXPECT_FALSE(find(files, "/b/bin/t")) << file;
    files[file] = R"({"objects": 3, "configurations": {}, "type": []})";
    EXPECT_FALSE(find(files, "/b/bin/t")) << file;
  }
  auto files = reply();
  files["t.json"] = R"({"type":"EXECUTABLE","name":"t","artifacts":[{"path":"bin/t"}],
      "backtrace":1,"backtraceGraph":{"commands":["add_executable"],"files":["CMakeLists.txt"],
      "nodes":[{"file":7},{"file":0,"line":3,"command":0,"parent":1}]}})";  // its own parent
  const auto target = find(files, "/b/bin/t");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->line, 3);
}

TEST(CmakeCache, HasValuesByName) {
  const auto cache = parse_cmake_cache(
      "# comment\n//help\nCMAKE_HOME_DIRECTORY:INTERNAL=/src/a=b\nX-ADVANCED:INTERNAL=1\nodd\n");
  EXPECT_EQ(cache.at("CMAKE_HOME_DIRECTORY"), "/src/a=b");
  EXPECT_EQ(cache.size(), 2u);
}

}  // namespace
}  // namespace gordian
