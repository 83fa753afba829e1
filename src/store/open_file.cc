// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How opening goes, step by step:
//  1. Name.    Not a directory or a device, nor somebody else's link. The directory exists or is
//              made; it, if it is named ".gordian", and a new file are for their owner alone.
//  2. Connect. SQLite opens a descriptor; nothing is locked or read.
//  3. Head.    The first 100 bytes: SQLite's signature and our application_id. A foreign file is
//              refused here, before SQLite could roll back a journal or fold in a log of it.
//  4. Trust.   Version, then quick_check; closing must not touch the file until this is passed.
//  5. Migrate. Also creates the tables of an empty file; still in rollback mode then, so that the
//              application_id is in the main file from its first byte on.
//  6. WAL.     Readers and one writer at a time, and a killed writer loses only what it had open.
//  7. Room.    What a migration has emptied goes back to the file system.
#include "store/open_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/unique_fd.h"
#include "store/schema.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = 100;
constexpr std::size_t kUserVersionOffset = 60;
constexpr std::size_t kApplicationIdOffset = 68;
constexpr std::string_view kSignature{"SQLite format 3\0", 16};
constexpr const char* kLeftUntouched =
    "the file was left untouched; move it away, or keep the results elsewhere with --db OTHER";

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

Result<fs::path> checked_name(const fs::path& file) {
  if (file.empty()) return usage_error("the name of the database is empty", "use --db FILE");
  std::error_code ec;
  // Absolute, so that SQLite sees neither ":memory:" nor "file:..." in a plain name.
  fs::path name = fs::absolute(file, ec);
  if (ec) return internal_error(fmt::format("cannot find {}: {}", file.string(), ec.message()));
  const fs::file_status status = fs::status(name, ec);
  if (fs::is_directory(status) || !name.has_filename()) {
    return usage_error(fmt::format("{} is a directory, not a database", name.string()),
                       "name a file: --db FILE");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    return usage_error(fmt::format("{} is not a regular file", name.string()),
                       "name a file: --db FILE");
  }
  return name;
}

bool is_default_place(const fs::path& directory) {
  return directory.filename() == ".gordian";
}

/// In a directory of somebody else's we would write wherever he likes.
Status refuse_foreign_link(const fs::path& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0 || !S_ISLNK(found.st_mode)) return {};
  if (found.st_uid == ::geteuid() || found.st_uid == 0) return {};
  return usage_error(
      fmt::format("{} is a link that another user has made (uid {})", path.string(), found.st_uid),
      "remove it, or keep the results elsewhere with --db OTHER");
}

/// What is not ours, or lies behind a link, has the mode that somebody wanted.
void keep_to_owner(const fs::path& path, mode_t mode) {
  struct stat found {};
  const bool ours = ::lstat(path.c_str(), &found) == 0 && found.st_uid == ::geteuid() &&
                    (S_ISDIR(found.st_mode) || S_ISREG(found.st_mode));
  if (ours && (found.st_mode & 0077) != 0) ::chmod(path.c_str(), mode);
}

/// Also what is there from before.
void keep_default_place_to_owner(const fs::path& file) {
  if (!is_default_place(file.parent_path())) return;
  keep_to_owner(file.parent_path(), 0700);
  for (const char* tail : {"", "-wal", "-shm"}) keep_to_owner(file.string() + tail, 0600);
}

/// SQLite would make it readable for everybody; what it puts beside it has the same mode.
void make_private_file(const fs::path& file) {
  const UniqueFd made(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

Status make_directory(const fs::path& directory) {
  std::error_code ec;
  if (is_default_place(directory)) {
    fs::create_directories(directory.parent_path(), ec);
    ::mkdir(directory.c_str(), 0700);
  }
  fs::create_directories(directory, ec);
  if (!ec && !fs::is_directory(directory, ec) && !ec) {
    ec = std::make_error_code(std::errc::not_a_directory);
  }
  if (!ec) return {};
  return usage_error(
      fmt::format("cannot create the directory {}: {}", directory.string(), ec.message()),
      "check that the directory above it is writable, or use --db OTHER");
}

/// Only in a directory that is ours by name: --db must not hide somebody's project from git.
Status hide_from_git(const fs::path& directory) {
  const fs::path ignore = directory / ".gitignore";
  std::error_code ec;
  if (!is_default_place(directory) || fs::exists(ignore, ec)) return {};
  std::ofstream out(ignore);
  out << "*\n";
  out.close();
  if (out) return {};
  return usage_error(
      fmt::format("cannot write {}", ignore.string()),
      "check that the directory is writable and the disk not full, or use --db OTHER");
}

Error too_new(const Database& database, std::uint32_t version) {
  return usage_error(
      fmt::format("{} was written by a newer Gordian (database version {}, this one knows {})",
                  database.file(), version, schema_version()),
      "the file was left untouched; update Gordian, or use --db OTHER");
}

/// True when the file is empty; an error when it is not ours.
Result<bool> inspect_head(Database& database) {
  Result<std::string> head = database.read_head(kHeadBytes);
  if (!head) return head.error();
  if (head->empty()) return true;
  if (head->size() < kHeadBytes || !head->starts_with(kSignature)) {
    return usage_error(
        fmt::format("{} is not a Gordian database: it is no SQLite file", database.file()),
        kLeftUntouched);
  }
  if (big_endian(head->substr(kApplicationIdOffset, 4)) != kApplicationId) {
    return usage_error(
        fmt::format("{} is not a Gordian database: it belongs to another program", database.file()),
        kLeftUntouched);
  }
  const std::uint32_t version = big_endian(head->substr(kUserVersionOffset, 4));
  if (version > static_cast<std::uint32_t>(schema_version())) return too_new(database, version);
  return false;
}

Error damaged(const Database& database, std::string_view detail) {
  return internal_error(fmt::format("the database {} is damaged: {}", database.file(), detail),
                        kLeftUntouched);
}

/// True when the file ends inside a page: SQLite itself would read the missing part as zeros.
Result<bool> is_cut(Database& database, std::uint64_t size) {
  auto page_size = database.prepare("PRAGMA page_size").first_integer();
  if (!page_size) return page_size.error();
  return size % static_cast<std::uint64_t>(page_size->value_or(1)) != 0;
}

Status check_pages(Database& database) {
  std::error_code ec;
  // The log first: it goes away only once the file is complete.
  const bool logged = fs::file_size(database.file() + "-wal", ec) > 0 && !ec;
  const std::uint64_t size = fs::file_size(database.file(), ec);
  if (ec) return damaged(database, ec.message());
  Result<bool> cut = is_cut(database, size);
  if (!cut) return cut.error();
  if (*cut && !logged) return damaged(database, "its end is missing");
  if (size > kFullCheckBytes) return {};
  Statement check = database.prepare("PRAGMA quick_check(1)");
  Result<bool> row = check.step();
  if (!row) return row.error();
  const std::string verdict = *row ? check.text(0) : "no answer";
  if (verdict == "ok") return {};
  return damaged(database, verdict);
}

Status trust_content(Database& database) {
  Result<int> version = read_version(database);
  if (!version) return version.error();
  if (*version > schema_version()) {  // the newer number may still be in the log
    return too_new(database, static_cast<std::uint32_t>(*version));
  }
  return check_pages(database);
}

/// Switching to WAL needs the file for itself for a moment, and SQLite does not wait for it.
Status use_wal(Database& database) {
  const auto deadline = std::chrono::steady_clock::now() + kBusyTimeout;
  while (true) {
    Status status = database.run_script("PRAGMA journal_mode = WAL");
    if (status || !database.is_busy() || std::chrono::steady_clock::now() > deadline) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

/// A migration may leave much of a file empty, in pages that stay half full. Giving it back needs
/// the file for itself for a moment; where another process has it, it stays as large as it is.
void give_back_room(Database& database) {
  (void)database.run_script("VACUUM");
}

Status prepare_file(Database& database) {
  Result<bool> empty = inspect_head(database);
  if (!empty) return empty.error();
  if (!*empty) {
    database.checkpoint_on_close(false);
    if (Status status = trust_content(database); !status) {
      if (!database.is_damaged()) return status;
      return internal_error(status.error().message, kLeftUntouched);
    }
    database.checkpoint_on_close(true);
  }
  if (Status s = database.run_script("PRAGMA foreign_keys = ON"); !s) return s;
  Result<int> before = read_version(database);
  if (!before) return before.error();
  if (Status s = migrate(database, migrations()); !s) return s;
  if (Status s = use_wal(database); !s) return s;
  if (*before > 0 && *before < schema_version()) give_back_room(database);
  return database.run_script("PRAGMA synchronous = NORMAL");
}

}  // namespace

Result<Database> open_database(const fs::path& file) {
  Result<fs::path> name = checked_name(file);
  if (!name) return name.error();
  for (const fs::path& path : {name->parent_path(), *name}) {
    if (Status status = refuse_foreign_link(path); !status) return status.error();
  }
  std::error_code ec;
  const bool missing = !fs::exists(*name, ec);
  if (missing) {
    if (Status status = make_directory(name->parent_path()); !status) return status.error();
    if (Status status = hide_from_git(name->parent_path()); !status) return status.error();
    make_private_file(*name);
  }
  auto database =
      Database::open(*name, missing ? Database::Mode::create : Database::Mode::existing);
  if (!database) return database;
  const bool had_log = fs::exists(name->string() + "-wal", ec);
  Status prepared = prepare_file(*database);
  if (prepared) {
    keep_default_place_to_owner(*name);
    return database;
  }
  { const Database closed = std::move(*database); }
  if (!had_log) {  // what SQLite put beside a file that we then refused
    for (const char* tail : {"-wal", "-shm"}) fs::remove(name->string() + tail, ec);
  }
  return prepared.error();
}

Status copy_database(const fs::path& from, const fs::path& to) {
  auto database = open_database(from);
  if (!database) return database.error();
  return database->prepare("VACUUM INTO ?1").run(to.string());
}

}  // namespace gordian
