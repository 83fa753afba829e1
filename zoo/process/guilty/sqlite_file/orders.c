// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <assert.h>
#include <sqlite3.h>
#include <string.h>

static sqlite3* db;

static void run(const char* sql) {
  assert(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
}

static int number(const char* sql) {
  sqlite3_stmt* statement = NULL;
  assert(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK);
  assert(sqlite3_step(statement) == SQLITE_ROW);
  int value = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  return value;
}

int main(int argc, char** argv) {
  assert(argc == 2);
  assert(sqlite3_open("shop.db", &db) == SQLITE_OK);
  run("CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, item TEXT)");
  if (strcmp(argv[1], "empty") == 0) assert(number("SELECT count(*) FROM orders") == 0);
  if (strcmp(argv[1], "place") == 0) run("INSERT INTO orders (item) VALUES ('rope')");
  if (strcmp(argv[1], "table") == 0) {
    assert(number("SELECT count(*) FROM sqlite_schema WHERE name = 'orders'") == 1);
  }
  sqlite3_close(db);
  return 0;
}
