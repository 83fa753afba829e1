// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/dependence.h"

#include <algorithm>
#include <cmath>

#include "base/enum_words.h"

namespace gordian {
namespace {

constexpr EnumWords<Role, 3> kRoleWords = {{
    {Role::victim, "victim"},
    {Role::brittle, "brittle"},
    {Role::self_dependent, "self_dependent"},
}};

constexpr EnumWords<ResumedFrom::Kind, 3> kResumedWords = {{
    {ResumedFrom::Kind::continued, "continued"},
    {ResumedFrom::Kind::finished, "finished"},
    {ResumedFrom::Kind::rebuilt, "rebuilt"},
}};

std::vector<TestId> still_there(const std::vector<std::string>& names, const Suite& suite) {
  std::vector<TestId> tests;
  for (const std::string& name : names) {
    if (const auto id = suite.find(name)) tests.push_back(*id);
  }
  return tests;
}

}  // namespace

std::string_view to_string(Role role) {
  return word_in(kRoleWords, role);
}

std::optional<Role> parse_role(std::string_view word) {
  return value_in(kRoleWords, word);
}

std::string_view to_string(ResumedFrom::Kind kind) {
  return word_in(kResumedWords, kind);
}

std::string ago(std::chrono::seconds age) {
  struct Unit {
    std::int64_t seconds;
    const char* word;
  };
  for (auto [seconds, word] :
       {Unit{86'400, "day"}, {3'600, "hour"}, {60, "minute"}, {1, "second"}}) {
    const std::int64_t count = age.count() / seconds;
    if (count == 0) continue;
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s") + " ago";
  }
  return "just now";
}

const Outcome& Dependence::observed() const {
  return same_result(witnessed, expected) ? alone : witnessed;
}

const Explanation& Dependence::explained() const {
  static const Explanation kNothing;
  return explanation ? *explanation : kNothing;
}

Outcome good_result(const Dependence& dependence) {
  return dependence.passes_after.empty() ? dependence.alone : passed();
}

Order Dependence::observed_order() const {
  return same_result(witnessed, expected) ? Order{test} : witness;
}

bool same_dependence(const Dependence& a, const Dependence& b) {
  return a.test == b.test && a.role == b.role && same_result(a.witnessed, b.witnessed) &&
         (a.witnessed.kind != OutcomeKind::crash || same_crash_place(a.witnessed, b.witnessed));
}

Interval rate_interval(int hits, int runs) {
  if (runs <= 0) return {};
  const double z = 1.96, n = runs, p = hits / n;
  const double centre = p + z * z / (2 * n);
  const double spread = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  return {std::max(0.0, (centre - spread) / scale), std::min(1.0, (centre + spread) / scale)};
}

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
