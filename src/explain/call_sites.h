// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Sites of state that is not the program's memory: the calls that write it and read it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "explain/sites.h"
#include "runtime/native/tracer.h"
#include "state/external_state.h"
#include "state/state_calls.h"

namespace gordian {

struct CallSearch {
  CarrierKind kind;
  bool writing = false;  ///< calls that only ask do not count
  StateEvents events;    ///< its argument and number say which calls count
  std::vector<long> system_calls;
  std::vector<std::uint64_t> functions;  ///< addresses
};

/// REQUIRES: attached, nothing watched. The process stands at the call afterwards, or has come to
/// the end of the search.
Result<std::optional<Site>> first_call(Tracer& tracer, const CallSearch& calls,
                                       const SiteSearch& search);
Result<std::optional<Site>> last_call(Tracer& tracer, const CallSearch& calls,
                                      const SiteSearch& search);

}  // namespace gordian
