// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/files.h"

namespace gordian {
namespace {

/// One name for one file, so that its edits meet.
std::string normal(const std::string& file) {
  return std::filesystem::path(file).lexically_normal().string();
}

using EditsOfFile = std::map<std::string, std::vector<const Edit*>>;

EditsOfFile by_file(const std::vector<Edit>& edits) {
  EditsOfFile sorted;
  for (const Edit& edit : edits) sorted[normal(edit.file)].push_back(&edit);
  for (auto& [file, of_file] : sorted) {
    // Stable: insertions at one place keep their order, and stand before what is replaced there.
    std::stable_sort(of_file.begin(), of_file.end(), [](const Edit* a, const Edit* b) {
      if (a->offset != b->offset) return a->offset < b->offset;
      return a->length == 0 && b->length != 0;
    });
  }
  return sorted;
}

Result<std::string> edited(const std::string& file, const std::string& before,
                           const std::vector<const Edit*>& edits) {
  std::string after;
  std::size_t done = 0;
  for (const Edit* edit : edits) {
    if (edit->offset > before.size() || edit->length > before.size() - edit->offset) {
      return internal_error(fmt::format("an edit of {} lies outside of it", file),
                            "the file may have changed meanwhile: try again");
    }
    if (edit->offset < done) return internal_error(fmt::format("edits of {} overlap", file));
    after.append(before, done, edit->offset - done).append(edit->text);
    done = edit->offset + edit->length;
  }
  return after.append(before, done);
}

Status add_edited(const Change& change, const SourceText& source, ChangedFiles& files) {
  for (const auto& [file, edits] : by_file(change.edits)) {
    const auto& before = source.content(file);
    if (!before) return internal_error(fmt::format("{} cannot be read", file));
    auto after = edited(file, *before, edits);
    if (!after.ok()) return after.error();
    if (*after != *before) files[file] = {before, std::move(*after)};
  }
  return {};
}

Status add_new(const Change& change, const SourceText& source, ChangedFiles& files) {
  for (const auto& [name, content] : change.new_files) {
    const std::string file = normal(name);
    const auto& there = source.content(file);
    if (there && *there == content) continue;  // an earlier patch has brought it already
    if (there || files.count(file) != 0) {
      return usage_error(fmt::format("{} is there already, with another content", file),
                         "rename it, or remove it if it is left over");
    }
    files[file] = {std::nullopt, content};
  }
  return {};
}

constexpr std::size_t kContext = 3;

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

SourceText SourceText::of_disk() {
  return SourceText([](const std::string& file) { return whole_file(file); });
}

const std::optional<std::string>& SourceText::content(const std::string& file) const {
  const auto known = read_.find(file);
  if (known != read_.end()) return known->second;
  return read_.emplace(file, reader_(file)).first->second;
}

Result<ChangedFiles> apply(const Change& change, const SourceText& source) {
  ChangedFiles files;
  if (Status edits = add_edited(change, source, files); !edits.ok()) return edits.error();
  if (Status added = add_new(change, source, files); !added.ok()) return added.error();
  return files;
}

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
