// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <filesystem>

#include "repair/include_lines.h"
#include "repair/layout.h"
#include "repair/placing.h"

namespace gordian {

namespace {

using Includes = std::vector<IncludeLine>;
using Place = Includes::const_iterator;

/// foo_test.cc and test_foo.cc belong to foo.h.
bool is_own_header(const std::string& file, const IncludeLine& include) {
  const std::string mine = std::filesystem::path(file).stem().string();
  const std::string other = std::filesystem::path(include.name).stem().string();
  if (include.kind != IncludeKind::quoted || other.empty()) return false;
  return mine == other || mine == other + "_test" || mine == other + "_tests" ||
         mine == other + "_unittest" || mine == other + "Test" || mine == other + "Tests" ||
         mine == "test_" + other || mine == other + "-test" || mine == other + ".test";
}

bool less_by_case(const std::string& a, const std::string& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) <
           std::tolower(static_cast<unsigned char>(y));
  });
}
bool less_exactly(const std::string& a, const std::string& b) {
  return a < b;
}

using Less = bool (*)(const std::string&, const std::string&);

/// The order that these lines keep; nullptr: none.
Less order_of(const std::vector<Place>& lines) {
  for (const Less less : {less_exactly, less_by_case}) {
    const bool sorted = std::is_sorted(lines.begin(), lines.end(),
                                       [&](Place a, Place b) { return less(a->name, b->name); });
    if (sorted) return less;
  }
  return nullptr;
}

Edit before(const std::string& file, const std::string& content, const IncludeLine& line,
            const std::string& text) {
  return {file, line_begin(content, line.begin), 0, text + std::string(newline_of(content))};
}

/// Behind the whole line, a comment at its end too.
Edit behind(const std::string& file, const std::string& content, std::size_t offset,
            const std::string& text) {
  const std::string newline(newline_of(content));
  const std::size_t next = next_line(content, offset);
  const bool open = next == 0 || content[next - 1] != '\n';
  return {file, next, 0, open ? newline + text + newline : text + newline};
}

/// Lines without a gap between them belong together.
std::vector<Place> block_of(const Includes& includes, Place line) {
  Place first = line, last = line;
  while (first != includes.begin() && first->block == std::prev(first)->block) --first;
  while (std::next(last) != includes.end() && std::next(last)->block == last->block) ++last;
  std::vector<Place> lines;
  for (Place at = first; at <= last; ++at) lines.push_back(at);
  return lines;
}

Edit among(const std::string& file, const std::string& content, const Includes& includes,
           Place last_of_kind, const WantedInclude& wanted, bool own_first) {
  std::vector<Place> peers;
  for (const Place line : block_of(includes, last_of_kind)) {
    const bool own = own_first && line == includes.begin();
    if (line->kind == last_of_kind->kind && !own) peers.push_back(line);
  }
  const std::string text = last_of_kind->prefix + wanted.text;
  if (const Less less = order_of(peers)) {
    for (const Place line : peers) {
      if (less(wanted.name, line->name)) return before(file, content, *line, text);
    }
  }
  return behind(file, content, last_of_kind->end, text);
}

/// The last line that our include can join; the end: none is of its kind.
Place last_like(const Includes& includes, IncludeKind kind, Place from) {
  const auto find_last = [&](auto matches) {
    Place found = includes.end();
    for (Place at = from; at != includes.end(); ++at) {
      if (matches(at->kind)) found = at;
    }
    return found;
  };
  const Place same = find_last([&](IncludeKind other) { return other == kind; });
  if (same != includes.end() || kind == IncludeKind::quoted) return same;
  return find_last([](IncludeKind other) { return other != IncludeKind::quoted; });
}

/// <csignal> and <signal.h> give the same.
bool is_same_header(const std::string& a, const std::string& b) {
  return a == b || "c" + b == a + ".h" || "c" + a == b + ".h";
}

/// A group of its own: quotes behind all others, angles before them but behind the own header.
Edit as_new_group(const std::string& file, const std::string& content, const Includes& includes,
                  const WantedInclude& wanted, bool own_first) {
  const std::string newline(newline_of(content));
  const std::string text = includes.front().prefix + wanted.text;
  if (wanted.kind == IncludeKind::quoted) {
    return behind(file, content, includes.back().end, newline + text);
  }
  if (own_first) return behind(file, content, includes.front().end, newline + text);
  return before(file, content, includes.front(), text + newline);
}

Edit as_first(const std::string& file, const std::string& content, std::size_t offset,
              const WantedInclude& wanted) {
  const std::string newline(newline_of(content)), text = "#include " + wanted.text;
  if (offset == 0) return {file, 0, 0, text + newline + newline};
  Edit edit = behind(file, content, offset, newline + text);
  const bool gap = edit.offset >= content.size() || line_end(content, edit.offset) == edit.offset;
  if (!gap) edit.text += newline;
  return edit;
}

}  // namespace

std::optional<Edit> insert_include(const std::string& file, const std::string& content,
                                   const std::string& include) {
  const auto wanted = parse_include(include);
  if (!wanted) return std::nullopt;
  const IncludeRegion region = include_region(content);
  const Includes& includes = region.includes;
  const bool there = std::any_of(includes.begin(), includes.end(), [&](const IncludeLine& line) {
    return is_same_header(line.name, wanted->name);
  });
  if (there) return std::nullopt;
  if (includes.empty()) return as_first(file, content, region.begin, *wanted);
  const bool own_first = is_own_header(file, includes.front());
  const Place last =
      last_like(includes, wanted->kind, own_first ? std::next(includes.begin()) : includes.begin());
  if (last == includes.end()) return as_new_group(file, content, includes, *wanted, own_first);
  return among(file, content, includes, last, *wanted, own_first);
}

}  // namespace gordian
