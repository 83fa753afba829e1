// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Work whose length is a number of rounds: each needs the one before, so nothing can be left out or
// done side by side.
#pragma once

#include <cstdint>

inline std::uint64_t burn(std::uint64_t seed, std::uint64_t rounds) {
  std::uint64_t state = seed;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    state = state * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    state ^= state >> 29;
  }
  return state;
}
