// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A change to source text as a list of edits, and what one does with it: apply it to contents, show
// it as a unified diff. Edits of one file do not overlap; insertions at one place keep their order.
// Pure functions: files are read through SourceText, and nothing is written.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/repair.h"

namespace gordian {

struct Edit {
  std::string file;                    ///< absolute
  std::size_t offset = 0, length = 0;  ///< what is replaced; length 0 inserts
  std::string text;

  bool operator==(const Edit&) const = default;
};

struct Change {
  std::vector<Edit> edits;
  std::map<std::string, std::string> new_files;  ///< absolute path -> content

  bool empty() const { return edits.empty() && new_files.empty(); }
  bool operator==(const Change&) const = default;
};

/// Contents of source files, read once. nullopt: not there, or not readable.
class SourceText {
 public:
  using Reader = std::function<std::optional<std::string>(const std::string& file)>;
  explicit SourceText(Reader reader) : reader_(std::move(reader)) {}
  static SourceText of_disk();

  const std::optional<std::string>& content(const std::string& file) const;

 private:
  Reader reader_;
  mutable std::map<std::string, std::optional<std::string>> read_;
};

/// An error when edits overlap, lie outside of their file, or a new file is there already with
/// another content.
Result<ChangedFiles> apply(const Change& change, const SourceText& source);

using Lines = std::vector<std::string_view>;

/// Lines with their newlines; the last one may have none. No text: no lines.
Lines whole_lines(std::string_view text);

/// Lines [old_begin, old_end) become [new_begin, new_end); one of the two may be empty.
struct LineChange {
  std::size_t old_begin, old_end, new_begin, new_end;
};

/// In order, with at least one common line between neighbours. Texts that differ in thousands of
/// lines are not worth a search: there one change covers all that is between the first and the last
/// difference.
std::vector<LineChange> diff_lines(const Lines& before, const Lines& after);

/// For `git apply` and `patch -p1`: paths below `root`, three lines of context, sorted by path.
std::string unified_diff(const ChangedFiles& files, const std::string& root);

}  // namespace gordian
