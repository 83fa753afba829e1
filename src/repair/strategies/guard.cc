// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/guard.h"

#include "repair/strategies/source_words.h"
#include "state/kinds/state_kinds.h"

namespace gordian::strategies {

std::string Guard::class_text() const {
  return "gordian::" + name + (type.empty() ? "" : "<" + type + ">");
}

namespace {

constexpr std::size_t kStatementWidth = 98;  // with an indentation of two, what most projects allow

/// On one line, or the arguments on a line of their own.
std::string declaration(const std::string& begin, const std::string& arguments, char open,
                        char close) {
  if (arguments.empty()) return begin + ";";
  const bool fits = begin.size() + arguments.size() + 3 <= kStatementWidth;
  return begin + open + (fits ? "" : "\n    ") + arguments + close + ";";
}

}  // namespace

std::string Guard::as_statement() const {
  return declaration(class_text() + " " + variable, arguments, '(', ')');
}

std::string Guard::as_member() const {
  return declaration(class_text() + " " + variable, arguments, '{', '}');
}

std::string Guard::part() const {
  if (name != "ScopedRestore" || type.find("decltype") != std::string::npos) return name;
  if (type.ends_with("]")) return "ScopedRestoreArray";
  if (type.starts_with("std::atomic")) return "ScopedRestoreAtomic";
  return "ScopedRestoreObject";
}

std::string phrase(const Subject& subject) {
  return display_name(phrase_of(subject.carrier->key));
}

std::string guard_variable(const std::string& verb, const std::string& expression) {
  std::string plain = plain_name(expression);
  for (char& c : plain) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return plain.empty() ? verb + "_state" : verb + "_" + plain;
}

Guard guard_on(const std::string& name, const Reach& way, const std::string& expression,
               const std::string& type) {
  Guard guard;
  guard.name = name;
  guard.type = type_text(type, expression);
  guard.variable = guard_variable("restore", expression);
  guard.arguments = expression;
  guard.does = "puts " + expression + " back";
  guard.includes = way.includes;
  guard.scope = way.scope;
  guard.parts = way.parts;
  if (guard.type.find("std::remove_reference") != std::string::npos) {
    guard.includes.push_back("<type_traits>");
  }
  return guard;
}

std::string why_no_variable(const Subject& subject) {
  if (subject.state != nullptr) {
    return subject.state->is_const ? display_name(subject.state->name) + " is a constant" : "";
  }
  const StateKey& key = subject.carrier->key;
  if (key.kind() == CarrierKind::thread || key.kind() == CarrierKind::child) {
    return guard_of(key).why_not;
  }
  if (!is_variable(key.kind())) return phrase(subject) + " is no variable";
  return "the source of " + phrase(subject) + " is not known";
}

}  // namespace gordian::strategies
