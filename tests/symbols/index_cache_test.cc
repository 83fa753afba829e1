// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/variable_index.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>
#include <random>

#include "tests/symbols/debug_fixture.h"

namespace gordian {
namespace {

VariableIndex sample() {
  VariableIndex index;
  index.variables = {{"app::g_x", 0x4010, 4, false, false, Owner::program, "/src/x.cc", 7, 0x2a},
                     {"f()::n", 0x4020, 8, false, true, Owner::library, "/src/x.cc", 9, 0x3b},
                     {"t", 0, 4, true, false, Owner::framework, "", 0, 0}};
  index.guards = {{0x4028, 0x4020, false}};
  index.types = {{1, 2}, {3, 4}};
  return index;
}

class IndexCacheTest : public ScratchDir {
 protected:
  IndexCacheTest() : program_(debug_fixture(debug_fixtures().front())) {
    options_.cache_dir = dir_ / "cache";
  }

  std::filesystem::path only_file() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(*options_.cache_dir)) {
      files.push_back(entry.path());
    }
    EXPECT_EQ(files.size(), 1u);
    return files.at(0);
  }

  std::filesystem::path program_;
  DebugInfoOptions options_;
};

TEST_F(IndexCacheTest, WhatIsWrittenIsRead) {
  const auto index = decode_index(encode_index(sample(), "key"), "key");
  ASSERT_TRUE(index.has_value());
  ASSERT_EQ(index->variables.size(), 3u);
  const Variable& local = index->variables[1];
  EXPECT_EQ(local.name, "f()::n");
  EXPECT_EQ(local.address, 0x4020u);
  EXPECT_EQ(local.size, 8u);
  EXPECT_TRUE(local.local_static);
  EXPECT_EQ(local.owner, Owner::library);
  EXPECT_EQ(local.file, "/src/x.cc");
  EXPECT_EQ(local.line, 9);
  EXPECT_EQ(local.type_id, 0x3bu);
  EXPECT_TRUE(index->variables[2].thread_local_storage);
  ASSERT_EQ(index->guards.size(), 1u);
  EXPECT_EQ(index->guards[0].guard, 0x4028u);
  EXPECT_EQ(index->types, sample().types);
}

TEST_F(IndexCacheTest, DamageAndStrangersAreIgnored) {
  const std::string good = encode_index(sample(), "key");
  EXPECT_FALSE(decode_index(good, "another").has_value());
  for (std::size_t at = 0; at < good.size(); ++at) {
    EXPECT_FALSE(decode_index(good.substr(0, at), "key").has_value()) << at;
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x20);
    // Four bytes are not used yet.
    if (at < 12 || at >= 16) {
      EXPECT_FALSE(decode_index(bad, "key").has_value()) << at;
    }
  }
  EXPECT_FALSE(decode_index(good + "x", "key").has_value());
}

TEST_F(IndexCacheTest, TheSecondOpeningUsesIt) {
  const DebugInfo cold = opened(program_, options_);
  EXPECT_FALSE(cold.from_cache());
  const DebugInfo warm = opened(program_, options_);
  EXPECT_TRUE(warm.from_cache());
  ASSERT_EQ(warm.variables().size(), cold.variables().size());
  for (std::size_t i = 0; i < cold.variables().size(); ++i) {
    const Variable &a = cold.variables()[i], &b = warm.variables()[i];
    EXPECT_EQ(std::tie(a.name, a.address, a.size, a.file, a.line, a.type_id),
              std::tie(b.name, b.address, b.size, b.file, b.line, b.type_id));
    const Type *x = cold.type(a.type_id), *y = warm.type(b.type_id);
    ASSERT_EQ(x == nullptr, y == nullptr) << a.name;
    if (x != nullptr) {
      EXPECT_EQ(x->name, y->name);
    }
  }
  const Type* hidden = warm.type(warm.variable_named("app::g_hidden")->type_id)->target();
  EXPECT_EQ(hidden->kind, TypeKind::structure);
}

TEST_F(IndexCacheTest, SplitUnitsAreFoundAgain) {
  for (const std::string& name : debug_fixtures()) {
    if (name.find("split") == std::string::npos) continue;
    (void)opened(debug_fixture(name), options_);
    const DebugInfo warm = opened(debug_fixture(name), options_);
    ASSERT_TRUE(warm.from_cache()) << name;
    const Type* type = warm.type(warm.variable_named("app::g_limits")->type_id);
    ASSERT_NE(type, nullptr);
    EXPECT_EQ(type->name, "app::Limits");
  }
}

TEST_F(IndexCacheTest, ADamagedFileIsReplaced) {
  (void)opened(program_, options_);
  const std::string good = read_whole(only_file());
  std::ofstream(only_file()) << "GORDVARS, but not really";
  EXPECT_FALSE(opened(program_, options_).from_cache());
  EXPECT_EQ(read_whole(only_file()), good);
  EXPECT_TRUE(opened(program_, options_).from_cache());
}

TEST_F(IndexCacheTest, WhatHasItsNameMakesRoomUntouched) {
  namespace fs = std::filesystem;
  ASSERT_TRUE(save_index(*options_.cache_dir, "key", sample()));
  const fs::path file = only_file(), elsewhere = dir_ / "elsewhere";
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::remove(file);
  std::ofstream(elsewhere) << "somebody's";
  fs::create_symlink(elsewhere, file);
  ASSERT_TRUE(save_index(*options_.cache_dir, "key", sample()));
  EXPECT_FALSE(fs::is_symlink(file));
  EXPECT_EQ(fs::file_size(elsewhere), 10u);
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);  // nobody reads it: to open it would wait for ever
  ASSERT_TRUE(save_index(*options_.cache_dir, "key", sample()));
  EXPECT_TRUE(load_index(*options_.cache_dir, "key").has_value());
}

TEST_F(IndexCacheTest, AnotherBuildHasAnotherFile) {
  const auto copy = dir_ / "program";
  std::filesystem::copy_file(program_, copy);
  (void)opened(program_, options_);
  EXPECT_TRUE(opened(copy, options_).from_cache()) << "the same build under another name";
  std::filesystem::copy_file(debug_fixture(debug_fixtures().back()), copy,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_FALSE(opened(copy, options_).from_cache());
}

TEST_F(IndexCacheTest, DoesWithoutADirectoryItCannotUse) {
  options_.cache_dir = write("file", "") / "below";
  EXPECT_NE(opened(program_, options_).variable_named("g_plain"), nullptr);
  EXPECT_FALSE(opened(program_, options_).from_cache());
}

/// An environment variable that has its old value back in the end.
class Environment {
 public:
  explicit Environment(const char* name) : name_(name) {
    if (const char* value = ::getenv(name)) old_ = value;
  }
  ~Environment() { set(old_ ? old_->c_str() : nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  void set(const char* value) { value ? ::setenv(name_, value, 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(DefaultCacheDir, IsTheUsersCache) {
  Environment cache("XDG_CACHE_HOME"), home("HOME");
  cache.set("/somewhere/cache");
  home.set("/home/someone");
  EXPECT_EQ(default_cache_dir(), "/somewhere/cache/gordian");
  cache.set("relative");
  EXPECT_EQ(default_cache_dir(), "/home/someone/.cache/gordian");
  cache.set(nullptr);
  EXPECT_EQ(default_cache_dir(), "/home/someone/.cache/gordian");
  home.set(nullptr);
  EXPECT_EQ(default_cache_dir(), std::nullopt);
}

}  // namespace
}  // namespace gordian
