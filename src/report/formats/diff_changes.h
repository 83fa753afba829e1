// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A unified diff as replacements of whole lines, for formats that have no diffs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gordian {

/// `removed` lines from line `first` on become `inserted`. With removed == 0 the text goes before
/// line `first`.
struct DiffChange {
  int first = 1;
  int removed = 0;
  std::string inserted;      ///< lines with their newlines
  bool at_open_end = false;  ///< what is removed ends with the file, without a newline
};

struct FileChange {
  std::string path;  ///< of the new file, without "b/"
  bool is_new = false;
  std::vector<DiffChange> changes;  ///< in the order of lines; numbers are those of the old file
};

/// Empty for a text that is no diff, or one that deletes or renames files.
std::vector<FileChange> changes_of(std::string_view diff);

}  // namespace gordian
