// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <set>

#include "frameworks/framework_traits.h"

#include "repair/framework_macros.h"
#include "repair/lex_statements.h"
#include "repair/lexer.h"
#include "repair/placing.h"
#include "repair/scopes.h"

namespace gordian {

namespace {

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

std::vector<TestFact> lex_tests(const std::string& file, const std::string& content) {
  return TestFinder(file, content).run();
}

}  // namespace gordian
