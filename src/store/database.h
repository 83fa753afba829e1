// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A thin layer over the SQLite C API: a connection, a statement, a transaction, each owned by one
// value. SQL text is always a constant and values are always bound. A failure is remembered by the
// statement that met it and reported by the next step(), so that callers check once per statement.
// Thread rule: a Database and everything made from it belong to one thread at a time.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/strong_id.h"

struct sqlite3;
struct sqlite3_stmt;

namespace gordian {

using Bytes = std::span<const std::byte>;

/// How long one process waits for another that is writing.
inline constexpr std::chrono::milliseconds kBusyTimeout{10'000};

/// One prepared statement. Parameters are ?1, ?2, ... and columns count from 0.
class Statement {
 public:
  /// Starts the statement anew with these values. Text and bytes are copied.
  template <class... Values>
  Statement& bind(const Values&... values) {
    rewind();
    int index = 0;
    (bind_value(++index, values), ...);
    return *this;
  }

  /// True when there is a row to read, false at the end.
  Result<bool> step();

  /// Binds, runs to the end, and is ready to be run again.
  template <class... Values>
  Status run(const Values&... values) {
    return bind(values...).each([](Statement&) { return Status(); });
  }

  /// Calls `on_row` for each remaining row. If it returns a Status its first error ends the walk.
  template <class OnRow>
  Status each(OnRow&& on_row) {
    while (true) {
      Result<bool> row = step();
      if (!row) return row.error();
      if (!*row) return {};
      if constexpr (std::is_void_v<decltype(on_row(*this))>) {
        on_row(*this);
      } else if (Status status = on_row(*this); !status) {
        return status;
      }
    }
  }

  /// What `of_row` makes of each remaining row.
  template <class OfRow>
  auto list(OfRow&& of_row) -> Result<std::vector<decltype(of_row(*this))>> {
    std::vector<decltype(of_row(*this))> all;
    Status read = each([&](Statement& row) { all.push_back(of_row(row)); });
    if (!read) return read.error();
    return all;
  }

  /// Of an INSERT that returns the id of its row.
  template <class... Values>
  Result<std::int64_t> insert(const Values&... values) {
    auto id = bind(values...).first_integer();
    if (!id) return id.error();
    return id->value_or(0);
  }

  /// The first column of the first row as a number; nullopt when there is no row or it is NULL.
  Result<std::optional<std::int64_t>> first_integer();

  std::int64_t integer(int column) const;
  int small_integer(int column) const { return static_cast<int>(integer(column)); }
  std::string text(int column) const;  ///< also reads blobs; "" for NULL
  bool is_null(int column) const;
  /// Valid until the next step.
  Bytes bytes(int column) const;

 private:
  friend class Database;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };

  void rewind();
  void note(int code);
  void bind_integer(int index, std::int64_t value);
  void bind_value(int index, std::string_view text);
  void bind_value(int index, Bytes bytes);
  void bind_null(int index);
  template <std::integral T>
  void bind_value(int index, T number) {
    bind_integer(index, static_cast<std::int64_t>(number));
  }
  template <class T>
  void bind_value(int index, const std::optional<T>& value) {
    value ? bind_value(index, *value) : bind_null(index);
  }
  template <class Tag, class Rep>
  void bind_value(int index, StrongId<Tag, Rep> id) {
    bind_integer(index, static_cast<std::int64_t>(id.value()));
  }

  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
  std::optional<Error> failed_;
};

/// One connection to one database file.
class Database {
 public:
  enum class Mode { existing, create };

  /// Connects. Nothing is read, locked or written yet but, with `create`, an empty file.
  static Result<Database> open(const std::filesystem::path& file, Mode mode);

  /// Runs constant SQL, one or more statements, and drops their rows.
  Status run_script(const char* sql);

  Statement prepare(std::string_view sql);

  /// The first `limit` bytes of the file as it lies on disk, read without taking a lock.
  Result<std::string> read_head(std::size_t limit);

  /// While false, closing leaves the main file alone even if a write-ahead log is pending.
  void checkpoint_on_close(bool on);

  std::int64_t last_insert_id() const;
  std::int64_t changed_rows() const;
  std::string file() const;
  bool in_transaction() const;

  /// What the last failure of this connection was about.
  bool is_busy() const;
  bool is_damaged() const;

 private:
  struct Closer {
    void operator()(sqlite3* handle) const;
  };

  std::unique_ptr<sqlite3, Closer> handle_;
};

/// Everything between begin() and commit() happens, or nothing does: leaving the scope without
/// commit() rolls back. REQUIRES: the Database stays where it is meanwhile.
class Transaction {
 public:
  enum class Kind {
    read,   ///< one consistent view of the file
    write,  ///< the only writer; begin() waits for another one up to kBusyTimeout
  };

  static Result<Transaction> begin(Database& database, Kind kind);

  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  Status commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace gordian
