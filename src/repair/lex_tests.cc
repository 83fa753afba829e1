// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <set>
#include <string>
#include <vector>

#include "frameworks/framework_traits.h"
#include "repair/framework_macros.h"
#include "repair/lexer.h"
#include "repair/placing.h"
#include "repair/source_facts.h"

namespace gordian {
namespace {

/// What a class head says: the token of its {, and its name; kNone: this is no class with a body.
struct Head {
  std::size_t open = Code::kNone;
  std::string name;
};

/// `at`: behind class or struct. Attributes and macros of export may stand before the name.
Head class_head(const Code& code, std::size_t at) {
  constexpr std::size_t kLongest = 400;  // tokens, base classes too
  Head head;
  bool named = false;
  for (const std::size_t last = at + kLongest; at < last && at < code.size(); ++at) {
    const std::string_view text = code.text(at);
    if (text == "{") {
      if (code.partner(at) != Code::kNone && !head.name.empty()) head.open = at;
      return head;
    }
    if (text == ":") named = true;
    if (!named && (text == "<" || text == "final")) named = true;
    if (!named && code.is_identifier(at)) {
      const bool goes_on = at >= 1 && code.is(at - 1, "::") && !head.name.empty();
      head.name = (goes_on ? head.name + "::" : "") + std::string(text);
      if (text == "alignas" || text == "__attribute__" || text == "__declspec") head.name.clear();
    }
    if (text == "(" || text == "[") {
      if (code.partner(at) == Code::kNone) return {};
      at = code.partner(at);  // of alignas, or an attribute
    } else if (text == ";" || text == ")" || text == "=" || text == "&" || text == "*") {
      if (!named || text == ";") return {};
    }
  }
  return {};
}

bool is_class_key(const Code& code, std::size_t at) {
  if (!code.is(at, "class") && !code.is(at, "struct")) return false;
  if (at == 0) return true;
  return !code.is(at - 1, "enum") && !code.is(at - 1, "<") && !code.is(at - 1, ",") &&
         !code.is(at - 1, "friend");
}

/// TEST_GROUP(Name) { ... }: CppUTest's word for a fixture.
Head group_head(const Code& code, std::size_t at) {
  const bool group = code.is(at, "TEST_GROUP") || code.is(at, "TEST_GROUP_BASE");
  if (!group || !code.is(at + 1, "(") || !code.is_identifier(at + 2)) return {};
  const std::size_t close = code.partner(at + 1);
  if (close == Code::kNone || !code.is(close + 1, "{")) return {};
  if (code.partner(close + 1) == Code::kNone) return {};
  return {close + 1, std::string(code.text(at + 2))};
}

// The statements between two braces.

constexpr int kDeepest = 100;  // statements in statements without braces

/// Finds where a statement ends; `end_` is the closing brace of the body.
class Statements {
 public:
  Statements(const Code& code, std::size_t end) : code_(code), end_(end) {}

  /// The token behind the statement that begins here. REQUIRES: at < end.
  std::size_t behind(std::size_t at, int depth = 0) const {
    if (depth > kDeepest) return end_;
    const std::string_view word = code_.text(at);
    if (word == "{") return behind_bracket(at);
    if (word == "if") return behind_if(at, depth);
    if (word == "for" || word == "while" || word == "switch") return behind_head(at, depth);
    if (word == "do") return behind_simple(behind(limited(at + 1), depth + 1));
    if (word == "try") return behind_try(at);
    if (is_block_of_macro(at)) return behind_bracket(behind_bracket(at + 1));
    return behind_simple(at);
  }

 private:
  std::size_t limited(std::size_t at) const { return at < end_ ? at : end_; }

  std::size_t behind_bracket(std::size_t at) const {
    const std::size_t partner = code_.partner(at);
    if (at >= end_ || partner == Code::kNone || partner <= at) return end_;
    return limited(partner + 1);
  }

  std::size_t behind_simple(std::size_t at) const {
    for (; at < end_; at = code_.past(at)) {
      if (code_.is(at, ";")) return limited(at + 1);
    }
    return end_;
  }

  /// for (...) statement
  std::size_t behind_head(std::size_t at, int depth) const {
    std::size_t head = limited(at + 1);
    if (code_.is(head, "constexpr") || code_.is(head, "consteval")) head = limited(head + 1);
    if (code_.is(head, "!")) head = limited(head + 1);
    const std::size_t body = code_.is(head, "(") ? behind_bracket(head) : head;
    return body < end_ ? behind(body, depth + 1) : end_;
  }

  std::size_t behind_if(std::size_t at, int depth) const {
    std::size_t end = behind_head(at, depth);
    while (end < end_ && code_.is(end, "else") && end + 1 < end_) {
      // A chain of else-if is as long as it wants, not as deep.
      const bool chained = code_.is(end + 1, "if");
      end = chained ? behind_head(end + 1, depth) : behind(end + 1, depth + 1);
    }
    return end;
  }

  std::size_t behind_try(std::size_t at) const {
    std::size_t end = behind_bracket(limited(at + 1));
    while (end < end_ && code_.is(end, "catch")) {
      end = behind_bracket(behind_bracket(limited(end + 1)));
    }
    return end;
  }

  /// SECTION("x") { ... }
  bool is_block_of_macro(std::size_t at) const {
    if (!code_.is_identifier(at) || !code_.is(at + 1, "(")) return false;
    const std::size_t close = code_.partner(at + 1);
    return close != Code::kNone && close + 1 < end_ && code_.is(close + 1, "{");
  }

  const Code& code_;
  std::size_t end_;
};

bool holds_check(const Code& code, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (code.is_identifier(i) && code.is(i + 1, "(") && is_check_macro(code.text(i))) return true;
  }
  return false;
}

/// Those of the body itself, in order, with their semicolons; a compound one counts as one. What
/// cannot be told apart (a macro without a semicolon) goes with the statement behind it. `open` is
/// the token of a { that has a partner.
std::vector<StatementFact> lex_statements(const std::string& file, const Code& code,
                                          std::size_t open) {
  std::vector<StatementFact> statements;
  const std::size_t close = code.partner(open);
  if (close == Code::kNone || close < open) return statements;
  const Statements find(code, close);
  for (std::size_t at = open + 1; at < close;) {
    const std::size_t behind = find.behind(at);
    StatementFact statement;
    statement.range = {file, code[at].begin, code[behind - 1].end, code[at].line};
    statement.assertion = holds_check(code, at, behind);
    statements.push_back(std::move(statement));
    at = behind;
  }
  return statements;
}

/// The text of a string literal, escapes of quotes and backslashes undone.
std::string string_value(std::string_view literal) {
  const std::size_t open = literal.find('"');
  if (open == std::string_view::npos || literal.size() < open + 2) return {};
  if (open > 0 && literal[open - 1] == 'R') {
    const std::size_t begin = literal.find('('), end = literal.rfind(')');
    return begin < end ? std::string(literal.substr(begin + 1, end - begin - 1)) : std::string();
  }
  std::string value;
  for (std::size_t i = open + 1; i + 1 < literal.size(); ++i) {
    if (literal[i] == '\\' && i + 2 < literal.size()) ++i;
    value += literal[i];
  }
  return value;
}

/// A macro's argument: neighbouring strings as one, or its tokens without white space.
std::string argument(const Code& code, std::size_t begin, std::size_t end) {
  std::string text;
  const bool title = begin < end && code[begin].kind == TokenKind::string;
  for (std::size_t i = begin; i < end; ++i) {
    if (title && code[i].kind != TokenKind::string) break;  // doctest: "title" * skip()
    text += title ? string_value(code.text(i)) : std::string(code.text(i));
  }
  return text;
}

std::vector<std::string> arguments(const Code& code, std::size_t open) {
  std::vector<std::string> all;
  const std::size_t close = code.partner(open);
  std::size_t begin = open + 1;
  for (std::size_t i = begin; i <= close && all.size() < 4; ++i) {
    if (i == close || code.is(i, ",")) {
      if (i > begin) all.push_back(argument(code, begin, i));
      begin = i + 1;
    } else if (const std::size_t partner = code.partner(i);
               partner != Code::kNone && partner > i && partner < close) {
      i = partner;
    }
  }
  return all;
}

void name_test(TestFact& test, TestForm form, const std::vector<std::string>& arguments) {
  const std::string first = arguments.empty() ? "" : arguments[0];
  const std::string second = arguments.size() < 2 ? "" : arguments[1];
  switch (form) {
    case TestForm::suite_and_name:
      test.suite = first, test.name = second;
      break;
    case TestForm::fixture_and_name:
      test.suite = test.fixture = first, test.name = second;
      break;
    case TestForm::title:
    case TestForm::name:
      test.name = first;
      break;
    case TestForm::fixture_and_title:
    case TestForm::fixture_and_plain_name:
      test.fixture = first, test.name = second;
      break;
    case TestForm::name_and_fixture:
      test.name = first, test.fixture = second;
      break;
  }
}

/// Groups of tests that are open, and the fixture that they give their tests.
class OpenGroups {
 public:
  void reach(const Code& code, std::size_t at) {
    for (const FrameworkTraits* traits : all_frameworks()) {
      if (!traits->macros.groups.begin.empty()) reach(code, at, traits->macros.groups);
    }
  }
  void name(TestFact& test) const {
    if (open_.empty()) return;
    test.suite = open_.back().path;
    if (test.fixture.empty()) test.fixture = open_.back().fixture;
  }

 private:
  void reach(const Code& code, std::size_t at, const GroupMacros& macros) {
    if (code.is(at, macros.end)) {
      if (!open_.empty()) open_.pop_back();
      return;
    }
    const bool fixture = code.is(at, macros.begin_with_fixture);
    if (!fixture && !code.is(at, macros.begin)) return;
    if (!code.is(at + 1, "(") || code.partner(at + 1) == Code::kNone) return;
    const auto words = arguments(code, at + 1);
    if (words.empty() || open_.size() > 64) return;
    const std::string inherited = open_.empty() ? "" : open_.back().fixture;
    const std::string outer = open_.empty() ? "" : open_.back().path + "/";
    open_.push_back({outer + words[0], fixture && words.size() > 1 ? words[1] : inherited});
  }

  struct Group {
    std::string path, fixture;
  };
  std::vector<Group> open_;
};

bool has_fixtures_for_suites(const std::string& content) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    for (std::string_view sign : traits->macros.suite_is_fixture) {
      if (content.find(sign) != std::string::npos) return true;
    }
  }
  return false;
}

class TestFinder {
 public:
  TestFinder(const std::string& file, const std::string& content)
      : file_(file),
        code_(content),
        scopes_(code_),
        suite_is_fixture_(has_fixtures_for_suites(content)) {
    for (const FixtureFact& known : lex_classes(file, content)) classes_.insert(known.name);
  }

  std::vector<TestFact> run() {
    for (std::size_t at = 0; at < code_.size(); ++at) {
      scopes_.reach(at);
      if (!code_.is_identifier(at)) continue;
      groups_.reach(code_, at);
      const TestMacro* macro = test_macro(code_.text(at));
      if (macro == nullptr || !code_.is(at + 1, "(")) continue;
      const std::size_t close = code_.partner(at + 1);
      if (close != Code::kNone && close > at) at = take(*macro, at, close);
    }
    return std::move(tests_);
  }

 private:
  /// Adds the test, if it is one; the token to go on from.
  std::size_t take(const TestMacro& macro, std::size_t at, std::size_t close) {
    const std::size_t open = close + 1;
    const bool body = code_.is(open, "{") && code_.partner(open) != Code::kNone;
    // TEST(a, b); is a call, and TEST(a, b) at the end of anything else no definition.
    if (!body && !code_.is_identifier(open)) return close;
    TestFact test;
    name_test(test, macro.form, arguments(code_, at + 1));
    if (macro.form == TestForm::suite_and_name && suite_is_fixture_) test.fixture = test.suite;
    if (macro.grouped) groups_.name(test);
    test.fixture = resolved(test.fixture);
    test.is_template = macro.is_template;
    test.macro = {file_, code_[at].begin, code_[close].end, code_[at].line};
    test.spelled = body;
    if (body) {
      const std::size_t end = code_.partner(open);
      test.body = {file_, code_[open].begin, code_[end].end, code_[open].line};
      test.statements = lex_statements(file_, code_, open);
      close = end;
    }
    tests_.push_back(std::move(test));
    return close;
  }

  /// By the scopes around the test, if this file has the class; as it is spelled else.
  std::string resolved(const std::string& fixture) const {
    if (fixture.empty()) return fixture;
    for (const std::string& prefix : scopes_.prefixes()) {
      if (classes_.count(prefix + fixture) != 0) return prefix + fixture;
    }
    return fixture;
  }

  std::string file_;
  Code code_;
  Scopes scopes_;
  OpenGroups groups_;
  bool suite_is_fixture_;
  std::set<std::string> classes_;
  std::vector<TestFact> tests_;
};

}  // namespace

std::vector<FixtureFact> lex_classes(const std::string& file, const std::string& content) {
  const Code code(content);
  std::vector<FixtureFact> classes;
  Scopes scopes(code);
  for (std::size_t at = 0; at < code.size(); ++at) {
    scopes.reach(at);
    const Head head = is_class_key(code, at) ? class_head(code, at + 1) : group_head(code, at);
    if (head.open == Code::kNone) continue;
    FixtureFact fact;
    fact.name = scopes.qualified(head.name);
    const Token& open = code[head.open];
    fact.body = {file, open.begin, code[code.partner(head.open)].end, open.line};
    classes.push_back(std::move(fact));
    scopes.enter(head.open, head.name);
  }
  return classes;
}

std::vector<TestFact> lex_tests(const std::string& file, const std::string& content) {
  return TestFinder(file, content).run();
}

}  // namespace gordian
