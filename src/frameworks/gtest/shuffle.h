// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// GoogleTest's own shuffle: the order that --gtest_shuffle --gtest_random_seed=N runs, so that a
// seed from a CI log leads to a witness. The same in all versions from 1.8 to 1.18.
#pragma once

#include <cstdint>

#include "model/test.h"

namespace gordian {

/// Of the tests that would run. `seed` as printed by GoogleTest: 1 to 99999.
Order gtest_shuffle(const Suite& suite, std::uint32_t seed);

}  // namespace gordian
