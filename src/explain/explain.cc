// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;
using Set = std::vector<std::size_t>;

Set without(const Set& set, std::size_t begin, std::size_t end) {
  Set rest;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i < begin || i >= end) rest.push_back(set[i]);
  }
  return rest;
}

/// Drops chunks of falling size as long as the rest is enough (delta debugging by complements).
Set reduced(Set set, const TryReset& try_reset) {
  for (std::size_t chunk = (set.size() + 1) / 2; chunk > 0;) {
    bool dropped = false;
    for (std::size_t at = 0; at < set.size() && set.size() > 1;) {
      Set rest = without(set, at, at + chunk);
      auto effect = rest.empty() ? std::optional(ResetEffect::none) : try_reset(rest);
      if (!effect) return set;
      if (*effect == ResetEffect::helped) {
        set = std::move(rest);
        dropped = true;
      } else {
        at += chunk;
      }
    }
    if (chunk == 1 && !dropped) break;
    chunk = chunk == 1 ? 1 : (chunk + 1) / 2;
  }
  return set;
}

/// What all explanations of one program share.
struct ExplainWork {
  StateProber& prober;
  const ExplainOptions& options;
  ExplainListener& listener;
  std::function<bool()> enough;  ///< no more runs, please

  std::string name_of(TestId test) const { return prober.suite().test(test).full_name(); }
};

/// Pieces of one library's state that the same function reads are one carrier to people.
void merge_namesakes(std::vector<Carrier>& carriers) {
  for (std::size_t i = 0; i < carriers.size(); ++i) {
    auto same = [&](const Carrier& other) {
      return other.key.kind() == CarrierKind::libc && other.key == carriers[i].key;
    };
    carriers.erase(
        std::remove_if(carriers.begin() + static_cast<std::ptrdiff_t>(i) + 1, carriers.end(), same),
        carriers.end());
  }
}

/// The work for one dependence with one probe. REQUIRES: everything given outlives it. Explains
/// once.
class Explainer {
 public:
  /// `only_proved`: what cannot be proved is not told of, and no runs are spent on it.
  Explainer(StateProbe& probe, const Dependence& dependence, const ExplainWork& work,
            bool only_proved = false)
      : probe_(probe), dependence_(dependence), work_(work), only_proved_(only_proved) {}

  Result<Explanation> explain();
  /// The same behind other tests, for the part of a carrier that matters: one that the witness
  /// makes has no values from before, so that it goes back as a whole. Behind another test that
  /// makes it already the witness changes parts of it only: if it shows the same dependence there,
  /// the same algorithm finds and proves which. Empty: there is no such carrier, no test tried
  /// makes it and leaves everything else about the dependence as it is, or no part was proved.
  std::optional<Explanation> narrowed();

 private:
  void say(std::string_view what) { work_.listener.step(dependence_, what); }
  std::string names_of(const Set& set) const;
  std::optional<ResetEffect> try_reset(const Set& set);
  bool prove(Explanation& explanation);
  void add_carriers(Explanation& explanation);
  void add_suspects(Explanation& explanation);

  StateProbe& probe_;
  const Dependence& dependence_;
  const ExplainWork& work_;
  const bool only_proved_;
  SuspectStates seen_;
  Set carriers_;
  bool proved_ = false, out_of_time_ = false;
  std::optional<Error> error_;
};

Result<Explanation> Explainer::explain() {
  while (carriers_.empty() && !out_of_time_) {
    say("comparing the state before and after");
    auto seen = probe_.look();
    if (!seen) return seen.error();
    if (!*seen) break;
    seen_ = std::move(**seen);
    if (!seen_.can_be_put_back) break;
    carriers_ = minimal_set(seen_.all.size(), [this](const Set& set) { return try_reset(set); });
    if (error_) return *error_;
  }
  Explanation explanation;
  explanation.dependence = dependence_.id;
  explanation.changes = seen_.of_program;
  proved_ = explanation.proved = !carriers_.empty() && prove(explanation);
  if (error_) return *error_;
  if (only_proved_ && !proved_) return explanation;
  if (carriers_.empty()) {
    add_suspects(explanation);
  } else {
    add_carriers(explanation);
  }
  return explanation;
}

std::string Explainer::names_of(const Set& set) const {
  if (set.empty()) return "nothing, to compare";
  const std::string first = seen_.all[set.front()].carrier.key.text();
  return set.size() == 1 ? first : fmt::format("{} and {} more", first, set.size() - 1);
}

/// What the last test does then, against what it does without and alone.
std::optional<ResetEffect> Explainer::try_reset(const Set& set) {
  if (work_.enough()) {
    out_of_time_ = true;
    return std::nullopt;
  }
  say("resetting " + names_of(set));
  auto outcome = probe_.put_back(set);
  if (!outcome) {
    error_ = outcome.error();
    return std::nullopt;
  }
  if (!*outcome) return ResetEffect::broke;
  if (same_result(**outcome, good_result(dependence_))) return ResetEffect::helped;
  return same_result(**outcome, dependence_.witnessed) ? ResetEffect::none : ResetEffect::broke;
}

/// Again and again, in turn with nothing reset: one run in which it helped may have been luck.
bool Explainer::prove(Explanation& explanation) {
  const int wanted = work_.options.proofs;
  for (explanation.proofs = 1; explanation.proofs < wanted; ++explanation.proofs) {
    if (try_reset({}) != ResetEffect::none) return false;
    if (try_reset(carriers_) != ResetEffect::helped) return false;
  }
  return true;
}

void Explainer::add_carriers(Explanation& explanation) {
  for (std::size_t index : carriers_) {
    Carrier& carrier = explanation.carriers.emplace_back(seen_.all[index].carrier);
    carrier.proved = explanation.proved;
    const bool known = carrier.write && carrier.read;
    const bool sites = work_.options.sites && !known && !work_.enough();
    if (sites) say("looking for the lines that write and read " + carrier.key.text());
    const Status completed = probe_.complete(index, sites, carrier);
    if (!completed && explanation.no_sites.empty())
      explanation.no_sites = completed.error().message;
  }
  merge_namesakes(explanation.carriers);
  if (explanation.proved) return;
  explanation.why_not = out_of_time_ ? "the time was over before it was proved"
                                     : "resetting it did not help every time";
}

void Explainer::add_suspects(Explanation& explanation) {
  constexpr std::size_t kMostSuspects = 5;
  for (const SuspectState& suspect : seen_.all) {
    if (!suspect.likely || explanation.carriers.size() == kMostSuspects) break;
    explanation.carriers.push_back(suspect.carrier);
  }
  explanation.why_not =
      out_of_time_ ? "the time was over before all changes had been reset" : seen_.why_not;
}

std::optional<Explanation> Explainer::narrowed() {
  const bool made = std::any_of(carriers_.begin(), carriers_.end(),
                                [this](std::size_t index) { return seen_.all[index].made_here; });
  if (!proved_ || !made) return std::nullopt;
  int searches = 2;  // of parts that were there and did not help, the next will hardly
  for (TestId maker : makers_to_try(work_.prober.suite(), dependence_)) {
    if (work_.enough() || searches == 0) break;
    say("running it behind " + work_.name_of(maker));
    const auto probe = probe_.behind(maker, carriers_);
    if (probe == nullptr) continue;
    Explainer explainer(*probe, dependence_, work_, true);
    auto explanation = explainer.explain();
    if (explanation && explanation->proved) {
      explanation->behind = {work_.name_of(maker)};
      return std::move(*explanation);
    }
    if (!explainer.seen_.all.empty()) --searches;  // whether putting them back worked or not
  }
  return std::nullopt;
}

Explanation left_out(const Dependence& dependence, std::string why) {
  Explanation explanation;
  explanation.dependence = dependence.id;
  explanation.why_not = std::move(why);
  return explanation;
}

Result<Explanation> explain_one(const Dependence& dependence, const ExplainWork& work) {
  const auto probe = work.prober.probe(dependence);
  Explainer explainer(*probe, dependence, work);
  auto explanation = explainer.explain();
  if (!explanation) return explanation;
  auto narrower = explainer.narrowed();
  return narrower ? std::move(*narrower) : std::move(*explanation);
}

}  // namespace

std::vector<std::size_t> minimal_set(std::size_t count, const TryReset& try_reset) {
  Set harmless;
  for (std::size_t i = 0; i < count; ++i) {
    auto effect = try_reset({i});
    if (!effect) return {};
    if (*effect == ResetEffect::helped) return {i};
    if (*effect == ResetEffect::none) harmless.push_back(i);
  }
  if (harmless.size() < 2) return {};
  if (try_reset(harmless) != ResetEffect::helped) return {};
  return reduced(std::move(harmless), try_reset);
}

Order makers_to_try(const Suite& suite, const Dependence& dependence) {
  constexpr std::size_t kMost = 6;
  Order tests{dependence.test};  // it reads the variable, so it makes it
  const Order& witness = dependence.witness;
  for (TestId test : suite.default_order()) {
    if (tests.size() == kMost) break;
    if (std::find(witness.begin(), witness.end(), test) == witness.end()) tests.push_back(test);
  }
  return tests;
}

Result<std::vector<Explanation>> explain(StateProber& prober,
                                         const std::vector<Dependence>& dependences,
                                         const std::function<bool()>& should_stop,
                                         const ExplainOptions& options, ExplainListener& listener) {
  const auto begin = Clock::now();
  const auto enough = [&] {
    return should_stop() || (options.budget.count() > 0 && Clock::now() - begin > options.budget);
  };
  const ExplainWork work{prober, options, listener, enough};
  std::vector<Explanation> all;
  for (const Dependence& dependence : dependences) {
    if (enough()) {
      all.push_back(left_out(dependence, "the time was over"));
      continue;
    }
    const auto start = Clock::now();
    auto explained = explain_one(dependence, work);
    if (!explained && explained.error().kind == ErrorKind::interrupted) return explained.error();
    all.push_back(explained ? std::move(*explained)
                            : left_out(dependence, explained.error().message));
    all.back().seconds = std::chrono::duration<double>(Clock::now() - start).count();
    listener.explained(dependence, all.back());
  }
  return all;
}

}  // namespace gordian
