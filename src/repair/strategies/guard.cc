// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/guard.h"

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

namespace {

std::string said_of_process(const std::string& name) {
  if (name == "name") return "the name of the process";
  if (name == "nice") return "the nice value";
  return name == "personality" ? "the personality of the process" : name;
}

}  // namespace

std::string said(const Subject& subject) {
  const Carrier& carrier = *subject.carrier;
  switch (carrier.kind) {
    case CarrierKind::environment:
      return "the environment variable " + carrier.name;
    case CarrierKind::cwd:
      return "the working directory";
    case CarrierKind::umask:
      return "the umask";
    case CarrierKind::file:
      return "the file " + carrier.name;
    case CarrierKind::locale:
      return "the locale";
    case CarrierKind::signal:
      if (carrier.name == "alternate stack") return "the alternate signal stack";
      return (carrier.name.starts_with("SIG") ? "the handling of " : "") + carrier.name;
    case CarrierKind::signal_mask:
      return "the signal mask";
    case CarrierKind::limit:
      return "the limit " + carrier.name;
    case CarrierKind::timer:
      return "the timer " + carrier.name;
    case CarrierKind::fp_mode:
      return "the floating-point mode";
    case CarrierKind::flag:
      return "the option " + carrier.name;
    case CarrierKind::descriptor:
      return (carrier.name.starts_with("flags") ? "the " : "") + carrier.name;
    case CarrierKind::libc:
      return carrier.name == "std::locale" ? "the global locale" : carrier.name;
    case CarrierKind::process:
      return said_of_process(carrier.name);
    default:
      return said_name(carrier.name);
  }
}

}  // namespace gordian::strategies
