// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/framework_macros.h"

#include <algorithm>
#include <array>

#include "frameworks/framework_traits.h"
#include "repair/lexer.h"
#include "repair/placing.h"

namespace gordian {
namespace {

bool is_one_of(std::string_view name, Words words) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

bool holds_one_of(std::string_view name, Words parts) {
  return std::any_of(parts.begin(), parts.end(), [name](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

template <class Fits>
bool any_macros(Fits fits) {
  return any_framework([&](const FrameworkTraits& traits) { return fits(traits.macros); });
}

std::string_view without_prefix(std::string_view name) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    const std::string_view prefix = traits->macros.prefix;
    if (!prefix.empty() && name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

constexpr std::size_t kMostTokens = 1000;  // of arguments: macros in macros must not cost a square

/// Catch2: tags that hide a test or forgive its failure.
int switching_tags(std::string_view literal) {
  int found = 0;
  for (const std::string_view tag : {"[.", "[!hide]", "[!mayfail]", "[!shouldfail]"}) {
    if (literal.find(tag) != std::string_view::npos) ++found;
  }
  return found;
}

/// doctest's and Boost.Test's decorators that do the same.
bool is_switching_word(std::string_view word) {
  constexpr std::array<std::string_view, 7> kWords = {
      "skip",     "may_fail",     "should_fail", "expected_failures",
      "disabled", "precondition", "enable_if"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

/// In the arguments of a macro that makes a test or a group of them.
int skips_in_arguments(const Code& code, std::size_t open) {
  const std::size_t close = code.partner(open);
  if (close == Code::kNone) return 0;
  int skips = 0;
  const std::size_t last = std::min(close, open + kMostTokens);
  for (std::size_t i = open + 1; i < last; ++i) {
    if (code[i].kind == TokenKind::string) skips += switching_tags(code.text(i));
    if (code.is(i - 1, "::") && is_switching_word(code.text(i))) ++skips;
  }
  return skips;
}

void count_code(const Code& code, CheckCount& count) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code.is_identifier(i)) continue;
    const std::string_view word = code.text(i);
    if (word.substr(0, 9) == "DISABLED_") ++count.skips;
    if (!code.is(i + 1, "(")) continue;
    const bool test = test_macro(word) != nullptr;
    if (test) ++count.tests;
    if (is_check_macro(word)) ++count.checks;
    if (is_skip_macro(word)) ++count.skips;
    if (test || is_suite_macro(word)) count.skips += skips_in_arguments(code, i + 1);
  }
}

}  // namespace

const TestMacro* test_macro(std::string_view name) {
  const std::string_view plain = without_prefix(name);
  for (const FrameworkTraits* traits : all_frameworks()) {
    for (const TestMacro& macro : traits->macros.tests) {
      if (macro.name == plain) return &macro;
    }
  }
  return nullptr;
}

bool is_check_macro(std::string_view name) {
  const std::string_view plain = without_prefix(name);
  return plain == "assert" || any_macros([plain](const FrameworkMacros& macros) {
           return is_one_of(plain, macros.checks) || starts_with_any(plain, macros.checks_begin) ||
                  holds_one_of(plain, macros.checks_hold);
         });
}

bool is_skip_macro(std::string_view name) {
  return any_macros(
      [name](const FrameworkMacros& macros) { return is_one_of(name, macros.skips); });
}

bool is_suite_macro(std::string_view name) {
  const std::string_view plain = without_prefix(name);
  return any_macros(
      [plain](const FrameworkMacros& macros) { return is_one_of(plain, macros.suites); });
}

CheckCount count_checks(const std::string& content) {
  CheckCount count;
  const std::vector<Token> tokens = lex(content);
  count_code(Code(content, tokens), count);
  for (const Token& token : tokens) {  // what the project's own macros are made of
    if (token.kind != TokenKind::directive || token.dead) continue;
    const std::string_view text = token.in(content);
    if (directive_word(text) == "define") count_code(Code(directive_rest(text)), count);
  }
  return count;
}

}  // namespace gordian
