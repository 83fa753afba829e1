// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a search tells while it goes on. All calls come from the thread that called detect().
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "model/dependence.h"

namespace gordian {

struct SearchProgress {
  std::string algorithm;                          ///< the one at work now
  std::uint64_t orders = 0, tests_run = 0;        ///< of the whole search so far
  std::uint64_t phase_done = 0, phase_total = 0;  ///< orders of this algorithm; total 0: unknown
  int dependents = 0;
  std::chrono::nanoseconds elapsed{0};
  std::chrono::milliseconds budget{0};  ///< 0: none
  std::string doing;                    ///< "confirming Suite.Name", or empty
};

class SearchListener {
 public:
  virtual ~SearchListener() = default;
  /// The suite is known; the search begins.
  virtual void search_begins(const DetectFacts& facts) { (void)facts; }
  /// About 20 times a second.
  virtual void progress(const SearchProgress& progress) { (void)progress; }
  virtual void phase_ended(const SearchPhase& phase) { (void)phase; }
  /// Confirmed and minimised; its lists may still grow.
  virtual void found(const Dependence& dependence) { (void)dependence; }
  virtual void found_nondeterministic(const NondeterministicTest& test) { (void)test; }
  /// What was taken over from an earlier search is in facts.search.resumed.
  virtual void resumed(const DetectFacts& facts) { (void)facts; }
  virtual void notice(const Notice& notice) { (void)notice; }
};

}  // namespace gordian
