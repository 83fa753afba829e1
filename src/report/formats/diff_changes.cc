// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/formats/diff_changes.h"

#include <charconv>
#include <optional>

#include "report/text.h"

namespace gordian {
namespace {

/// What the head of a hunk says: "@@ -12,3 +14,4 @@".
struct Hunk {
  int old_first = 0, old_count = 1, new_count = 1;
};

/// Takes "12" or "12,3" off the front.
bool take_range(std::string_view& text, int& first, int& count) {
  auto number = [&text](int& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return error == std::errc();
  };
  if (!number(first)) return false;
  if (!text.starts_with(',')) return true;
  text.remove_prefix(1);
  return number(count);
}

std::optional<Hunk> read_hunk(std::string_view line) {
  Hunk hunk;
  int new_first = 0;
  if (!line.starts_with("@@ -")) return std::nullopt;
  line.remove_prefix(4);
  if (!take_range(line, hunk.old_first, hunk.old_count) || !line.starts_with(" +")) {
    return std::nullopt;
  }
  line.remove_prefix(2);
  if (!take_range(line, new_first, hunk.new_count)) return std::nullopt;
  return hunk;
}

/// Goes over the lines of one hunk.
class HunkReader {
 public:
  HunkReader(const Hunk& hunk, std::vector<DiffChange>& changes)
      : changes_(changes),
        line_(hunk.old_count == 0 ? hunk.old_first + 1 : hunk.old_first),
        old_left_(hunk.old_count),
        new_left_(hunk.new_count) {}

  bool done() const { return old_left_ <= 0 && new_left_ <= 0; }

  /// False: this is no line of a hunk.
  bool read(std::string_view line) {
    const char sign = line.empty() ? ' ' : line.front();
    if (!line.empty()) line.remove_prefix(1);
    if (sign == ' ') {
      open_ = false;
      ++line_, --old_left_, --new_left_;
    } else if (sign == '-') {
      ++change().removed;
      ++line_, --old_left_;
      removed_last_ = true;
    } else if (sign == '+') {
      change().inserted += std::string(line) + "\n";
      --new_left_;
      removed_last_ = false;
    } else if (sign == '\\') {
      no_newline();
    } else {
      return false;
    }
    return true;
  }

 private:
  /// "\ No newline at end of file" is about the line before.
  void no_newline() {
    if (!open_) return;
    DiffChange& last = changes_.back();
    if (removed_last_) {
      last.at_open_end = true;
    } else if (last.inserted.ends_with('\n')) {
      last.inserted.pop_back();
    }
  }

  DiffChange& change() {
    if (!open_) changes_.push_back({line_, 0, "", false});
    open_ = true;
    return changes_.back();
  }

  std::vector<DiffChange>& changes_;
  int line_, old_left_, new_left_;
  bool open_ = false, removed_last_ = false;
};

}  // namespace

std::vector<FileChange> changes_of(std::string_view diff) {
  std::vector<FileChange> files;
  const std::vector<std::string_view> lines = split_lines(diff);
  bool is_new = false;
  for (std::size_t i = 0; i < lines.size();) {
    const std::string_view line = lines[i++];
    if (line.starts_with("--- ")) is_new = line.starts_with("--- /dev/null");
    if (line.starts_with("rename ") || line.starts_with("+++ /dev/null")) return {};
    if (line.starts_with("+++ b/")) files.push_back({std::string(line.substr(6)), is_new, {}});
    const auto hunk = read_hunk(line);
    if (!hunk) continue;
    if (files.empty()) return {};
    HunkReader reader(*hunk, files.back().changes);
    while (i < lines.size() && !reader.done()) {
      if (!reader.read(lines[i++])) return {};
    }
    // It may be said of the last line, when all have been counted.
    if (i < lines.size() && lines[i].starts_with('\\')) {
      reader.read(lines[i++]);
    }
  }
  return files;
}

}  // namespace gordian
