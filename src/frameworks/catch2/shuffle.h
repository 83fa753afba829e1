// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Catch2's own random order: what --order rand --rng-seed N runs, so that a seed from a CI log
// leads to a witness. Tests are sorted by a hash of the seed and their name, since version 3 also
// of their class and tags: the same in 2.13.4 to 2.13.10 and in all releases of 3.
#pragma once

#include <cstdint>

#include "model/test.h"

namespace gordian {

/// Of the tests that would run. `seed` as printed by Catch2.
Order catch2_shuffle(const Suite& suite, std::uint32_t seed);

}  // namespace gordian
