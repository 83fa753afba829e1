// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "repair/change.h"
#include "repair/line_diff.h"

namespace gordian {

namespace {

constexpr std::size_t kContext = 3;

using Lines = std::vector<std::string_view>;

/// As git quotes names: only those that would be misread, bytes above 127 stay as they are.
std::string quoted(const std::string& name) {
  const auto special = [](char c) {
    return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ' || c == '\x7f';
  };
  if (std::none_of(name.begin(), name.end(), special)) return name;
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') {
      (text += '\\') += c;
    } else if (special(c)) {
      text += fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      text += c;
    }
  }
  return text + '"';
}

/// Behind a name with blanks stands a tab, so that readers know where it ends.
std::string named(const std::string& name) {
  const bool blank = name.find(' ') != std::string::npos;
  return quoted(name) + (blank ? "\t\n" : "\n");
}

void add_lines(std::string& text, char mark, const Lines& lines, std::size_t begin,
               std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    (text += mark).append(lines[i]);
    if (lines[i].back() != '\n') text += "\n\\ No newline at end of file\n";
  }
}

std::string range_text(std::size_t begin, std::size_t end) {
  if (end - begin == 1) return std::to_string(end);
  // A range without lines is named by the line before it.
  return fmt::format("{},{}", end == begin ? begin : begin + 1, end - begin);
}

using Changes = std::vector<LineChange>;

/// Changes [first, last) are so close that their context touches.
void add_hunk(std::string& text, const Lines& before, const Lines& after, const Changes& changes,
              std::size_t first, std::size_t last) {
  const std::size_t above = std::min(kContext, changes[first].old_begin);
  const LineChange& end = changes[last - 1];
  const std::size_t below = std::min(kContext, before.size() - end.old_end);
  text += fmt::format("@@ -{} +{} @@\n",
                      range_text(changes[first].old_begin - above, end.old_end + below),
                      range_text(changes[first].new_begin - above, end.new_end + below));
  std::size_t shown = changes[first].old_begin - above;
  for (std::size_t i = first; i < last; ++i) {
    add_lines(text, ' ', before, shown, changes[i].old_begin);
    add_lines(text, '-', before, changes[i].old_begin, changes[i].old_end);
    add_lines(text, '+', after, changes[i].new_begin, changes[i].new_end);
    shown = changes[i].old_end;
  }
  add_lines(text, ' ', before, shown, end.old_end + below);
}

std::string hunks(const std::string& before, const std::string& after) {
  const Lines old_lines = whole_lines(before), new_lines = whole_lines(after);
  const Changes changes = diff_lines(old_lines, new_lines);
  std::string text;
  for (std::size_t first = 0; first < changes.size();) {
    std::size_t last = first + 1;
    while (last < changes.size() &&
           changes[last].old_begin - changes[last - 1].old_end <= 2 * kContext) {
      ++last;
    }
    add_hunk(text, old_lines, new_lines, changes, first, last);
    first = last;
  }
  return text;
}

std::string file_diff(const std::string& name, const ChangedFile& file) {
  if (file.before && *file.before == file.after) return {};
  const std::string a = "a/" + name, b = "b/" + name;
  std::string text = fmt::format("diff --git {} {}\n", quoted(a), quoted(b));
  if (!file.before) text += "new file mode 100644\n";
  const std::string body = hunks(file.before.value_or(""), file.after);
  if (body.empty()) return text;  // a new file without content
  text += "--- " + (file.before ? named(a) : "/dev/null\n");
  text += "+++ " + named(b);
  return text + body;
}

}  // namespace

std::string unified_diff(const ChangedFiles& files, const std::string& root) {
  std::map<std::string, const ChangedFile*> below;
  for (const auto& [file, change] : files) {
    const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(root);
    below[relative.empty() ? file : relative.generic_string()] = &change;
  }
  std::string text;
  for (const auto& [name, change] : below) text += file_diff(name, *change);
  return text;
}

}  // namespace gordian
