// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstring>

namespace gordian {
namespace {

/// Turns a SQLite code into a sentence that names the file and says what to do.
Error explain(int code, const std::string& file, const std::string& detail, int system_errno) {
  const std::string because =
      system_errno != 0 ? fmt::format("{} ({})", detail, std::strerror(system_errno)) : detail;
  switch (code & 0xff) {
    case SQLITE_FULL:
      return internal_error(fmt::format("cannot write to {}: the disk is full", file),
                            "free some space, or keep the results elsewhere with --db OTHER");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return internal_error(
          fmt::format("{} has been locked by another process for {} seconds", file,
                      std::chrono::duration_cast<std::chrono::seconds>(kBusyTimeout).count()),
          "wait until the other process ends, or use --db OTHER");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
      return usage_error(fmt::format("cannot open {} for writing: {}", file, because),
                         "check that the directory is writable, or use --db OTHER");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return internal_error(fmt::format("the database {} is damaged: {}", file, detail),
                            "move the file away, or use --db OTHER");
    case SQLITE_IOERR:
      return internal_error(fmt::format("cannot read or write {}: {}", file, because),
                            "check the disk, or use --db OTHER");
    default:
      return internal_error(fmt::format("the database {} failed: {}", file, because));
  }
}

std::string file_of(sqlite3* handle) {
  const char* name = sqlite3_db_filename(handle, "main");
  return name != nullptr ? name : "";
}

Error explain(sqlite3* handle, int code) {
  const int base = code & 0xff;
  const bool system = base == SQLITE_IOERR || base == SQLITE_CANTOPEN;
  return explain(code, file_of(handle), sqlite3_errmsg(handle),
                 system ? sqlite3_system_errno(handle) : 0);
}

}  // namespace

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Statement::rewind() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_.get());  // repeats the error of the last step, which was reported then
  sqlite3_clear_bindings(statement_.get());
}

void Statement::note(int code) {
  if (code != SQLITE_OK && !failed_) failed_ = explain(sqlite3_db_handle(statement_.get()), code);
}

void Statement::bind_integer(int index, std::int64_t value) {
  if (!failed_) note(sqlite3_bind_int64(statement_.get(), index, value));
}

void Statement::bind_value(int index, std::string_view text) {
  if (failed_) return;
  const char* data = text.empty() ? "" : text.data();  // a null pointer would bind NULL
  note(sqlite3_bind_text64(statement_.get(), index, data, text.size(), SQLITE_TRANSIENT,
                           SQLITE_UTF8));
}

void Statement::bind_value(int index, Bytes bytes) {
  if (failed_) return;
  const void* data = bytes.empty() ? static_cast<const void*>("") : bytes.data();
  note(sqlite3_bind_blob64(statement_.get(), index, data, bytes.size(), SQLITE_TRANSIENT));
}

void Statement::bind_null(int index) {
  if (!failed_) note(sqlite3_bind_null(statement_.get(), index));
}

Result<bool> Statement::step() {
  if (failed_) return *failed_;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return explain(sqlite3_db_handle(statement_.get()), code);
}

Result<std::optional<std::int64_t>> Statement::first_integer() {
  Result<bool> row = step();
  if (!row) return row.error();
  std::optional<std::int64_t> value;
  if (*row && !is_null(0)) value = integer(0);
  rewind();
  return value;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const Bytes all = bytes(column);
  return {reinterpret_cast<const char*>(all.data()), all.size()};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

Bytes Statement::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_.get(), column);
  if (data == nullptr) return {};
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return {static_cast<const std::byte*>(data), static_cast<std::size_t>(size)};
}

void Database::Closer::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Result<Database> Database::open(const std::filesystem::path& file, Mode mode) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                    (mode == Mode::create ? SQLITE_OPEN_CREATE : 0);
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
  Database database;
  database.handle_.reset(handle);  // even a failed open may leave a handle to close
  if (code != SQLITE_OK) {
    const std::string detail = handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
    return explain(code, file.string(), detail, handle ? sqlite3_system_errno(handle) : 0);
  }
  sqlite3_busy_timeout(handle, static_cast<int>(kBusyTimeout.count()));
  return database;
}

Status Database::run_script(const char* sql) {
  const int code = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return explain(handle_.get(), code);
  return {};
}

Statement Database::prepare(std::string_view sql) {
  Statement statement;
  sqlite3_stmt* raw = nullptr;
  const int code =
      sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
  statement.statement_.reset(raw);
  if (code != SQLITE_OK) statement.failed_ = explain(handle_.get(), code);
  return statement;
}

// Through SQLite's own descriptor: were we to open and close the file ourselves, POSIX would drop
// the locks that other connections of this process hold on it.
Result<std::string> Database::read_head(std::size_t limit) {
  sqlite3_file* file = nullptr;
  int code = sqlite3_file_control(handle_.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return explain(handle_.get(), code);
  sqlite3_int64 size = 0;
  code = file->pMethods->xFileSize(file, &size);
  std::string head(std::min(limit, static_cast<std::size_t>(size)), '\0');
  if (code == SQLITE_OK && !head.empty()) {
    code = file->pMethods->xRead(file, head.data(), static_cast<int>(head.size()), 0);
  }
  if (code != SQLITE_OK) return explain(code, this->file(), sqlite3_errstr(code), 0);
  return head;
}

void Database::checkpoint_on_close(bool on) {
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on ? 0 : 1, nullptr);
}

std::int64_t Database::last_insert_id() const {
  return sqlite3_last_insert_rowid(handle_.get());
}

std::int64_t Database::changed_rows() const {
  return sqlite3_changes(handle_.get());
}

std::string Database::file() const {
  return file_of(handle_.get());
}

bool Database::in_transaction() const {
  return sqlite3_get_autocommit(handle_.get()) == 0;
}

bool Database::is_busy() const {
  return (sqlite3_errcode(handle_.get()) & 0xff) == SQLITE_BUSY;
}

bool Database::is_damaged() const {
  const int code = sqlite3_errcode(handle_.get()) & 0xff;
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

Result<Transaction> Transaction::begin(Database& database, Kind kind) {
  // A deferred transaction that turns writer half-way can fail at once; asking first can wait.
  const char* sql = kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN";
  if (Status status = database.run_script(sql); !status) return status.error();
  return Transaction(database);
}

Status Transaction::commit() {
  Status status = database_->run_script("COMMIT");
  if (status) database_ = nullptr;
  return status;
}

Transaction::~Transaction() {
  // SQLite may have rolled back by itself (a full disk does that).
  if (database_ != nullptr && database_->in_transaction()) {
    (void)database_->run_script("ROLLBACK");
  }
}

}  // namespace gordian
