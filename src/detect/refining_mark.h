// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How far a refinement of data dependences has come, as one line for the journal. Kept are the
// dependences that are not manifest: those are the many. Manifest ones are broken again by whoever
// continues, as every known dependence is. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/data_flow.h"

namespace gordian {

struct RefiningMark {
  std::uint64_t flow = 0;  ///< digest of the data dependences: with others it says nothing
  std::uint64_t schedules = 0, tests_run = 0;  ///< that it took so far
  std::uint64_t other_writers = 0;             ///< of their list, so many were tried
  std::vector<bool> harmless;                  ///< by dependence: not manifest

  /// Of what is known so far.
  static RefiningMark of(const FlowFacts& facts, std::uint64_t other_writers);
  /// nullopt: it is none, or one of other dependences than these.
  static std::optional<RefiningMark> parse(std::string_view text, const FlowFacts& facts);
  std::string text() const;
};

}  // namespace gordian
