// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/dependence.h"

#include <algorithm>
#include <cmath>

namespace gordian {

std::string_view to_string(Role role) {
  switch (role) {
    case Role::victim:
      return "victim";
    case Role::brittle:
      return "brittle";
    case Role::self_dependent:
      return "self_dependent";
  }
  return "unknown";
}

std::optional<Role> parse_role(std::string_view word) {
  for (Role role : {Role::victim, Role::brittle, Role::self_dependent}) {
    if (to_string(role) == word) return role;
  }
  return std::nullopt;
}

std::string_view to_string(ResumedFrom::Kind kind) {
  switch (kind) {
    case ResumedFrom::Kind::continued:
      return "continued";
    case ResumedFrom::Kind::finished:
      return "finished";
    case ResumedFrom::Kind::rebuilt:
      return "rebuilt";
  }
  return "unknown";
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

}  // namespace gordian
