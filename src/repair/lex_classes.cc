// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/lexer.h"
#include "repair/placing.h"
#include "repair/scopes.h"

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

}  // namespace gordian
