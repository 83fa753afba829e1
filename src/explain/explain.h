// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From a witness to its cause, whatever runs its tests (StateProbe tells how):
//   1. the state that the last test finds is compared with the one that it finds without the
//      others;
//   2. the witness runs again with one piece of that state put back each time: the piece whose
//      reset gives the result that the test has alone is the carrier, proved. Several are reduced
//      to a minimal set;
//   3. the last write and the first read of it are looked for, with their stacks;
//   4. if the carrier is one that the witness itself makes, all this is done again behind a test
//      that makes it, for the part that matters.
// What cannot be proved is called suspected. Single-threaded; blocks.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/dependence.h"
#include "model/explanation.h"
#include "runtime/powers.h"

namespace gordian {

struct ExplainOptions {
  int proofs = 3;  ///< runs that must agree
  bool sites = true;
  std::chrono::milliseconds budget{0};  ///< for all of them; 0 = none
};

class ExplainListener {
 public:
  virtual ~ExplainListener() = default;
  /// What is done now, for a line on the screen: "comparing state", "resetting g_x", ...
  virtual void step(const Dependence& dependence, std::string_view what) = 0;
  virtual void explained(const Dependence& dependence, const Explanation& explanation) = 0;
};

/// One explanation for each dependence, in their order; budget or should_stop leave the last ones
/// with `why_not`.
Result<std::vector<Explanation>> explain(StateProber& prober,
                                         const std::vector<Dependence>& dependences,
                                         const std::function<bool()>& should_stop,
                                         const ExplainOptions& options, ExplainListener& listener);

enum class ResetEffect : std::uint8_t {
  none,    ///< the outcome is as without it
  helped,  ///< the one we look for
  broke,   ///< another one: the program does not stand this
};

/// Runs the witness with these candidates reset. nullopt: no more runs, please (budget, interrupt).
using TryReset =
    std::function<std::optional<ResetEffect>(const std::vector<std::size_t>& candidates)>;

/// A set of candidates 0 to count - 1 that is enough and of which each is needed; the first single
/// one that is enough, if any is. What breaks the program on its own is left out of larger sets.
/// Empty: nothing was enough.
std::vector<std::size_t> minimal_set(std::size_t count, const TryReset& try_reset);

/// To find the part of a variable that matters: the tests worth a try before the witness, so that
/// they make it, the likeliest first.
Order makers_to_try(const Suite& suite, const Dependence& dependence);

}  // namespace gordian
