// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace gordian {

namespace {

std::optional<std::string> read_disk(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::string content(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) return std::nullopt;
  return content;
}

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

}  // namespace

SourceText SourceText::of_disk() {
  return SourceText(read_disk);
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

}  // namespace gordian
