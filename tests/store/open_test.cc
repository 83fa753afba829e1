// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which files the store opens, which it creates, and which it refuses without touching them.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>
#include <string>

#include "store/open_file.h"
#include "store/schema.h"
#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

namespace fs = std::filesystem;

class OpenFile : public StoreTest {
 protected:
  /// A file of ours with enough rows to fill many pages; everything is in the main file.
  void make_filled(const fs::path& file) {
    auto store = RunStore::open(file);
    ASSERT_DONE(store);
    const Suite suite = numbered_suite(2000);
    ASSERT_DONE(store->begin_run(plain_header(), suite, suite.default_order()));
  }

  /// Opening must fail, name the file, give a hint, and leave every byte as it was.
  Error expect_refused(const fs::path& file) {
    const std::string before = read_file(file);
    const auto opened = RunStore::open(file);
    EXPECT_EQ(read_file(file), before);
    EXPECT_FALSE(opened.ok());
    if (opened.ok()) return {};
    EXPECT_NE(opened.error().message.find(file.string()), std::string::npos);
    EXPECT_NE(opened.error().hint.find("--db"), std::string::npos) << opened.error().message;
    return opened.error();
  }

  bool mentions(const Error& error, const std::string& text) {
    return (error.message + error.hint).find(text) != std::string::npos;
  }
};

TEST_F(OpenFile, CreatesDirectoryAndHidesItFromGit) {
  ASSERT_DONE(RunStore::open(dir_ / "project" / ".gordian" / "gordian.db"));
  EXPECT_EQ(read_file(dir_ / "project" / ".gordian" / ".gitignore"), "*\n");
}

TEST_F(OpenFile, HidesNothingElseFromGit) {
  ASSERT_DONE(RunStore::open(dir_ / "mine" / "results.db"));
  EXPECT_FALSE(fs::exists(dir_ / "mine" / ".gitignore"));
}

TEST_F(OpenFile, KeepsAnExistingGitignore) {
  fs::create_directory(dir_ / ".gordian");
  write_file(dir_ / ".gordian" / ".gitignore", "mine\n");
  ASSERT_DONE(RunStore::open(dir_ / ".gordian" / "gordian.db"));
  EXPECT_EQ(read_file(dir_ / ".gordian" / ".gitignore"), "mine\n");
}

unsigned mode_of(const fs::path& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 ? found.st_mode & 07777U : 0;
}

TEST_F(OpenFile, NewFilesAreForTheirOwnerAlone) {
  const fs::path place = dir_ / "project" / ".gordian", other = dir_ / "results.db";
  auto store = RunStore::open(place / "gordian.db");
  ASSERT_DONE(store);
  ASSERT_DONE(store->begin_run(plain_header(), numbered_suite(1), {TestId{0}}));
  ASSERT_DONE(RunStore::open(other));
  EXPECT_EQ(mode_of(place), 0700U);
  for (const char* tail : {"", "-wal", "-shm"}) {
    EXPECT_EQ(mode_of(place / ("gordian.db" + std::string(tail))), 0600U) << tail;
  }
  EXPECT_EQ(mode_of(other), 0600U);
}

TEST_F(OpenFile, TheDefaultPlaceIsClosedWhenItIsMetOpen) {
  const fs::path place = dir_ / ".gordian";
  ASSERT_DONE(RunStore::open(place / "gordian.db"));
  ASSERT_EQ(::chmod(place.c_str(), 0755), 0);
  ASSERT_EQ(::chmod((place / "gordian.db").c_str(), 0644), 0);
  ASSERT_DONE(RunStore::open(place / "gordian.db"));
  EXPECT_EQ(mode_of(place), 0700U);
  EXPECT_EQ(mode_of(place / "gordian.db"), 0600U);
}

TEST_F(OpenFile, APlaceOfTheUsersChoiceKeepsItsMode) {
  ASSERT_DONE(RunStore::open(dir_ / "team" / "results.db"));
  ASSERT_EQ(::chmod((dir_ / "team").c_str(), 0775), 0);
  ASSERT_EQ(::chmod((dir_ / "team/results.db").c_str(), 0664), 0);
  ASSERT_DONE(RunStore::open(dir_ / "team" / "results.db"));
  EXPECT_EQ(mode_of(dir_ / "team"), 0775U);
  EXPECT_EQ(mode_of(dir_ / "team/results.db"), 0664U);
  fs::create_directory_symlink("team", dir_ / ".gordian");  // his own link: likewise
  ASSERT_DONE(RunStore::open(dir_ / ".gordian" / "results.db"));
  EXPECT_EQ(mode_of(dir_ / "team"), 0775U);
}

TEST_F(OpenFile, SomebodyElsesLinkIsRefused) {
  fs::create_directory(dir_ / "elsewhere");
  fs::create_directory_symlink("elsewhere", dir_ / ".gordian");
  if (::lchown((dir_ / ".gordian").c_str(), 12345, 12345) != 0) GTEST_SKIP() << "needs root";
  const auto opened = RunStore::open(dir_ / ".gordian" / "gordian.db");
  ASSERT_FALSE(opened.ok());
  EXPECT_TRUE(mentions(opened.error(), "another user has made"));
  EXPECT_TRUE(fs::is_empty(dir_ / "elsewhere"));
}

TEST_F(OpenFile, UsesWalForeignKeysAndOurMark) {
  auto database = open_database(dir_ / "db");
  ASSERT_DONE(database);
  Statement mode = database->prepare("PRAGMA journal_mode");
  ASSERT_TRUE(*mode.step());
  EXPECT_EQ(mode.text(0), "wal");
  EXPECT_EQ(*database->prepare("PRAGMA foreign_keys").first_integer(), 1);
  EXPECT_EQ(*database->prepare("PRAGMA synchronous").first_integer(), 1);
  EXPECT_EQ(*database->prepare("PRAGMA busy_timeout").first_integer(), 10'000);
  EXPECT_EQ(*database->prepare("PRAGMA application_id").first_integer(), kApplicationId);
  EXPECT_EQ(*database->prepare("PRAGMA user_version").first_integer(), schema_version());
}

TEST_F(OpenFile, OddNamesArePlainFiles) {
  for (const char* name : {"a b.db", "file:x.db?mode=memory", "%41#?.db", "\xc3\xa4\xff.db",
                           "'quote\"\n.db", "-x.db", ";DROP"}) {
    {
      auto store = RunStore::open(dir_ / name);
      ASSERT_DONE(store);
      ASSERT_DONE(store->begin_run(plain_header(), numbered_suite(1), {TestId{0}}));
    }
    EXPECT_TRUE(fs::is_regular_file(dir_ / name)) << name;
    EXPECT_EQ(RunStore::open(dir_ / name)->latest_run().value(), RunId{1}) << name;
  }
}

TEST_F(OpenFile, RelativeMemoryNameIsAFileToo) {
  const fs::path before = fs::current_path();
  fs::current_path(dir_);
  const bool opened = RunStore::open(":memory:").ok();
  fs::current_path(before);
  EXPECT_TRUE(opened);
  EXPECT_TRUE(fs::is_regular_file(dir_ / ":memory:"));
}

TEST_F(OpenFile, EmptyFileCountsAsMissing) {
  write_file(dir_ / "db", "");
  auto store = RunStore::open(dir_ / "db");
  ASSERT_DONE(store);
  EXPECT_TRUE(store->begin_run(plain_header(), numbered_suite(1), {TestId{0}}).ok());
}

TEST_F(OpenFile, RefusesText) {
  write_file(dir_ / "notes.txt", "do not lose these notes\n");
  EXPECT_TRUE(mentions(expect_refused(dir_ / "notes.txt"), "no SQLite file"));
}

TEST_F(OpenFile, RefusesRandomBytes) {
  std::mt19937 random(1);
  std::string bytes(10'000, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  write_file(dir_ / "db", bytes);
  EXPECT_TRUE(mentions(expect_refused(dir_ / "db"), "left untouched"));
}

TEST_F(OpenFile, RefusesRandomBytesBehindAGoodHead) {
  make_filled(dir_ / "db");
  std::string bytes = read_file(dir_ / "db");
  std::mt19937 random(1);
  for (std::size_t i = 100; i < bytes.size(); ++i) bytes[i] = static_cast<char>(random());
  write_file(dir_ / "db", bytes);
  const Error error = expect_refused(dir_ / "db");
  EXPECT_EQ(error.kind, ErrorKind::internal);
  EXPECT_TRUE(mentions(error, "damaged"));
  EXPECT_TRUE(mentions(error, "left untouched"));
}

TEST_F(OpenFile, RefusesAFileCutInTheMiddleOfAPage) {
  make_filled(dir_ / "whole");
  const std::string whole = read_file(dir_ / "whole");
  ASSERT_GT(whole.size(), 100'000U);
  for (std::size_t size : {std::size_t{50}, std::size_t{1000}, std::size_t{4096},
                           whole.size() / 2 + 123, whole.size() - 1000}) {
    write_file(dir_ / "db", whole.substr(0, size));
    EXPECT_TRUE(mentions(expect_refused(dir_ / "db"), "left untouched")) << size;
  }
}

TEST_F(OpenFile, RefusesAFileCutShortThatIsTooLargeToReadInFull) {
  {
    auto store = RunStore::open(dir_ / "db");
    ASSERT_DONE(store);
    const Order order(300, TestId{0});
    auto run = store->begin_run(plain_header(), numbered_suite(1), order);
    ASSERT_DONE(run);
    std::vector<PositionedRun> results = passes(order, 0, order.size());
    for (PositionedRun& result : results) result.run.output.assign(60'000, 'x');
    ASSERT_DONE(store->add_results(*run, 0, results));
  }
  ASSERT_GT(fs::file_size(dir_ / "db"), kFullCheckBytes + 8192);
  fs::resize_file(dir_ / "db", kFullCheckBytes + 4096);
  EXPECT_TRUE(mentions(expect_refused(dir_ / "db"), "damaged"));
}

TEST_F(OpenFile, RefusesADamagedPage) {
  make_filled(dir_ / "db");
  std::string bytes = read_file(dir_ / "db");
  bytes.replace(bytes.size() / 2 / 4096 * 4096, 512, std::string(512, '\x5a'));
  write_file(dir_ / "db", bytes);
  EXPECT_TRUE(mentions(expect_refused(dir_ / "db"), "damaged"));
}

TEST_F(OpenFile, RefusesTheDatabaseOfAnotherProgram) {
  {
    auto other = Database::open(dir_ / "db", Database::Mode::create);
    ASSERT_DONE(other);
    ASSERT_DONE(other->run_script("PRAGMA journal_mode = WAL; CREATE TABLE runs (id INTEGER)"));
  }
  EXPECT_TRUE(mentions(expect_refused(dir_ / "db"), "another program"));
  EXPECT_FALSE(fs::exists(dir_ / "db-wal"));
}

TEST_F(OpenFile, LeavesTheUnfinishedLogOfAnotherProgramAlone) {
  auto other = Database::open(dir_ / "db", Database::Mode::create);
  ASSERT_DONE(other);
  ASSERT_DONE(other->run_script("PRAGMA journal_mode = WAL; CREATE TABLE t (x)"));
  other->checkpoint_on_close(false);
  *other = *Database::open(dir_ / "elsewhere", Database::Mode::create);  // closes it
  const std::string log = read_file(dir_ / "db-wal");
  ASSERT_FALSE(log.empty());
  expect_refused(dir_ / "db");
  EXPECT_EQ(read_file(dir_ / "db-wal"), log);
}

TEST_F(OpenFile, RefusesANewerVersion) {
  {
    auto database = open_database(dir_ / "db");
    ASSERT_DONE(database);
    ASSERT_DONE(database->run_script("PRAGMA user_version = 1000"));
  }
  const Error error = expect_refused(dir_ / "db");
  EXPECT_TRUE(mentions(error, "newer Gordian"));
  EXPECT_TRUE(mentions(error, "1000"));
  EXPECT_TRUE(mentions(error, "update Gordian"));
}

TEST_F(OpenFile, RefusesADirectory) {
  fs::create_directory(dir_ / "db");
  const auto opened = RunStore::open(dir_ / "db");
  ASSERT_FALSE(opened.ok());
  EXPECT_TRUE(mentions(opened.error(), "is a directory"));
  EXPECT_FALSE(RunStore::open(dir_ / "missing" / "").ok());
  EXPECT_FALSE(fs::exists(dir_ / "missing"));
}

TEST_F(OpenFile, RefusesADevice) {
  const auto opened = RunStore::open("/dev/null");
  ASSERT_FALSE(opened.ok());
  EXPECT_TRUE(mentions(opened.error(), "not a regular file"));
}

TEST_F(OpenFile, ExplainsADirectoryThatCannotBeMade) {
  write_file(dir_ / "file", "content");
  for (const fs::path& below : {dir_ / "file" / "db", dir_ / "file" / ".gordian" / "db"}) {
    const auto opened = RunStore::open(below);
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().kind, ErrorKind::usage);
    EXPECT_TRUE(mentions(opened.error(), "cannot create the directory")) << opened.error().message;
    EXPECT_TRUE(mentions(opened.error(), "--db OTHER"));
  }
  EXPECT_EQ(read_file(dir_ / "file"), "content");
}

TEST_F(OpenFile, RefusesAnEmptyName) {
  EXPECT_EQ(RunStore::open("").error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace gordian::store_test
