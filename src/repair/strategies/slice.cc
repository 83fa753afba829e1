// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "frameworks/framework_traits.h"
#include "repair/strategies/source_words.h"
#include "state/kinds/state_kinds.h"

namespace gordian::strategies {
namespace {

/// One statement of a body, sections opened up.
struct Piece {
  std::string text;
  int first_line = 0, last_line = 0;
  bool check = false;
  const StatementFact* fact = nullptr;  ///< of the statement it is, or is part of
};

std::string_view macro_of(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_word_char(text[end])) ++end;
  return text.substr(0, end);
}

/// A section of Catch2, doctest or BDD, which runs its block.
bool is_section(std::string_view text) {
  static const std::set<std::string_view> kSections = {
      "SECTION", "DYNAMIC_SECTION", "GIVEN",  "AND_GIVEN", "WHEN", "AND_WHEN",
      "THEN",    "AND_THEN",        "SUBCASE"};
  return kSections.contains(macro_of(text));
}

bool is_check(std::string_view text) {
  const std::string_view macro = macro_of(text);
  if (macro.empty()) return false;
  const bool loud = std::all_of(macro.begin(), macro.end(), [](char c) {
    return c == '_' || std::isupper(static_cast<unsigned char>(c)) != 0 ||
           std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
  constexpr std::array<std::string_view, 25> kBegins = {
      "EXPECT_",       "ASSERT_",   "REQUIRE",
      "CHECK",         "BOOST_",    "FAIL",
      "ADD_FAILURE",   "SUCCEED",   "WARN",
      "INFO",          "CAPTURE",   "LONGS_",
      "STRCMP_",       "STRNCMP_",  "POINTERS_",
      "DOUBLES_",      "BYTES_",    "MEMCMP_",
      "ENUMS_",        "UNSIGNED_", "FUNCTIONPOINTERS_",
      "THROWS",        "GTEST_",    "SCOPED_TRACE",
      "STATIC_REQUIRE"};
  return loud && starts_with_any(macro, kBegins);
}

void open_up(const std::string& content, std::size_t begin, std::string_view text,
             const StatementFact* fact, std::vector<Piece>& pieces) {
  const std::size_t brace = text.find('{');
  if (is_section(text) && brace != std::string_view::npos && text.ends_with("}")) {
    const std::string_view inside = text.substr(brace + 1, text.size() - brace - 2);
    for (const std::string_view statement : split_statements(inside)) {
      open_up(content, begin + static_cast<std::size_t>(statement.data() - text.data()), statement,
              fact, pieces);
    }
    return;
  }
  pieces.push_back({without_indentation(content, begin, text), line_at(content, begin),
                    line_at(content, begin + text.size() - 1), is_check(text), fact});
}

std::vector<Piece> pieces_of(const Scene& scene, const TestFact& test) {
  std::vector<Piece> pieces;
  const std::string& content = scene.content(test.body.file);
  for (const StatementFact& statement : test.statements) {
    const TextRange& range = statement.range;
    if (range.begin >= range.end || range.end > content.size()) continue;
    open_up(content, range.begin,
            std::string_view(content).substr(range.begin, range.end - range.begin), &statement,
            pieces);
  }
  return pieces;
}

/// Expressions of a check's arguments that call something: `setenv("A", "b", 1) == 0` gives setenv.
std::vector<std::string> calls_in_check(const std::string& text) {
  std::vector<std::string> calls;
  const std::size_t open = text.find('(');
  const std::size_t close = open == std::string::npos ? open : closing_bracket(text, open);
  if (close == std::string::npos) return calls;
  for (const std::string& argument : split_arguments(text.substr(open + 1, close - open - 1))) {
    std::size_t end = argument.size();
    int depth = 0;
    for (std::size_t i = 0; i < argument.size() && end == argument.size();
         i = past_token(argument, i)) {
      if (argument[i] == '(' || argument[i] == '{' || argument[i] == '[') ++depth;
      if (argument[i] == ')' || argument[i] == '}' || argument[i] == ']') --depth;
      const std::string_view two = std::string_view(argument).substr(i, 2);
      const bool compares = two == "==" || two == "!=" || two == "<=" || two == ">=" ||
                            two == "&&" || two == "||" || two == "< " || two == "> ";
      if (depth == 0 && compares) end = i;
    }
    const std::string call = trimmed(std::string_view(argument).substr(0, end));
    const std::size_t bracket = call.find('(');
    const bool calls_something = bracket != std::string::npos && bracket > 0 &&
                                 is_word_char(call[bracket - 1]) && call.ends_with(")");
    if (calls_something) calls.push_back(call);
  }
  return calls;
}

bool on_stack(const Scene& scene, TestId test, const TestFact& fact, const Piece& piece,
              const Subject& subject) {
  const auto& write = subject.carrier->write;
  if (!write || write->test != scene.name(test)) return false;
  return any_frame_in(*write, fact.body.file, piece.first_line, piece.last_line);
}

/// Functions of the C library that write a kind of state.
bool calls_writer(const Piece& piece, const Subject& subject) {
  const auto calls = [&](std::string_view name) {
    return has_word(piece.text, std::string(name)) ||
           piece.text.find("::" + std::string(name)) != std::string::npos;
  };
  const StateKey& key = subject.carrier->key;
  const auto& setters = row_of(key.kind()).setters;
  const bool sets = std::any_of(setters.begin(), setters.end(), calls);
  // Each variable of the environment is a state by itself, and is named in the call.
  const bool other =
      key.kind() == CarrierKind::environment && piece.text.find(key.name()) == std::string::npos;
  return sets && !other;
}

bool assigns(const Piece& piece, const Subject& subject) {
  const std::size_t at = piece.text.find(last_of(display_name(subject.state->name)));
  if (at == std::string::npos) return false;
  // "x = 1", "x.push_back(1)", "++x", "x->y = 2": anything but a bare mention in a declaration.
  const std::size_t equals = piece.text.find('=', at);
  const bool assignment = equals != std::string::npos && equals + 1 < piece.text.size() &&
                          piece.text[equals + 1] != '=';
  const bool call = piece.text.find_first_of("(", at) != std::string::npos;
  const bool count =
      piece.text.find("++") != std::string::npos || piece.text.find("--") != std::string::npos;
  return assignment || call || count;
}

bool writes(const Scene& scene, TestId test, const TestFact& fact, const Piece& piece,
            const std::vector<Subject>& set) {
  return std::any_of(set.begin(), set.end(), [&](const Subject& subject) {
    if (on_stack(scene, test, fact, piece, subject) || calls_writer(piece, subject)) return true;
    if (subject.state == nullptr) return false;
    if (!scene.facts().by_compiler) return !piece.check && assigns(piece, subject);
    const auto& states = piece.fact->may_write;
    if (std::find(states.begin(), states.end(), subject.state->name) == states.end()) return false;
    // A check inside of a section is not known to be the one that writes.
    const bool whole = piece.fact->range.line == piece.first_line;
    return whole || !piece.check;
  });
}

/// Words that a text uses.
std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_word_char(text[i])) {
      i = past_token(text, i);
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_word_char(text[end])) ++end;
    words.insert(text.substr(i, end - i));
    i = end;
  }
  return words;
}

/// The name that a statement declares, by the look of it: "const int x = ...", "Log& log(...)".
std::string declared(const std::string& text) {
  std::size_t end = 0;
  int angles = 0;
  while (end < text.size() && (angles > 0 || (text[end] != '=' && text[end] != '(' &&
                                              text[end] != '{' && text[end] != ';'))) {
    if (text[end] == '<') ++angles;
    if (text[end] == '>') --angles;
    ++end;
  }
  std::string before = trimmed(std::string_view(text).substr(0, end));
  std::size_t name = before.size();
  while (name > 0 && is_word_char(before[name - 1])) --name;
  const std::string type = trimmed(std::string_view(before).substr(0, name));
  const bool is_type = !type.empty() &&
                       (is_word_char(type.back()) || type.back() == '>' || type.back() == '&' ||
                        type.back() == '*') &&
                       type != "return" && type != "delete" && type != "throw";
  return is_type ? before.substr(name) : "";
}

bool declares(const Piece& piece, const std::set<std::string>& needed) {
  if (piece.check) return false;
  for (const std::string& name : piece.fact->declares) {
    if (needed.contains(name)) return true;
  }
  const std::string name = declared(piece.text);
  return !name.empty() && needed.contains(name);
}

std::vector<std::string> texts(const Piece& piece) {
  if (!piece.check) return {piece.text};
  std::vector<std::string> statements;
  for (const std::string& call : calls_in_check(piece.text)) statements.push_back(call + ";");
  return statements;
}

Slice sliced(const std::vector<Piece>& pieces, std::vector<bool> take, const TestFact& fact) {
  std::set<std::string> needed;
  for (std::size_t i = pieces.size(); i-- > 0;) {
    if (!take[i] && declares(pieces[i], needed)) take[i] = true;
    if (!take[i]) continue;
    for (const std::string& text : texts(pieces[i])) needed.merge(words_of(text));
  }
  Slice slice;
  slice.uses_fixture = !fact.fixture.empty();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!take[i]) continue;
    for (const std::string& text : texts(pieces[i])) {
      slice.statements.push_back(text);
      if (std::string name = declared(text); !name.empty()) slice.declares.push_back(name);
    }
  }
  return slice;
}

/// "using T = char;" for statements of an instance of a template; empty: they name no type of it.
std::string type_of_instance(const Scene& scene, TestId id, const TestFact& fact,
                             const Slice& slice) {
  if (!fact.is_template) return "";
  const Test& test = scene.task().suite.test(id);
  std::string type = test.type_param, name;
  const std::size_t open = test.name.rfind('<');
  if (type.empty() && open != std::string::npos && test.name.ends_with(">")) {
    type = test.name.substr(open + 1, test.name.size() - open - 2);
  }
  const FrameworkTraits* traits = find_traits(scene.task().suite.framework());
  if (traits != nullptr && !traits->type_parameter.empty()) {
    name = traits->type_parameter;
  } else {
    const std::string& content = scene.content(fact.body.file);
    const std::size_t bracket = content.find('(', fact.macro.begin);
    const std::size_t close =
        bracket == std::string::npos ? bracket : closing_bracket(content, bracket);
    if (close == std::string::npos) return "";
    const auto arguments = split_arguments(content.substr(bracket + 1, close - bracket - 1));
    if (arguments.size() < 2) return "";
    name = arguments[1];
  }
  const bool named = std::any_of(slice.statements.begin(), slice.statements.end(),
                                 [&](const std::string& text) { return has_word(text, name); });
  return named && !type.empty() ? "using " + name + " = " + type + ";" : "";
}

/// Of the statements that `takes` chooses, with what they need.
template <class Takes>
Slice slice_of(const Scene& scene, TestId test, const Takes& takes, const char* none) {
  const TestFact* fact = scene.fact(test);
  if (fact == nullptr) return {{}, false, scene.title(test) + " was not found in the source"};
  const std::vector<Piece> pieces = pieces_of(scene, *fact);
  std::vector<bool> take;
  for (const Piece& piece : pieces) take.push_back(takes(*fact, piece));
  Slice slice = sliced(pieces, std::move(take), *fact);
  const std::string alias = type_of_instance(scene, test, *fact, slice);
  if (!alias.empty()) slice.statements.insert(slice.statements.begin(), alias);
  if (slice.statements.empty()) slice.why_not = fmt::format(fmt::runtime(none), scene.title(test));
  return slice;
}

}  // namespace

Slice writing_slice(const Scene& scene, TestId test, const std::vector<Subject>& set) {
  return slice_of(
      scene, test,
      [&](const TestFact& fact, const Piece& piece) {
        return writes(scene, test, fact, piece, set);
      },
      "no statement in the body of {} is known to set the state");
}

Slice whole_slice(const Scene& scene, TestId test) {
  return slice_of(
      scene, test, [](const TestFact&, const Piece&) { return true; },
      "the body of {} has no statement but checks");
}

}  // namespace gordian::strategies
