// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/offers.h"

#include <algorithm>

#include "repair/guards.h"
#include "repair/lexer.h"
#include "repair/placing.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

/// The begin of the line on which a test's macro stands, above comments that belong to it.
std::size_t above(const std::string& content, std::size_t macro) {
  std::size_t at = line_begin(content, macro);
  while (at > 0) {
    const std::size_t line = line_begin(content, at - 1);
    const std::string text = trimmed(std::string_view(content).substr(line, at - line));
    if (!text.starts_with("//") && !text.starts_with("template")) break;
    at = line;
  }
  return at;
}

/// Where "class X" begins.
std::size_t class_begin(const std::string& content, const FixtureFact& fixture) {
  std::size_t head = 0;
  for (const char* word : {"class ", "struct ", "TEST_GROUP"}) {
    const std::size_t at = content.rfind(word, fixture.body.begin);
    if (at != std::string::npos) head = std::max(head, at);
  }
  return head;
}

}  // namespace

bool Draft::add(const Guard& guard, const Place& place) {
  const std::string& content = scene_.content(place.file);
  if (place.fixture != nullptr) {
    const TextRange& body = place.fixture->body;
    if (scene_.text(body).find(guard.as_member()) != std::string::npos) return false;
    At& at = members_[{place.file, body.begin}];
    at.body = body;
    add_once(at.lines, guard.as_member());
  } else {
    if (scene_.text(place.test->body).find(guard.as_statement()) != std::string::npos) {
      return false;
    }
    first_statement(*place.test, guard.as_statement());
    statements_[{place.test->body.file, place.test->body.begin}].acts |= guard.name == "AtExit";
  }
  for (const std::string& line : guard.scope) {
    if (content.find(line) != std::string::npos) continue;
    const std::size_t test = place.test == nullptr ? 0 : place.test->macro.begin;
    scope(place.file, place.fixture == nullptr ? test : class_begin(content, *place.fixture), line);
  }
  for (const std::string& name : guard.includes) include(place.file, name);
  std::set<std::string> parts = guard.parts;
  parts.insert(guard.part());
  use(place.file, parts);
  for (const Edit& edit : guard.product.edits) add(edit);
  return true;
}

void Draft::first_statement(const TestFact& test, const std::string& text) {
  At& at = statements_[{test.body.file, test.body.begin}];
  at.body = test.body;
  add_once(at.lines, text);
}

void Draft::before(const TestFact& test, const std::string& text) {
  scope(test.macro.file.empty() ? test.body.file : test.macro.file, test.macro.begin, text);
}

void Draft::scope(const std::string& file, std::size_t offset, const std::string& text) {
  At& at = scopes_[{file, offset}];
  at.body = {file, offset, offset, 0};
  add_once(at.lines, text);
}

void Draft::include(const std::string& file, const std::string& name) {
  includes_[file].insert(name);
}

void Draft::use(const std::string& file, const std::set<std::string>& guards) {
  guards_[file].insert(guards.begin(), guards.end());
}

void Draft::append(const std::string& file, const std::string& text) {
  change_.edits.push_back({file, scene_.content(file).size(), 0, text});
}

void Draft::new_file(const std::string& file, const std::string& content) {
  change_.new_files[file] = content;
}

bool Draft::add_bodies() {
  for (const bool member : {false, true}) {
    for (const auto& [key, at] : member ? members_ : statements_) {
      const std::string& content = scene_.content(key.first);
      const std::string text = joined(at.lines);
      const auto insert = member ? insert_member : at.acts ? insert_behind_guards : insert_first;
      auto edit = insert(content, at.body, text);
      if (!edit) {
        why_not_ = key.first + " is not what it was when it was read";
        return false;
      }
      edit->file = key.first;
      change_.edits.push_back(*edit);
    }
  }
  return true;
}

void Draft::add_scopes() {
  // One line is enough for all tests behind the first that needs it.
  std::map<std::string, std::set<std::string>> seen;
  for (const auto& [key, at] : scopes_) {
    std::vector<std::string> lines;
    for (const std::string& line : at.lines) {
      if (seen[key.first].insert(line).second) lines.push_back(line);
    }
    if (lines.empty()) continue;
    const std::size_t place = above(scene_.content(key.first), at.body.begin);
    change_.edits.push_back({key.first, place, 0, joined(lines) + "\n\n"});
  }
}

void Draft::add_includes() {
  for (const auto& [file, names] : includes_) {
    if (change_.new_files.contains(file)) continue;
    for (const std::string& name : names) {
      auto edit = insert_include(file, scene_.content(file), "#include " + name);
      if (!edit) continue;
      edit->file = file;
      change_.edits.push_back(*edit);
    }
  }
}

/// One header serves a project: an older one above the files, or else beside them.
std::string Draft::guards_directory() const {
  std::string common = directory_of(guards_.begin()->first);
  for (const auto& [file, names] : guards_) {
    while (!is_below(common, file) && common.size() > 1) common = directory_of(common);
  }
  const std::string& root = scene_.task().options.source_root;
  for (std::string dir = common; dir.size() > 1; dir = directory_of(dir)) {
    if (scene_.task().source.content(dir + "/" + std::string(kGuardsFile))) return dir;
    if (dir == root) break;
  }
  return common;
}

bool Draft::add_guards_header() {
  if (guards_.empty()) return true;
  const std::string directory = guards_directory();
  const std::string header = directory + "/" + std::string(kGuardsFile);
  std::set<std::string> names;
  for (const auto& [file, used] : guards_) {
    names.insert(used.begin(), used.end());
    if (!change_.new_files.contains(file))
      include(file, "\"" + relative_to(directory_of(file), header) + "\"");
  }
  const Status added = add_guards(change_, header, names, scene_.task().source);
  if (!added) why_not_ = added.error().message;
  return added.ok();
}

void Draft::add(const Edit& edit) {
  const auto same = [&](const Edit& old) {
    return old.file == edit.file && old.offset == edit.offset && old.text == edit.text;
  };
  if (std::none_of(change_.edits.begin(), change_.edits.end(), same)) change_.edits.push_back(edit);
}

std::optional<Change> Draft::finish() {
  if (!add_bodies()) return std::nullopt;
  add_scopes();
  if (!add_guards_header()) return std::nullopt;
  add_includes();
  if (change_.empty()) {
    why_not_ = "all that it would add is there already";
    return std::nullopt;
  }
  return change_;
}

Proposal* Offers::add(Draft& draft, const std::string& summary, const std::string& reason) {
  auto change = draft.finish();
  if (!change) {
    no(draft.why_not());
    return nullptr;
  }
  for (const Proposal& old : proposals_) {
    if (old.change == *change) return nullptr;
  }
  Proposal& kept = proposals_.emplace_back();
  kept.strategy = strategy_;
  kept.change = std::move(*change);
  kept.summary = summary;
  kept.reason = reason;
  return &kept;
}

void Offers::no(const std::string& why) {
  if (why_not_.empty()) why_not_ = why;
}

void Offers::move_to(Proposals& all) {
  if (proposals_.empty()) {
    all.inapplicable.push_back(
        {strategy_, why_not_.empty() ? "it has nothing to offer" : why_not_});
  }
  std::move(proposals_.begin(), proposals_.end(), std::back_inserter(all.ladder));
}

}  // namespace gordian::strategies
