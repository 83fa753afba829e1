// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/guard.h"

#include "model/state_kinds.h"

namespace gordian::strategies {

std::string Guard::class_text() const {
  return "gordian::" + name + (type.empty() ? "" : "<" + type + ">");
}

namespace {

constexpr std::size_t kWidth = 98;  // with an indentation of two, what most projects allow

/// On one line, or the arguments on a line of their own.
std::string declaration(const std::string& begin, const std::string& arguments, char open,
                        char close) {
  if (arguments.empty()) return begin + ";";
  const bool fits = begin.size() + arguments.size() + 3 <= kWidth;
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

std::string said(const Subject& subject) {
  const StateKey& key = subject.carrier->key;
  const StateKindRow& row = row_of(key.kind());
  return row.said != nullptr ? row.said(key) : said_name(key.text());
}

}  // namespace gordian::strategies
