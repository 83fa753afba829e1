// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One program with libc++ and with libstdc++: the same values read the same, whoever keeps them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "state/heap_blocks.h"
#include "state/process_image.h"
#include "state/type_shape.h"
#include "state/value_compare.h"
#include "symbols/debug_info.h"
#include "symbols/process_memory.h"

namespace gordian {
namespace {

class Program {
 public:
  Program(const std::string& path, const char* how) {
    int done[2];
    if (::pipe(done) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(done[1], STDOUT_FILENO);
      ::execl(path.c_str(), path.c_str(), how, nullptr);
      ::_exit(127);
    }
    ::close(done[1]);
    char letter = 0;
    EXPECT_EQ(::read(done[0], &letter, 1), 1);
    ::close(done[0]);
    image_.emplace(pid_);
    blocks_ = HeapBlocks(*image_, read_mappings(pid_));
  }
  ~Program() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  MemoryView view() const { return {&*image_, &blocks_}; }

 private:
  pid_t pid_ = -1;
  std::optional<ProcessImage> image_;
  HeapBlocks blocks_;
};

class LibraryValues : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(path())) GTEST_SKIP() << "no clang++ -stdlib=libc++ here";
    auto opened = DebugInfo::open(path());
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    info_.emplace(std::move(*opened));
  }
  std::string path() const { return std::string(GORDIAN_STATE_FIXTURES) + "/values_" + GetParam(); }

  std::vector<Variable> variables() const {
    std::vector<Variable> found;
    for (const Variable& variable : info_->variables()) {
      if (variable.name.starts_with("g_")) found.push_back(variable);
    }
    return found;
  }

  /// "g_x: old -> new" of all variables.
  std::map<std::string, std::string> changes(const char* how) {
    const Program before(path(), "first"), after(path(), how);
    const ProgramNames names;
    std::map<std::string, std::string> lines;
    for (const Variable& variable : variables()) {
      const Type* type = info_->type(variable.type_id);
      if (type == nullptr) continue;
      ValueComparer comparer(before.view(), after.view(), names);
      for (const Difference& difference :
           comparer.differences(variable.name, *type, variable.address, variable.address)) {
        lines[difference.name] = difference.old_text + " -> " + difference.new_text;
      }
    }
    return lines;
  }

  std::optional<DebugInfo> info_;
};

INSTANTIATE_TEST_SUITE_P(Of, LibraryValues, testing::Values("libc++", "libstdc++"),
                         [](const auto& library) {
                           return std::string(library.param == "libc++" ? "libcxx" : "libstdcxx");
                         });

TEST_P(LibraryValues, ReadAsTheyWereWritten) {
  const Program program(path(), "first");
  const ProgramNames names;
  std::map<std::string, std::string> texts;
  for (const Variable& variable : variables()) {
    const Type* type = info_->type(variable.type_id);
    ASSERT_NE(type, nullptr) << variable.name;
    texts[variable.name] = value_text(program.view(), names, *type, variable.address);
  }
  using testing::Pair;
  EXPECT_THAT(
      texts,
      testing::IsSupersetOf(
          {Pair("g_short", "\"short\""), Pair("g_long", "\"long enough to be kept on the heap A\""),
           Pair("g_view", "\"view\""), Pair("g_vector", "{1, 2, 3}"),
           Pair("g_map", "{\"one\": 1, \"three\": 3, \"two\": 2}"), Pair("g_set", "{1, 2, 3}"),
           Pair("g_letters", "{'a', 'b'}"), Pair("g_hash", "{7: \"A\"}"), Pair("g_list", "{1, 3}"),
           Pair("g_forward", "{1, 3}"), Pair("g_deque", "{1, 2, 3}"), Pair("g_maybe", "3")}));
}

TEST_P(LibraryValues, TheSameValuesElsewhereAreNoChange) {
  EXPECT_THAT(changes("stirred"), testing::IsEmpty());
}

TEST_P(LibraryValues, WhatChangedIsNamedByItsMeaning) {
  const auto found = changes("changed");
  using testing::Pair;
  EXPECT_THAT(found,
              testing::IsSupersetOf(
                  {Pair("g_short", "\"short\" -> \"other\""), Pair("g_vector[2]", "3 -> 9"),
                   Pair("g_map[\"three\"]", "3 -> 9"), Pair("g_set", "{1, 2, 3} -> {1, 2, 9}"),
                   Pair("g_hash[7]", "\"A\" -> \"B\""), Pair("*g_unique", "3 -> 9"),
                   Pair("*g_shared", "\"A\" -> \"B\"")}));
}

TEST_P(LibraryValues, TypesAreWrittenAsPeopleDo) {
  const Variable* map = info_->variable_named("g_map");
  ASSERT_NE(map, nullptr);
  EXPECT_EQ(type_text(*info_->type(map->type_id)), "std::map<std::string, int>");
}

}  // namespace
}  // namespace gordian
