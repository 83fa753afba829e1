// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// EffectsOfUnit::fold: the way from the user's code through libraries' inline code and templates,
// back to the user's code or out into what has no body here.
#include "facts/effects.h"
#include "facts/names.h"
#include "facts/usage.h"

namespace gordian::facts {
namespace {

bool is_plain_c(const clang::FunctionDecl* function) {
  const bool reserved =
      function->getIdentifier() != nullptr && function->getName().starts_with("__");
  return function->isExternC() && !reserved;
}

bool is_stream_of_file(const clang::CXXRecordDecl* record) {
  const auto name = record->getName();
  return record->isInStdNamespace() && (name == "basic_ofstream" || name == "basic_fstream");
}

/// The name by which a reader knows a function of the system or of a library; empty: of no
/// interest. `direct`: the user's code names it, not a template of a library.
std::string outside_name(const clang::FunctionDecl* function, bool direct) {
  if (is_plain_c(function)) return function->getNameAsString();
  if (!direct || is_frameworks(function)) return "";
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function)) {
    if (is_stream_of_file(method->getParent())) {
      return method->getParent()->getName() == "basic_ofstream" ? "std::ofstream" : "std::fstream";
    }
    if (!method->isStatic() || method->getParent()->isLambda()) return "";
  }
  const bool has_name = function->getIdentifier() != nullptr && !function->hasBody();
  return has_name ? explained_name(function) : "";
}

/// The framework's and the standard library's own variables carry nothing of the user's.
bool is_worth_telling(const clang::VarDecl* variable, const Source& source, bool direct) {
  if (direct || source.is_users(variable)) return true;
  return !variable->isInStdNamespace() && !is_frameworks(variable) &&
         !(variable->getIdentifier() != nullptr && variable->getName().starts_with("_"));
}

}  // namespace

FoldedEffects EffectsOfUnit::fold(const Effects& effects) const {
  FoldedEffects result;
  std::set<const clang::FunctionDecl*> seen;
  std::vector<const clang::FunctionDecl*> waiting;
  const auto go = [&](const Effects& part, bool direct) {
    for (const auto* variable : part.writes) {
      if (is_worth_telling(variable, source_, direct)) result.writes.insert(variable);
    }
    for (const auto* function : part.through) {
      if (source_.is_users(function)) result.through.insert(function);
    }
    for (const auto* function : part.calls) {
      if (source_.is_users(function)) {
        result.calls.insert(function);
        continue;
      }
      if (auto name = outside_name(function, direct); !name.empty()) result.outside.insert(name);
      if (seen.insert(function).second) waiting.push_back(function);
    }
  };
  go(effects, true);
  while (!waiting.empty()) {
    const auto* function = waiting.back();
    waiting.pop_back();
    const auto [first, last] = overrides_.equal_range(function);
    for (auto it = first; it != last; ++it) {
      if (source_.is_users(it->second)) {
        result.calls.insert(it->second);
      } else if (seen.insert(it->second).second) {
        waiting.push_back(it->second);
      }
    }
    const auto known = functions_.find(function);
    if (known != functions_.end() && !is_frameworks(function)) go(known->second.own, false);
  }
  return result;
}

}  // namespace gordian::facts
