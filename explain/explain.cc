// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "explain/candidates.h"
#include "explain/find_sites.h"
#include "explain/minimal_set.h"
#include "explain/witness_lab.h"
#include "state/program_memory.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

/// The work for one dependence.
class Explainer {
 public:
  Explainer(WitnessLab& lab, ProgramMemory& program, const ExplainOptions& options,
            ExplainListener& listener, std::function<bool()> enough)
      : lab_(lab),
        program_(program),
        options_(options),
        listener_(listener),
        enough_(std::move(enough)) {}

  Result<Explanation> explain() {
    Explanation explanation;
    explanation.dependence = fmt::format("D{}", lab_.dependence().id);
    Set carriers;
    for (Moment moment : {Moment::before_suite, Moment::before_test}) {
      moment_ = moment;
      say("comparing the state before and after");
      auto diff = state_diff(lab_, program_, moment);
      if (!diff) return diff.error();
      diff_ = std::move(*diff);
      explanation.changes = diff_.program_changes;
      carriers = find_carriers();
      if (error_) return *error_;
      if (!carriers.empty() || out_of_time_) break;
    }
    explanation.proved = !carriers.empty() && prove(carriers, explanation);
    if (error_) return *error_;
    fill_in(explanation, carriers);
    explanation.no_sites = sites_problem_;
    return explanation;
  }

 private:
  using Set = std::vector<std::size_t>;

  void say(std::string_view what) { listener_.step(lab_.dependence(), what); }

  std::vector<const Candidate*> chosen(const Set& set) const {
    std::vector<const Candidate*> result;
    for (std::size_t index : set) result.push_back(&diff_.candidates[index]);
    return result;
  }

  std::string names_of(const Set& set) const {
    if (set.empty()) return "nothing, to compare";
    const std::string& first = diff_.candidates[set.front()].carrier.name;
    return set.size() == 1 ? first : fmt::format("{} and {} more", first, set.size() - 1);
  }

  std::optional<ResetEffect> try_reset(const Set& set) {
    if (enough_()) {
      out_of_time_ = true;
      return std::nullopt;
    }
    say("resetting " + names_of(set));
    auto result = lab_.reset(chosen(set), moment_);
    if (result) return *result;
    error_ = result.error();
    return std::nullopt;
  }

  Set find_carriers() {
    return minimal_set(diff_.candidates.size(), [this](const Set& set) { return try_reset(set); });
  }

  /// Again and again, in turn with nothing reset: one run in which it helped may have been luck.
  bool prove(const Set& set, Explanation& explanation) {
    for (explanation.proofs = 1; explanation.proofs < options_.proofs; ++explanation.proofs) {
      if (try_reset({}) != ResetEffect::none) return false;
      if (try_reset(set) != ResetEffect::helped) return false;
    }
    return true;
  }

  void fill_in(Explanation& explanation, const Set& carriers) {
    constexpr std::size_t kMostSuspects = 5;
    if (!carriers.empty()) {
      for (const Candidate* candidate : chosen(carriers)) {
        explanation.carriers.push_back(candidate->carrier);
        explanation.carriers.back().proved = explanation.proved;
        name_library_state(*candidate, explanation.carriers.back());
        add_sites(*candidate, explanation.carriers.back());
      }
      merge_namesakes(explanation.carriers);
      if (!explanation.proved) explanation.why_not = "resetting it did not help every time";
      return;
    }
    for (const Candidate& candidate : diff_.candidates) {
      if (candidate.tier > Candidate::Tier::external) break;
      if (explanation.carriers.size() == kMostSuspects) break;
      explanation.carriers.push_back(candidate.carrier);
    }
    explanation.why_not = why_not();
  }

  /// The symbols of a library are read only once it is known to matter: they may be many.
  void name_library_state(const Candidate& candidate, Carrier& carrier) {
    if (candidate.tier != Candidate::Tier::library || candidate.words.empty()) return;
    std::string name = program_.library_object_at(candidate.words.front().begin);
    if (!name.empty()) carrier.name = std::move(name);
  }

  /// Pieces of one library's state that the same function reads are one carrier to people.
  static void merge_namesakes(std::vector<Carrier>& carriers) {
    for (std::size_t i = 0; i < carriers.size(); ++i) {
      auto same = [&](const Carrier& other) {
        return other.kind == CarrierKind::libc && other.name == carriers[i].name;
      };
      carriers.erase(std::remove_if(carriers.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                    carriers.end(), same),
                     carriers.end());
    }
  }

  void add_sites(const Candidate& candidate, Carrier& carrier) {
    constexpr auto kPatience = std::chrono::seconds(10);
    if (!options_.sites || enough_()) return;
    say("looking for the lines that write and read " + carrier.name);
    auto sites = find_sites(lab_, program_, candidate, moment_, kPatience);
    if (!sites) {
      if (sites_problem_.empty()) sites_problem_ = sites.error().message;
      return;
    }
    carrier.write = std::move(sites->write);
    carrier.read = std::move(sites->read);
    if (carrier.kind == CarrierKind::libc) name_by_function(carrier);
  }

  /// State of the C and C++ libraries by the names that people know, from the functions on a stack
  /// that are not the program's; empty for all others.
  static std::string known_state(const Site& site) {
    static constexpr std::pair<std::string_view, std::string_view> kKnown[] = {
        {"atexit", "exit handlers"}, {"rand", "rand"},       {"std::locale", "std::locale"},
        {"strtok", "strtok"},        {"tzset", "time zone"}, {"getopt", "getopt"}};
    for (std::size_t i = 0; i < site.shown; ++i) {
      for (const auto& [part, name] : kKnown) {
        if (site.stack[i].function.find(part) != std::string::npos) return std::string(name);
      }
    }
    return {};
  }

  /// State of a library that nobody declares is known by the function that reads or writes it.
  static void name_by_function(Carrier& carrier) {
    for (const std::optional<Site>* site : {&carrier.write, &carrier.read}) {
      if (!*site || (*site)->shown == 0) continue;
      std::string known = known_state(**site);
      const std::string& function = (*site)->stack[(*site)->shown - 1].function;
      if (!known.empty()) carrier.name = std::move(known);
      if (carrier.name.starts_with("state of ") && !function.empty()) carrier.name = function;
    }
  }

  std::string why_not() const {
    if (out_of_time_) return "the time was over before all changes had been reset";
    std::string why = diff_.candidates.empty()
                          ? "no change of state was found"
                          : fmt::format("resetting all {} changes that were found does not help",
                                        diff_.candidates.size());
    for (const std::string& note : diff_.notes) why += "; " + note;
    for (const std::string& note : program_.notes()) why += "; " + note;
    return why;
  }

  WitnessLab& lab_;
  ProgramMemory& program_;
  const ExplainOptions& options_;
  ExplainListener& listener_;
  std::function<bool()> enough_;
  StateDiff diff_;
  Moment moment_ = Moment::before_suite;
  std::optional<Error> error_;
  std::string sites_problem_;
  bool out_of_time_ = false;
};

Explanation left_out(const Dependence& dependence, std::string why) {
  Explanation explanation;
  explanation.dependence = fmt::format("D{}", dependence.id);
  explanation.why_not = std::move(why);
  return explanation;
}

}  // namespace

Result<std::vector<Explanation>> explain(const Target& target, const Inspection& inspection,
                                         const std::vector<Dependence>& dependences,
                                         const ExecutorOptions& engine,
                                         const ExplainOptions& options, ExplainListener& listener) {
  ExecutorOptions plain = engine;
  plain.snapshots = plain.verify_snapshots = false;
  plain.jobs = 1;
  plain.same_addresses = true;  // what is learnt in one run holds for the next
  auto executor = Executor::open(target, inspection.elf, inspection.framework, plain);
  if (!executor) return executor.error();
  ProgramMemory program(default_cache_dir());
  const auto begin = Clock::now();
  auto enough = [&] {
    return engine.should_stop() ||
           (options.budget.count() > 0 && Clock::now() - begin > options.budget);
  };
  std::vector<Explanation> all;
  for (const Dependence& dependence : dependences) {
    if (enough()) {
      all.push_back(left_out(dependence, "the time was over"));
      continue;
    }
    const auto start = Clock::now();
    WitnessLab lab(**executor, dependence);
    auto explained = Explainer(lab, program, options, listener, enough).explain();
    if (!explained && explained.error().kind == ErrorKind::interrupted) return explained.error();
    all.push_back(explained ? std::move(*explained)
                            : left_out(dependence, explained.error().message));
    all.back().seconds = std::chrono::duration<double>(Clock::now() - start).count();
    listener.explained(dependence, all.back());
  }
  return all;
}

}  // namespace gordian
