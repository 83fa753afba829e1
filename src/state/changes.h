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

void environment_changes(const StateMoments& moments, Changes& changes);
void directory_change(const StateMoments& moments, Changes& changes);
void umask_change(const StateMoments& moments, Changes& changes);
void locale_changes(const StateMoments& moments, Changes& changes);
/// What signals do, and the alternate stack of their handlers.
void signal_changes(const StateMoments& moments, Changes& changes);
/// The mask, and signals that wait.
void mask_changes(const StateMoments& moments, Changes& changes);
void descriptor_changes(const StateMoments& moments, Changes& changes);
void limit_changes(const StateMoments& moments, Changes& changes);
/// Of setitimer() and of timer_create().
void timer_changes(const StateMoments& moments, Changes& changes);
void float_change(const StateMoments& moments, Changes& changes);
/// Name, priority, personality, locked memory.
void attribute_changes(const StateMoments& moments, Changes& changes);
/// Threads and children cannot be ended without changing what they would have done: they are
/// suspects, and their reset says no.
void thread_change(const StateMoments& moments, Changes& changes);
void child_change(const StateMoments& moments, Changes& changes);

}  // namespace gordian::changes
