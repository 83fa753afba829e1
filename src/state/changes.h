// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The parts of external_changes(): each function looks at one kind of state, says what changed, how
// it is put back, and which calls write and read it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "state/external_state.h"

namespace gordian::changes {

using Changes = std::vector<ExternalChange>;
using Text = std::optional<std::string>;
using Reset = std::function<bool(HeldProcess&)>;

ExternalChange changed(StateKey key, Text old_value, Text new_value, Reset reset,
                       StateEvents events);

void descriptor_changes(const ExternalState& before, const ExternalState& after, Changes& changes);
void limit_changes(const ExternalState& before, const ExternalState& after, Changes& changes);
void timer_changes(const ExternalState& before, const ExternalState& after, Changes& changes);
void float_change(const ExternalState& before, const ExternalState& after, Changes& changes);
/// Name, priority, personality.
void attribute_changes(const ExternalState& before, const ExternalState& after, Changes& changes);
/// The alternate stack of handlers, timers of timer_create(), locked memory.
void further_changes(const ExternalState& before, const ExternalState& after, Changes& changes);
/// Threads and children cannot be ended without changing what they would have done: they are
/// suspects, and their reset says no.
void relative_changes(const ExternalState& before, const ExternalState& after, Changes& changes);

}  // namespace gordian::changes
