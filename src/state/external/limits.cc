// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "state/external/external_kinds.h"

namespace gordian {
namespace {

using namespace changes;

void read_limits(StateReading& from, ExternalState& to) {
  const pid_t pid = from.held.pid();
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit{};
    if (::prlimit(pid, static_cast<__rlimit_resource>(resource), nullptr, &limit) != 0) continue;
    to.limits[resource] = {limit.rlim_cur, limit.rlim_max};
  }
}

std::string limit_text(std::uint64_t value) {
  return value == RLIM_INFINITY ? "unlimited" : fmt::format("{}", value);
}

void limit_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  for (const auto& [resource, was] : before.limits) {
    auto is = after.limits.find(resource);
    if (is == after.limits.end() || is->second == was) continue;
    const bool hard = was[1] != is->second[1];
    StateEvents events{
        .writing_calls = {SYS_setrlimit, SYS_prlimit64},
        .reading_calls = {SYS_getrlimit, SYS_prlimit64, SYS_open, SYS_openat, SYS_dup2, SYS_dup}};
    changes.push_back(changed(
        {CarrierKind::limit, LimitKey{resource, hard}}, limit_text(was[hard ? 1 : 0]),
        limit_text(is->second[hard ? 1 : 0]),
        [resource = resource, was = was](HeldProcess& held) {
          const rlimit wanted{was[0], was[1]};
          return ::prlimit(held.pid(), static_cast<__rlimit_resource>(resource), &wanted,
                           nullptr) == 0;
        },
        events));
  }
}

bool only_asks_for_limit(const TraceEvent& event) {
  return event.syscall == SYS_prlimit64 && event.arguments[2] == 0;
}

}  // namespace

const ExternalKind kinds::limits = {.kind = CarrierKind::limit,
                                    .read = read_limits,
                                    .compare = limit_changes,
                                    .only_asks = only_asks_for_limit};

}  // namespace gordian
