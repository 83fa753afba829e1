// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/database.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

class PlainDatabase : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    auto opened = Database::open(dir_ / "db", Database::Mode::create);
    ASSERT_DONE(opened);
    database_.emplace(*std::move(opened));
    ASSERT_DONE(database_->run_script("CREATE TABLE t (x)"));
  }
  std::int64_t count() {
    return database_->prepare("SELECT count(*) FROM t").first_integer()->value_or(-1);
  }
  std::optional<Database> database_;
};

TEST_F(PlainDatabase, ValuesAreBoundNotPasted) {
  const std::string text = "x'); DROP TABLE t; --";
  ASSERT_DONE(database_->prepare("INSERT INTO t VALUES (?1)").run(text));
  Statement select = database_->prepare("SELECT x FROM t WHERE x = ?1");
  ASSERT_TRUE(*select.bind(text).step());
  EXPECT_EQ(select.text(0), text);
  EXPECT_FALSE(*select.step());
}

TEST_F(PlainDatabase, EmptyTextIsNotNull) {
  ASSERT_DONE(database_->prepare("INSERT INTO t VALUES (?1)").run(std::string_view()));
  ASSERT_DONE(database_->prepare("INSERT INTO t VALUES (?1)").run(Bytes()));
  EXPECT_EQ(*database_->prepare("SELECT count(*) FROM t WHERE x IS NULL").first_integer(), 0);
}

TEST_F(PlainDatabase, WrongSqlIsReportedByTheFirstStep) {
  Statement statement = database_->prepare("SELECT x FROM nowhere");
  const auto row = statement.bind(1).step();
  ASSERT_FALSE(row.ok());
  EXPECT_NE(row.error().message.find("nowhere"), std::string::npos) << row.error().message;
  EXPECT_NE(row.error().message.find((dir_ / "db").string()), std::string::npos);
}

TEST_F(PlainDatabase, TooManyValuesAreReported) {
  EXPECT_FALSE(database_->prepare("INSERT INTO t VALUES (?1)").run(1, 2).ok());
  EXPECT_EQ(count(), 0);
}

TEST_F(PlainDatabase, LeavingATransactionRollsBack) {
  {
    auto transaction = Transaction::begin(*database_, Transaction::Kind::write);
    ASSERT_DONE(transaction);
    ASSERT_DONE(database_->prepare("INSERT INTO t VALUES (?1)").run(1));
  }
  EXPECT_FALSE(database_->in_transaction());
  EXPECT_EQ(count(), 0);
}

TEST_F(PlainDatabase, CommitKeeps) {
  auto transaction = Transaction::begin(*database_, Transaction::Kind::write);
  ASSERT_DONE(transaction);
  ASSERT_DONE(database_->prepare("INSERT INTO t VALUES (?1)").run(1));
  ASSERT_DONE(transaction->commit());
  EXPECT_EQ(count(), 1);
}

// SQLite reports its page limit exactly as it reports a full disk.
TEST_F(PlainDatabase, FullDiskIsExplainedAndRolledBack) {
  ASSERT_DONE(database_->run_script("PRAGMA max_page_count = 10"));
  Status status;
  {
    auto transaction = Transaction::begin(*database_, Transaction::Kind::write);
    ASSERT_DONE(transaction);
    status = database_->prepare("INSERT INTO t VALUES (?1)").run(std::string(1 << 20, 'x'));
  }
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::internal);
  EXPECT_NE(status.error().message.find("disk is full"), std::string::npos);
  EXPECT_NE(status.error().hint.find("--db OTHER"), std::string::npos);
  EXPECT_EQ(count(), 0);
}

TEST_F(PlainDatabase, ReadOnlyIsExplained) {
  ASSERT_DONE(database_->run_script("PRAGMA query_only = ON"));
  const Status status = database_->prepare("INSERT INTO t VALUES (?1)").run(1);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::usage);
  EXPECT_NE(status.error().message.find("for writing"), std::string::npos);
}

TEST_F(PlainDatabase, MissingFileIsNotCreatedUnasked) {
  const auto opened = Database::open(dir_ / "other", Database::Mode::existing);
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().message.find("other"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(dir_ / "other"));
}

}  // namespace
}  // namespace gordian::store_test
