// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/explainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "explain/sites.h"

namespace gordian {
namespace {

bool same_place(const ByteRange& a, const ByteRange& b) {
  return a.size > 0 && a.begin == b.begin && a.size == b.size;
}

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

/// State of the C and C++ libraries that people know, from the functions on a stack that are not
/// the program's.
std::optional<LibraryKey::Part> known_state(const Site& site) {
  using Part = LibraryKey::Part;
  static constexpr std::pair<std::string_view, Part> kKnown[] = {
      {"atexit", Part::exit_handlers},      {"rand", Part::random},
      {"std::locale", Part::global_locale}, {"strtok", Part::tokenizer},
      {"tzset", Part::time_zone},           {"getopt", Part::options}};
  for (std::size_t i = 0; i < site.shown; ++i) {
    for (const auto& [symbol, part] : kKnown) {
      if (site.stack[i].function.find(symbol) != std::string::npos) return part;
    }
  }
  return std::nullopt;
}

bool is_known_by_module(const Carrier& carrier) {
  const auto* library = carrier.key.as<LibraryKey>();
  return library != nullptr && library->part == LibraryKey::Part::module;
}

/// State of a library that nobody declares is known by the function that reads or writes it.
void name_by_function(Carrier& carrier) {
  for (const std::optional<Site>* site : {&carrier.write, &carrier.read}) {
    if (!*site || (*site)->shown == 0) continue;
    const auto known = known_state(**site);
    const std::string& function = (*site)->stack[(*site)->shown - 1].function;
    if (known) carrier.key = {CarrierKind::libc, LibraryKey{*known, {}}};
    if (is_known_by_module(carrier) && !function.empty()) {
      carrier.key = {CarrierKind::libc, library_key(function)};
    }
  }
}

}  // namespace

bool ProvedSet::has_first_use() const {
  return std::any_of(candidates.begin(), candidates.end(), [](const Candidate& candidate) {
    return candidate.tier == Candidate::Tier::first_use;
  });
}

bool ProvedSet::covers(const Candidate& candidate) const {
  return std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& mine) {
    if (same_place(mine.root, candidate.root)) return true;
    return mine.root.size == 0 && mine.carrier.key == candidate.carrier.key;
  });
}

Result<Explanation> Explainer::explain() {
  for (Moment moment : {Moment::before_suite, Moment::before_test}) {
    if (Status compared = compare(moment); !compared) return compared.error();
    find_carriers();
    if (error_) return *error_;
    if (!carriers_.empty() || out_of_time_) break;
  }
  Explanation explanation = begun();
  proved_ = explanation.proved = !carriers_.empty() && prove(explanation);
  if (error_) return *error_;
  return finished(std::move(explanation));
}

Result<std::optional<Explanation>> Explainer::explain_part_of(const ProvedSet& whole) {
  if (Status compared = compare(whole.moment); !compared) return compared.error();
  keep_parts_of(whole);
  find_carriers();
  Explanation explanation = begun();
  proved_ = explanation.proved = !carriers_.empty() && prove(explanation);
  if (error_) return *error_;
  if (!proved_) return std::optional<Explanation>();
  auto result = finished(std::move(explanation));
  if (!result) return result.error();
  return std::optional<Explanation>(std::move(*result));
}

ProvedSet Explainer::proved() const {
  ProvedSet set;
  set.moment = moment_;
  if (!proved_) return set;
  for (const Candidate* candidate : chosen()) set.candidates.push_back(*candidate);
  return set;
}

Status Explainer::compare(Moment moment) {
  moment_ = moment;
  say("comparing the state before and after");
  auto diff = state_diff(lab_, work_.program, moment);
  if (!diff) return diff.error();
  diff_ = std::move(*diff);
  return {};
}

/// None of them if the witness makes the variable here, too: then its parts have no values from
/// before.
void Explainer::keep_parts_of(const ProvedSet& whole) {
  auto& all = diff_.candidates;
  std::erase_if(all, [&](const Candidate& candidate) { return !whole.covers(candidate); });
  const bool made_here = std::any_of(all.begin(), all.end(), [](const Candidate& candidate) {
    return candidate.tier == Candidate::Tier::first_use;
  });
  if (made_here) all.clear();
}

Explanation Explainer::begun() const {
  Explanation explanation;
  explanation.dependence = lab_.dependence().id;
  explanation.changes = diff_.program_changes;
  for (TestId test : lab_.behind()) explanation.behind.push_back(lab_.name_of(test));
  return explanation;
}

Result<Explanation> Explainer::finished(Explanation explanation) {
  if (carriers_.empty()) {
    add_suspects(explanation);
  } else {
    add_carriers(explanation);
  }
  explanation.no_sites = sites_problem_;
  return explanation;
}

std::vector<const Candidate*> Explainer::chosen() const {
  std::vector<const Candidate*> result;
  for (std::size_t index : carriers_) result.push_back(&diff_.candidates[index]);
  return result;
}

std::string Explainer::names_of(const Set& set) const {
  if (set.empty()) return "nothing, to compare";
  const std::string first = diff_.candidates[set.front()].carrier.key.text();
  return set.size() == 1 ? first : fmt::format("{} and {} more", first, set.size() - 1);
}

std::optional<ResetEffect> Explainer::try_reset(const Set& set) {
  if (work_.enough()) {
    out_of_time_ = true;
    return std::nullopt;
  }
  say("resetting " + names_of(set));
  std::vector<const Candidate*> candidates;
  for (std::size_t index : set) candidates.push_back(&diff_.candidates[index]);
  auto result = lab_.reset(candidates, moment_);
  if (result) return *result;
  error_ = result.error();
  return std::nullopt;
}

void Explainer::find_carriers() {
  carriers_ =
      minimal_set(diff_.candidates.size(), [this](const Set& set) { return try_reset(set); });
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
  for (const Candidate* candidate : chosen()) {
    explanation.carriers.push_back(candidate->carrier);
    explanation.carriers.back().proved = explanation.proved;
    name_library_state(*candidate, explanation.carriers.back());
    add_sites(*candidate, explanation.carriers.back());
  }
  merge_namesakes(explanation.carriers);
  if (!explanation.proved) explanation.why_not = "resetting it did not help every time";
}

void Explainer::add_suspects(Explanation& explanation) {
  constexpr std::size_t kMostSuspects = 5;
  for (const Candidate& candidate : diff_.candidates) {
    if (candidate.tier > Candidate::Tier::external) break;
    if (explanation.carriers.size() == kMostSuspects) break;
    explanation.carriers.push_back(candidate.carrier);
  }
  explanation.why_not = why_not();
}

/// The symbols of a library are read only once it is known to matter: they may be many.
void Explainer::name_library_state(const Candidate& candidate, Carrier& carrier) {
  if (candidate.tier != Candidate::Tier::library || candidate.words.empty()) return;
  std::string name = work_.program.library_object_at(candidate.words.front().begin);
  if (!name.empty()) carrier.key = {CarrierKind::libc, library_key(name)};
}

void Explainer::add_sites(const Candidate& candidate, Carrier& carrier) {
  constexpr auto kPatience = std::chrono::seconds(10);
  if (!work_.options.sites || work_.enough()) return;
  say("looking for the lines that write and read " + carrier.key.text());
  auto sites = find_sites(lab_, work_.program, candidate, moment_, kPatience);
  if (!sites) {
    if (sites_problem_.empty()) sites_problem_ = sites.error().message;
    return;
  }
  carrier.write = std::move(sites->write);
  carrier.read = std::move(sites->read);
  if (carrier.key.kind() == CarrierKind::libc) name_by_function(carrier);
}

std::string Explainer::why_not() const {
  if (out_of_time_) return "the time was over before all changes had been reset";
  std::string why = diff_.candidates.empty()
                        ? "no change of state was found"
                        : fmt::format("resetting all {} changes that were found does not help",
                                      diff_.candidates.size());
  for (const std::string& note : diff_.notes) why += "; " + note;
  for (const std::string& note : work_.program.notes()) why += "; " + note;
  return why;
}

namespace {

/// The dependent test does after the others what it does alone. That the witness shows the
/// dependence there is for the state diff to see.
bool as_alone(WitnessLab& lab) {
  auto outcome = lab.run_alone([](HeldProcess&) {}, Moment::before_suite);
  return outcome && same_result(*outcome, good_result(lab.dependence()));
}

}  // namespace

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

std::optional<Explanation> narrowed(Executor& executor, const Dependence& dependence,
                                    const ProvedSet& proved, const ExplainWork& work) {
  int searches = 2;  // of parts that were there and did not help, the next will hardly
  for (TestId maker : makers_to_try(executor.suite(), dependence)) {
    if (work.enough() || searches == 0) break;
    WitnessLab lab(executor, dependence, {maker});
    work.listener.step(dependence, "running it behind " + lab.name_of(maker));
    if (!as_alone(lab)) continue;
    Explainer explainer(lab, work);
    auto explained = explainer.explain_part_of(proved);
    if (explained && *explained) return std::move(**explained);
    if (explainer.had_parts()) --searches;
  }
  return std::nullopt;
}

}  // namespace gordian
