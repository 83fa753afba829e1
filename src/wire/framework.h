// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The test frameworks, one number each: the same for the agent, the engine and whoever writes about
// results. What differs between them is in a folder each, see frameworks/frameworks.h.
#pragma once

#include <stdint.h>

namespace gordian_wire {

enum class Framework : uint32_t {
  unknown = 0,
  gtest = 1,
  catch2 = 2,
  doctest = 3,
  boost = 4,
  cpputest = 5,
  ctest = 6,  // any program that ctest knows, one test each: never of an agent
};

}  // namespace gordian_wire
