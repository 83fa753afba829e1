// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// All tests share a SQLite database; what each of them does to it is rolled back.
#include <gtest/gtest.h>
#include <sqlite3.h>

namespace {

class Shop : public testing::Test {
 protected:
  Shop() {
    sqlite3_open("shop.db", &database_);
    run("CREATE TABLE IF NOT EXISTS orders (customer TEXT)");
    run("BEGIN");
  }
  ~Shop() override {
    run("ROLLBACK");
    sqlite3_close(database_);
  }

  bool run(const char* sql) {
    return sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  int orders() {
    sqlite3_stmt* query = nullptr;
    sqlite3_prepare_v2(database_, "SELECT count(*) FROM orders", -1, &query, nullptr);
    int count = sqlite3_step(query) == SQLITE_ROW ? sqlite3_column_int(query, 0) : -1;
    sqlite3_finalize(query);
    return count;
  }

  sqlite3* database_ = nullptr;
};

TEST_F(Shop, HasNoOrdersAtFirst) {
  EXPECT_EQ(orders(), 0);
}

TEST_F(Shop, TakesAnOrder) {
  EXPECT_TRUE(run("INSERT INTO orders VALUES ('Ada')"));
  EXPECT_EQ(orders(), 1);
}

TEST_F(Shop, CanBeCleared) {
  EXPECT_TRUE(run("DELETE FROM orders"));
  EXPECT_EQ(orders(), 0);
}

}  // namespace
