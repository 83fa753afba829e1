// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/current_state.h"

#include <filesystem>
#include <set>

#include "base/files.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

std::optional<TestId> in_suite(TestId id, const Suite& from, const Suite& to) {
  return to.find(from.test(id).full_name());
}

std::vector<TestId> those_in(const std::vector<TestId>& tests, const Suite& from, const Suite& to) {
  std::vector<TestId> kept;
  for (TestId id : tests) {
    if (const auto now = in_suite(id, from, to)) kept.push_back(*now);
  }
  return kept;
}

int moved(int line, const ChangedFile& file) {
  if (!file.before || line <= 0) return line;
  const auto before = whole_lines(*file.before), after = whole_lines(file.after);
  const auto at = static_cast<std::size_t>(line - 1);
  std::ptrdiff_t shift = 0;
  for (const LineChange& change : diff_lines(before, after)) {
    if (change.old_end > at) break;
    shift =
        static_cast<std::ptrdiff_t>(change.new_end) - static_cast<std::ptrdiff_t>(change.old_end);
  }
  return line + static_cast<int>(shift);
}

void move(const std::string& file, int& line, const ChangedFiles& files) {
  const auto changed = files.find(file);
  if (changed != files.end()) line = moved(line, changed->second);
}

void move(std::optional<Site>& site, const ChangedFiles& files) {
  if (!site) return;
  for (StackFrame& frame : site->stack) move(frame.file, frame.line, files);
}

}  // namespace

std::optional<Dependence> in_suite(const Dependence& dependence, const Suite& from,
                                   const Suite& to) {
  Dependence now = dependence;
  const auto test = in_suite(dependence.test, from, to);
  now.by = those_in(dependence.by, from, to);
  now.witness = those_in(dependence.witness, from, to);
  if (!test || now.by.size() != dependence.by.size() ||
      now.witness.size() != dependence.witness.size()) {
    return std::nullopt;
  }
  now.test = *test;
  now.singles = those_in(dependence.singles, from, to);
  now.cleaners = those_in(dependence.cleaners, from, to);
  now.passes_after = those_in(dependence.passes_after, from, to);
  return now;
}

Explanation with_moved_lines(Explanation explanation, const ChangedFiles& files) {
  for (Carrier& carrier : explanation.carriers) {
    move(carrier.file, carrier.line, files);
    move(carrier.write, files);
    move(carrier.read, files);
  }
  return explanation;
}

std::vector<std::string> files_concerned(const Suite& suite, const Dependence& dependence,
                                         const Explanation& explanation, const std::string& root,
                                         const std::vector<std::string>& places,
                                         const std::function<bool(const std::string&)>& exists) {
  std::set<std::string> files;
  auto add = [&](const std::string& name) {
    if (name.empty()) return;
    for (const std::string& place : places) {
      const fs::path path = (fs::path(place) / name).lexically_normal();  // absolute names stay
      if (!is_below(path, root) || !exists(path)) continue;
      files.insert(path);
      return;
    }
  };
  auto add_site = [&](const std::optional<Site>& site) {
    if (!site) return;
    for (const StackFrame& frame : site->stack) add(frame.file);
  };
  for (TestId id : dependence.witness) add(suite.test(id).file);
  for (const std::vector<TestId>* tests : {&dependence.singles, &dependence.cleaners}) {
    for (TestId id : *tests) add(suite.test(id).file);
  }
  for (const Carrier& carrier : explanation.carriers) {
    add(carrier.file);
    add_site(carrier.write);
    add_site(carrier.read);
  }
  return {files.begin(), files.end()};
}

ChangedFiles combined(ChangedFiles earlier, const ChangedFiles& later) {
  for (const auto& [path, file] : later) {
    const auto [at, fresh] = earlier.emplace(path, file);
    if (!fresh) at->second.after = file.after;
  }
  return earlier;
}

SourceText source_with(const ChangedFiles& files, const SourceText& below) {
  return SourceText([files, &below](const std::string& path) -> std::optional<std::string> {
    const auto changed = files.find(path);
    return changed != files.end() ? std::optional(changed->second.after) : below.content(path);
  });
}

}  // namespace gordian
