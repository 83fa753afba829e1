// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches for dependent tests would cost, from a sample of their orders.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/run.h"
#include "model/search_phase.h"
#include "model/target.h"
#include "model/test.h"

namespace gordian {

/// A time that was measured or extrapolated, with the 95 % confidence interval of the sample.
struct TimeEstimate {
  std::chrono::nanoseconds expected{0};
  std::chrono::nanoseconds low{0}, high{0};
};

/// One part of a search.
struct PhaseEstimate {
  PhaseKind kind = PhaseKind::default_order;
  std::uint64_t orders = 0;          ///< exact; UINT64_MAX: that many or more
  std::uint64_t tests = 0;           ///< in all those orders together; exact; UINT64_MAX likewise
  std::optional<TimeEstimate> time;  ///< nullopt: not one test ended while we looked
  std::uint64_t sampled_orders = 0;  ///< that its time rests on
  /// Its time is reckoned from a collection of the data flow of so many tests; 0: of all of them.
  /// How many orders follow from that of all is not known then.
  std::uint64_t part = 0;
};

/// One search, from the default order to the last one of its algorithm. Confirming and minimising
/// what it finds comes on top: nobody knows that before.
struct SearchEstimate {
  std::string algorithm;
  int k = 0;                          ///< exhaustive, aware; else 0
  std::vector<PhaseEstimate> phases;  ///< the default order first
  bool at_most = false;               ///< it leaves out orders as it learns: these are upper limits
  std::chrono::milliseconds budget{0};  ///< 0: none
  bool out_of_budget = false;           ///< that would end it before its last order
  std::uint64_t memory_bytes = 0;       ///< that the search itself holds at a time, at most

  std::uint64_t orders() const;
  std::uint64_t tests() const;
  /// nullopt if that of any phase is.
  std::optional<TimeEstimate> time() const;
};

struct EstimateFacts {
  BinaryIdentity binary;
  Target target;
  Suite suite;
  std::uint64_t tests = 0;  ///< that would be searched
  Isolation isolation = Isolation::fork;
  bool private_fs = false;
  int jobs = 1;
  std::uint64_t seed = 0;
  std::vector<SearchEstimate> searches;
  std::uint64_t sampled_orders = 0, sampled_tests = 0;
  std::chrono::nanoseconds wall{0};
  std::vector<Notice> notices;
  RunEnd end = RunEnd::unfinished;
};

/// a * b; UINT64_MAX when that is too small for it.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b);

}  // namespace gordian
