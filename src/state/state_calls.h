// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which calls have to do with a piece of state that is not the program's memory.
#pragma once

#include "runtime/native/tracer.h"
#include "state/external_state.h"

namespace gordian {

/// Whether a call of those in `events` has to do with just this state, by its arguments. With
/// `writing`, calls that only ask do not count.
bool concerns(const TraceEvent& event, CarrierKind kind, bool writing, const StateEvents& events,
              const MemoryImage& memory);

}  // namespace gordian
