// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/guard.h"

namespace gordian::strategies {

std::string Guard::class_text() const {
  return "gordian::" + name + (type.empty() ? "" : "<" + type + ">");
}

std::string Guard::as_statement() const {
  return class_text() + " " + variable + (arguments.empty() ? "" : "(" + arguments + ")") + ";";
}

std::string Guard::as_member() const {
  return class_text() + " " + variable + (arguments.empty() ? "" : "{" + arguments + "}") + ";";
}

std::string Guard::part() const {
  if (name != "ScopedRestore" || type.find("decltype") != std::string::npos) return name;
  if (type.ends_with("]")) return "ScopedRestoreArray";
  if (type.starts_with("std::atomic")) return "ScopedRestoreAtomic";
  return "ScopedRestoreObject";
}

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
      return "the handling of " + carrier.name;
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
    default:
      return said_name(carrier.name);
  }
}

}  // namespace gordian::strategies
