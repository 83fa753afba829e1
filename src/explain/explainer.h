// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The work for one dependence: state diff, minimal set, proof, sites. See explain.h.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "explain/candidates.h"
#include "explain/explain.h"
#include "explain/minimal_set.h"
#include "explain/witness_lab.h"
#include "runtime/native/executor.h"
#include "state/program_memory.h"

namespace gordian {

/// What all explanations of one program share.
struct ExplainWork {
  ProgramMemory& program;
  const ExplainOptions& options;
  ExplainListener& listener;
  std::function<bool()> enough;  ///< no more runs, please
};

/// What was explained with proof: the pieces of state, and where they were put back.
struct ProvedSet {
  std::vector<Candidate> candidates;  ///< none: nothing was proved
  Moment moment = Moment::before_suite;

  /// A variable that the witness itself has made: what it was before cannot be told.
  bool has_first_use() const;
  /// It is one of these pieces, or lies in the same variable as one of them.
  bool covers(const Candidate& candidate) const;
};

/// REQUIRES: everything given outlives it. Explains once.
class Explainer {
 public:
  Explainer(WitnessLab& lab, const ExplainWork& work) : lab_(lab), work_(work) {}

  Result<Explanation> explain();
  /// Which part of what was proved without the tests that the lab runs before the witness. Empty
  /// where that cannot be told: nothing in it was proved, or the witness makes it here, too.
  Result<std::optional<Explanation>> explain_part_of(const ProvedSet& whole);

  /// Of the explanation made.
  ProvedSet proved() const;
  /// Some part of the whole could be put back, whether that helped or not.
  bool had_parts() const { return !diff_.candidates.empty(); }

 private:
  using Set = std::vector<std::size_t>;

  Status compare(Moment moment);
  void keep_parts_of(const ProvedSet& whole);
  Explanation begun() const;
  Result<Explanation> finished(Explanation explanation);
  void say(std::string_view what) { work_.listener.step(lab_.dependence(), what); }
  std::vector<const Candidate*> chosen() const;
  std::string names_of(const Set& set) const;
  std::optional<ResetEffect> try_reset(const Set& set);
  void find_carriers();
  bool prove(Explanation& explanation);
  void add_carriers(Explanation& explanation);
  void add_suspects(Explanation& explanation);
  void name_library_state(const Candidate& candidate, Carrier& carrier);
  void add_sites(const Candidate& candidate, Carrier& carrier);
  std::string why_not() const;

  WitnessLab& lab_;
  const ExplainWork& work_;
  StateDiff diff_;
  Moment moment_ = Moment::before_suite;
  Set carriers_;
  bool proved_ = false;
  std::optional<Error> error_;
  std::string sites_problem_;
  bool out_of_time_ = false;
};

/// From a variable to the part of it that matters. A function-local static that the witness itself
/// makes has no values from before, so that it is put back as a whole. Behind another test that
/// makes it already, the witness changes parts of it only: if it shows the same dependence there,
/// the same algorithm finds and proves which.
/// Empty: no test tried makes the variable and leaves everything else about the dependence as it
/// is, or no part of it was proved. REQUIRES: proved.has_first_use(). Runs the dependent test
/// itself first, then a few others.
std::optional<Explanation> narrowed(Executor& executor, const Dependence& dependence,
                                    const ProvedSet& proved, const ExplainWork& work);

/// The tests worth a try before the witness, the likeliest first.
Order makers_to_try(const Suite& suite, const Dependence& dependence);

}  // namespace gordian
