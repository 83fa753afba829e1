// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/guards.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/check.h"

namespace gordian {

namespace {

constexpr std::string_view kMark = "//@ ", kMore = "//@+ ", kEnd = "//@ end\n";
constexpr std::string_view kOpen = "namespace gordian {\n", kClose = "}  // namespace gordian\n";
constexpr std::string_view kRestore = "ScopedRestore";

/// One guard in the header: from its mark to the next one.
struct Section {
  std::string name, text;
  std::vector<std::string> needs, includes;
  bool in_namespace = true;
};

struct Header {
  std::string preface;                // up to #pragma once
  std::vector<std::string> includes;  // in the order of the header; empty: a gap
  std::vector<Section> sections;

  const Section* find(std::string_view name) const {
    const auto found = std::find_if(sections.begin(), sections.end(),
                                    [&](const Section& section) { return section.name == name; });
    return found == sections.end() ? nullptr : &*found;
  }
};

void read_mark(Section& section, std::string_view line) {
  std::istringstream words{std::string(line)};
  for (std::string word; words >> word;) {
    if (section.name.empty()) {
      section.name = word;
    } else {
      (word[0] == '<' ? section.includes : section.needs).push_back(word);
    }
  }
}

Header parse_header() {
  Header header;
  bool top = true, in_namespace = true;
  for (const std::string_view line : whole_lines(guards_header())) {
    if (line == kEnd) {
      in_namespace = false;
    } else if (line.starts_with(kMark)) {
      header.sections.emplace_back().in_namespace = in_namespace;
      read_mark(header.sections.back(), line.substr(kMark.size()));
    } else if (line.starts_with(kMore)) {
      read_mark(header.sections.back(), line.substr(kMore.size()));
    } else if (line.starts_with("#include ")) {
      top = false;
      header.includes.emplace_back(line.substr(9, line.size() - 10));
    } else if (top) {
      header.preface += line;
    } else if (header.sections.empty()) {
      if (line == "\n") header.includes.emplace_back();
    } else if (in_namespace || !header.sections.back().in_namespace) {
      header.sections.back().text += line;
    }
  }
  for (Section& section : header.sections) {
    while (section.text.ends_with("\n\n")) section.text.pop_back();
  }
  return header;
}

const Header& parsed() {
  static const Header header = parse_header();
  return header;
}

bool is_part(std::string_view name) {
  return name.starts_with(kRestore) && name != kRestore;
}

/// Names of sections, with all that they need.
std::set<std::string> closure(const std::set<std::string>& guards) {
  std::set<std::string> all;
  std::vector<std::string> waiting(guards.begin(), guards.end());
  while (!waiting.empty()) {
    const std::string name = waiting.back();
    waiting.pop_back();
    if (name == kRestore) {
      for (const Section& section : parsed().sections) {
        if (is_part(section.name)) waiting.push_back(section.name);
      }
      continue;
    }
    const Section* section = parsed().find(name);
    GORDIAN_CHECK(section != nullptr);
    if (all.insert(name).second) {
      waiting.insert(waiting.end(), section->needs.begin(), section->needs.end());
    }
  }
  return all;
}

std::string include_lines(const std::set<std::string>& sections) {
  std::set<std::string> wanted;
  for (const std::string& name : sections) {
    const auto& includes = parsed().find(name)->includes;
    wanted.insert(includes.begin(), includes.end());
  }
  std::string text;
  bool gap = false;
  for (const std::string& include : parsed().includes) {
    if (include.empty()) gap = !text.empty();
    if (wanted.count(include) == 0) continue;
    text += std::string(gap ? "\n" : "") + "#include " + include + "\n";
    gap = false;
  }
  return text;
}

}  // namespace

std::string guards_header_for(const std::set<std::string>& guards) {
  const std::set<std::string> sections = closure(guards);
  std::string inside, outside;
  for (const Section& section : parsed().sections) {
    if (sections.count(section.name) == 0) continue;
    std::string& text = section.in_namespace ? inside : outside;
    text += "\n" + section.text;
  }
  std::string text = parsed().preface + include_lines(sections);
  if (text.ends_with("\n\n") && inside.empty()) text.pop_back();
  if (!inside.empty()) {
    if (!text.ends_with("\n\n")) text += "\n";
    text += std::string(kOpen) + inside + "\n" + std::string(kClose);
  }
  return text + outside;
}

std::set<std::string> guards_in(std::string_view header) {
  std::set<std::string> found;
  for (const Section& section : parsed().sections) {
    if (header.find(section.text) != std::string_view::npos) found.insert(section.name);
  }
  return found;
}

Status add_guards(Change& change, const std::string& file, const std::set<std::string>& guards,
                  const SourceText& source) {
  if (guards.empty()) return {};
  std::set<std::string> all = closure(guards);
  auto& added = change.new_files;
  if (const auto known = added.find(file); known != added.end()) {
    all.merge(guards_in(known->second));
    known->second = guards_header_for(all);
    return {};
  }
  const auto& there = source.content(file);
  if (!there) {
    added[file] = guards_header_for(all);
    return {};
  }
  const std::set<std::string> held = guards_in(*there);
  if (std::includes(held.begin(), held.end(), all.begin(), all.end())) return {};
  if (guards_header_for(held) != *there) {
    return usage_error(fmt::format("{} is there already and was changed by hand", file),
                       "add what is missing from Gordian's own, or remove it");
  }
  all.insert(held.begin(), held.end());
  change.edits.push_back({file, 0, there->size(), guards_header_for(all)});
  return {};
}

}  // namespace gordian
