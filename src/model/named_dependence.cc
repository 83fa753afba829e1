// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/named_dependence.h"

namespace gordian {
namespace {

std::vector<TestId> still_there(const std::vector<std::string>& names, const Suite& suite) {
  std::vector<TestId> tests;
  for (const std::string& name : names) {
    if (const auto id = suite.find(name)) tests.push_back(*id);
  }
  return tests;
}

}  // namespace

std::vector<std::string> names_of(const Suite& suite, const std::vector<TestId>& tests) {
  std::vector<std::string> names;
  for (TestId id : tests) names.push_back(suite.test(id).full_name());
  return names;
}

Outcome NamedDependence::goal() const {
  Outcome goal;
  for (const Outcome* seen : {&alone, &witnessed, &expected}) {
    if (seen->kind == OutcomeKind::pass) goal = *seen;
  }
  if (!passes_after.empty()) goal.kind = OutcomeKind::pass;
  return goal;
}

NamedDependence named(const Suite& suite, const Dependence& dependence) {
  NamedDependence result;
  result.id = dependence.id;
  result.test = suite.test(dependence.test).full_name();
  result.role = dependence.role;
  result.by = names_of(suite, dependence.by);
  result.witness = names_of(suite, dependence.witness);
  result.singles = names_of(suite, dependence.singles);
  result.alone = dependence.alone;
  result.witnessed = dependence.witnessed;
  result.expected = dependence.expected;
  result.cleaners = names_of(suite, dependence.cleaners);
  result.passes_after = names_of(suite, dependence.passes_after);
  return result;
}

Result<Dependence> numbered(const NamedDependence& dependence, const Suite& suite) {
  Dependence result;
  result.id = dependence.id;
  result.role = dependence.role;
  for (const std::string& name : dependence.witness) {
    const auto id = suite.find(name);
    if (!id) {
      return target_error("the binary has no test called " + name + " any more",
                          "gordian detect searches it anew");
    }
    result.witness.push_back(*id);
  }
  if (result.witness.empty()) {
    return internal_error(to_string(dependence.id) + " is stored without a witness");
  }
  result.test = result.witness.back();
  result.by.assign(result.witness.begin(), result.witness.end() - 1);
  result.singles = still_there(dependence.singles, suite);
  result.cleaners = still_there(dependence.cleaners, suite);
  result.passes_after = still_there(dependence.passes_after, suite);
  result.expected = dependence.expected;
  result.alone = dependence.alone;
  result.witnessed = dependence.witnessed;
  return result;
}

}  // namespace gordian
