// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "repair/lexer.h"
#include "repair/placing.h"

namespace gordian {
namespace {

// The include lines at the top of a file, and where the first one would stand.

enum class IncludeKind : std::uint8_t {
  quoted,
  c_library,    ///< <x.h>
  cxx_library,  ///< <x>
  third_party,  ///< <x/y.h>
};

struct WantedInclude {
  std::string name;  ///< without quotes
  std::string text;  ///< with them
  IncludeKind kind = IncludeKind::quoted;
};

struct IncludeLine {
  std::string name, prefix;  ///< prefix: "#include ", as this line spells it, with its indentation
  IncludeKind kind = IncludeKind::quoted;
  std::size_t begin = 0, end = 0;  ///< of the directive
  int block = 0;                   ///< the same number for lines without a gap between them
};

struct IncludeRegion {
  std::vector<IncludeLine> includes;  ///< before the first line of code, outside of any #if but the
                                      ///< include guard's
  std::size_t begin = 0;  ///< the end of what comes first: comment, guard, #pragma once; 0: nothing
};

IncludeKind kind_of(const std::string& text) {
  if (text[0] == '"') return IncludeKind::quoted;
  if (text.find('/') != std::string::npos) return IncludeKind::third_party;
  return text.find('.') != std::string::npos ? IncludeKind::c_library : IncludeKind::cxx_library;
}

bool opens(std::string_view word) {
  return word == "if" || word == "ifdef" || word == "ifndef";
}

/// The name that an include guard tests first: #ifndef X, #if !defined(X).
std::string guarded_name(std::string_view directive) {
  const std::string_view word = directive_word(directive), rest = directive_rest(directive);
  if (word == "ifndef") return std::string(rest);
  std::string name;
  if (word != "if" || rest.substr(0, 8) != "!defined") return name;
  for (const char c : rest.substr(8)) {
    if (c != '(' && c != ')' && c != ' ') name += c;
  }
  return name;
}

/// From `<x>`, `"x"`, or these with #include before. nullopt: neither.
std::optional<WantedInclude> parse_include(const std::string& text) {
  std::string_view rest = text;
  if (!rest.empty() && rest[0] == '#') rest = directive_rest(rest);
  const char close = rest.empty() ? '\0' : rest[0] == '<' ? '>' : rest[0] == '"' ? '"' : '\0';
  const std::size_t end = close == '\0' ? std::string_view::npos : rest.find(close, 1);
  if (end == std::string_view::npos || end < 2) return std::nullopt;
  WantedInclude wanted;
  wanted.name = std::string(rest.substr(1, end - 1));
  wanted.text = std::string(rest.substr(0, end + 1));
  wanted.kind = kind_of(wanted.text);
  return wanted;
}

/// Walks the tokens up to the first one of code.
class Top {
 public:
  explicit Top(const std::string& content) : content_(content), tokens_(lex(content)) {}

  IncludeRegion run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.kind == TokenKind::directive) {
        directive(i);
      } else if (token.kind == TokenKind::comment) {
        comment(token);
      } else if (!token.dead && depth_ == 0) {
        break;
      }
    }
    return std::move(region_);
  }

 private:
  std::string_view text(std::size_t i) const {
    return i < tokens_.size() ? tokens_[i].in(content_) : std::string_view();
  }

  /// Only the file's first comment, up to the first empty line behind it.
  void comment(const Token& token) {
    const bool first = region_.begin == 0 && seen_ == 0;
    const bool follows = region_.begin != 0 && seen_ == 0 &&
                         next_line(content_, region_.begin) == line_begin(content_, token.begin);
    if (first || follows) region_.begin = token.end;
  }

  void directive(std::size_t i) {
    const std::string_view word = directive_word(text(i));
    if (opens(word)) {
      if (depth_ == 0 && is_guard(i)) {
        guard_ = true;
      } else {
        ++depth_;
      }
    } else if (word == "endif") {
      if (depth_ > 0) --depth_;
    } else if (depth_ == 0 && !tokens_[i].dead) {
      if (word == "include") include(tokens_[i]);
      const bool defines = guard_ && word == "define" && seen_ == 1;
      const bool once = word == "pragma" && directive_rest(text(i)) == "once";
      if (region_.includes.empty() && (defines || once)) region_.begin = tokens_[i].end;
    }
    ++seen_;
  }

  /// #ifndef X, #define X right behind it, before any other directive.
  bool is_guard(std::size_t i) const {
    if (guard_ || seen_ != 0) return false;
    const std::string name = guarded_name(text(i));
    std::size_t next = i + 1;
    while (next < tokens_.size() && tokens_[next].kind == TokenKind::comment) ++next;
    if (name.empty() || directive_word(text(next)) != "define") return false;
    const std::string_view defined = directive_rest(text(next));
    return defined.substr(0, name.size()) == name;
  }

  void include(const Token& token) {
    const auto wanted = parse_include(std::string(token.in(content_)));
    if (!wanted) return;  // #include MACRO
    const std::string_view text = token.in(content_);
    const std::string_view rest = directive_rest(text);
    const auto prefix = static_cast<std::size_t>(rest.data() - text.data());
    if (!region_.includes.empty() &&
        next_line(content_, last_end_) != line_begin(content_, token.begin)) {
      ++block_;
    }
    last_end_ = token.end;
    region_.includes.push_back(
        {wanted->name,
         std::string(indentation_at(content_, token.begin)) + std::string(text.substr(0, prefix)),
         wanted->kind, token.begin, token.end, block_});
  }

  const std::string& content_;
  std::vector<Token> tokens_;
  IncludeRegion region_;
  int depth_ = 0, seen_ = 0, block_ = 0;
  bool guard_ = false;
  std::size_t last_end_ = 0;
};

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
  const IncludeRegion region = Top(content).run();
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
