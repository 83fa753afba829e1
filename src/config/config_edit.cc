// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Edits of `.gordian.toml` in its text. What an edit leaves is parsed again: a text that does not
// say what it should is never written.
#include <fmt/format.h>

#include <algorithm>

#include "config/config_file.h"

namespace gordian {
namespace {

constexpr auto npos = std::string::npos;

std::vector<std::string>& names_of(IgnoreList& list, IgnoreKind kind) {
  return kind == IgnoreKind::file          ? list.files
         : kind == IgnoreKind::environment ? list.environment
                                           : list.variables;
}

std::string quoted(const std::string& name) {
  std::string out = "\"";
  for (char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// Behind the string that begins at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return text.size();
}

/// A list of names in the text.
struct List {
  struct Element {
    std::size_t begin, end;
  };
  std::size_t open = npos, close = npos;  ///< its brackets
  std::vector<Element> elements;
  std::size_t last_comma = npos;  ///< behind the last element
};

/// The list that begins with the bracket at `open`.
List scan_list(std::string_view text, std::size_t open) {
  List list;
  list.open = open;
  for (std::size_t i = open + 1; i < text.size(); ++i) {
    if (text[i] == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (text[i] == '"' || text[i] == '\'') {
      const std::size_t end = end_of_string(text, i);
      list.elements.push_back({i, end});
      list.last_comma = npos;
      i = end - 1;
    } else if (text[i] == ',') {
      list.last_comma = i;
    } else if (text[i] == ']') {
      list.close = i;
      break;
    }
  }
  return list;
}

/// The line at `at`, without blanks around it and without a comment.
std::string_view content(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const auto first = line.find_first_not_of(" \t\r");
  if (first == npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

struct Section {
  std::size_t behind_header = npos;  ///< the line after [ignore]
  List list;                         ///< of the key, if the section has it
};

/// By lines, as people write it; lists of the section may span several.
Section find_section(std::string_view text, std::string_view key) {
  Section section;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at), bare = content(line);
    std::size_t next = end + 1;
    if (bare.starts_with("[")) {
      inside = bare == "[ignore]";
      if (inside) section.behind_header = std::min(next, text.size());
    } else if (inside && bare.find('=') != npos) {
      const std::size_t bracket = text.find('[', at);
      if (bracket < end) {
        List list = scan_list(text, bracket);
        if (list.close == npos) break;
        if (content(bare.substr(0, bare.find('='))) == key) section.list = list;
        next = std::max(next, std::min(text.find('\n', list.close), text.size()) + 1);
      }
    }
    at = next;
  }
  return section;
}

std::size_t line_begin(std::string_view text, std::size_t at) {
  const std::size_t newline = at == 0 ? npos : text.rfind('\n', at - 1);
  return newline == npos ? 0 : newline + 1;
}

/// Nothing but blanks stands before it on its line.
bool begins_line(std::string_view text, std::size_t at) {
  const std::size_t begin = line_begin(text, at);
  return text.substr(begin, at - begin).find_first_not_of(" \t") == npos;
}

std::string insert_into(std::string text, const List& list, const std::string& name) {
  if (list.elements.empty()) return text.insert(list.open + 1, quoted(name));
  const List::Element last = list.elements.back();
  const bool own_lines = begins_line(text, list.close) && begins_line(text, last.begin);
  if (!own_lines) {
    return list.last_comma == npos ? text.insert(last.end, ", " + quoted(name))
                                   : text.insert(list.last_comma + 1, " " + quoted(name));
  }
  const std::size_t begin = line_begin(text, last.begin);
  const std::string indent = text.substr(begin, last.begin - begin);
  text.insert(line_begin(text, list.close), indent + quoted(name) + ",\n");
  if (list.last_comma == npos) text.insert(last.end, ",");
  return text;
}

std::string cut(std::string text, const List& list, std::size_t index) {
  const List::Element element = list.elements[index];
  const std::size_t begin = line_begin(text, element.begin);
  const std::size_t end = std::min(text.find('\n', element.end), text.size());
  const bool alone = begins_line(text, element.begin) &&
                     std::count_if(list.elements.begin(), list.elements.end(), [&](auto other) {
                       return other.begin >= begin && other.begin < end;
                     }) == 1;
  if (alone && list.close > end) return text.erase(begin, end + 1 - begin);
  if (index + 1 < list.elements.size()) {
    return text.erase(element.begin, list.elements[index + 1].begin - element.begin);
  }
  const std::size_t from = index == 0 ? element.begin : list.elements[index - 1].end;
  return text.erase(from, element.end - from);
}

/// The edited text, if it says what it should.
Result<std::string> checked(std::string text, const std::string& name, const IgnoreList& wanted) {
  auto parsed = parse_config(text, name);
  const bool as_wanted = parsed && parsed->ignore.variables == wanted.variables &&
                         parsed->ignore.files == wanted.files &&
                         parsed->ignore.environment == wanted.environment;
  if (as_wanted) return text;
  return usage_error(fmt::format("{} is laid out in a way that cannot be edited here", name),
                     "edit its section [ignore] by hand");
}

}  // namespace

Result<std::string> with_rule(std::string_view text, IgnoreKind kind, const std::string& rule,
                              const std::string& name) {
  auto config = parse_config(text, name);
  if (!config) return config.error();
  IgnoreList& list = config->ignore;
  std::vector<std::string>& names = names_of(list, kind);
  if (std::find(names.begin(), names.end(), rule) != names.end()) return std::string(text);
  names.push_back(rule);
  std::string edited(text);
  const Section section = find_section(text, key_of(kind));
  const std::string line = fmt::format("{} = [{}]\n", key_of(kind), quoted(rule));
  if (section.list.close != npos) {
    edited = insert_into(std::move(edited), section.list, rule);
  } else if (section.behind_header != npos) {
    const bool cut_off = section.behind_header == text.size() && !text.ends_with('\n');
    edited.insert(section.behind_header, (cut_off ? "\n" : "") + line);
  } else {
    if (!edited.empty() && !edited.ends_with('\n')) edited += '\n';
    edited += (edited.empty() ? "[ignore]\n" : "\n[ignore]\n") + line;
  }
  return checked(std::move(edited), name, list);
}

Result<std::string> without_rule(std::string_view text, IgnoreKind kind, const std::string& rule,
                                 const std::string& name) {
  auto config = parse_config(text, name);
  if (!config) return config.error();
  IgnoreList& list = config->ignore;
  std::vector<std::string>& names = names_of(list, kind);
  auto found = std::find(names.begin(), names.end(), rule);
  if (found == names.end()) return std::string(text);
  const auto index = static_cast<std::size_t>(found - names.begin());
  names.erase(found);
  const Section section = find_section(text, key_of(kind));
  if (section.list.elements.size() <= index) return checked(std::string(text), name, list);
  return checked(cut(std::string(text), section.list, index), name, list);
}

}  // namespace gordian
