// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/guard_parts.h"

#include "repair/strategies/source_words.h"

namespace gordian::strategies {

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
  switch (subject.carrier->kind) {
    case CarrierKind::thread:
      return "a thread that the test leaves behind goes on writing: it has to end with the test";
    case CarrierKind::child:
      return "a child process that the test leaves behind cannot be put back";
    default:
      break;
  }
  if (!is_variable(subject.carrier->kind)) return said(subject) + " is no variable";
  return "the source of " + said(subject) + " is not known";
}

}  // namespace gordian::strategies
