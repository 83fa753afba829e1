// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// System calls that may leave something changed which no comparison of states shows: locks, keys,
// shared memory, rights, schedules, modes of devices. Whoever makes one is unsure.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace gordian {

const std::vector<long>& unseen_calls();

/// Of those, by its arguments: asking changes nothing.
bool may_leave_unseen(long number, const std::array<std::uint64_t, 6>& arguments);

}  // namespace gordian
