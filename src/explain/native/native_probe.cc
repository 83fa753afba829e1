// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/native/native_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "explain/native/witness_lab.h"
#include "state/program_memory.h"

namespace gordian {
namespace {

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

bool is_made_here(const Candidate& candidate) {
  return candidate.tier == Candidate::Tier::first_use;
}

class NativeProbe : public StateProbe {
 public:
  NativeProbe(Executor& executor, ProgramMemory& program, const Dependence& dependence,
              Order behind = {})
      : executor_(executor), program_(program), lab_(executor, dependence, std::move(behind)) {}

  Result<std::optional<SuspectStates>> look() override;
  Result<std::optional<Outcome>> put_back(std::span<const std::size_t> suspects) override {
    std::vector<const Candidate*> candidates;
    for (std::size_t index : suspects) candidates.push_back(&diff_.candidates[index]);
    return lab_.reset(candidates, moment_);
  }
  Status complete(std::size_t suspect, bool with_sites, Carrier& carrier) override;
  std::unique_ptr<StateProbe> behind(TestId test, std::span<const std::size_t> whole) override;

 private:
  void keep_parts();
  std::string why_not() const;

  Executor& executor_;
  ProgramMemory& program_;
  WitnessLab lab_;
  StateDiff diff_;
  Moment moment_ = Moment::before_suite;
  int looks_ = 0;
  /// Of the probe that this one narrows down: it looks at parts of them only, at the same moment.
  std::vector<Candidate> whole_;
};

Result<std::optional<SuspectStates>> NativeProbe::look() {
  if (looks_ == (whole_.empty() ? 2 : 1)) return std::optional<SuspectStates>();
  if (looks_++ > 0) moment_ = Moment::before_test;
  auto diff = state_diff(lab_, program_, moment_);
  if (!diff) return diff.error();
  diff_ = std::move(*diff);
  if (!whole_.empty()) keep_parts();
  SuspectStates seen;
  seen.of_program = diff_.program_changes;
  for (const Candidate& candidate : diff_.candidates) {
    seen.all.push_back(
        {candidate.carrier, candidate.tier <= Candidate::Tier::external, is_made_here(candidate)});
  }
  seen.why_not = why_not();
  return std::optional(std::move(seen));
}

/// None of them if the witness makes the variable here, too: then its parts have no values from
/// before.
void NativeProbe::keep_parts() {
  auto& all = diff_.candidates;
  std::erase_if(all, [this](const Candidate& candidate) { return !covers(whole_, candidate); });
  if (std::any_of(all.begin(), all.end(), is_made_here)) all.clear();
}

std::string NativeProbe::why_not() const {
  std::string why = diff_.candidates.empty()
                        ? "no change of state was found"
                        : fmt::format("resetting all {} changes that were found does not help",
                                      diff_.candidates.size());
  for (const std::string& note : diff_.notes) why += "; " + note;
  for (const std::string& note : program_.notes()) why += "; " + note;
  return why;
}

Status NativeProbe::complete(std::size_t suspect, bool with_sites, Carrier& carrier) {
  constexpr auto kPatience = std::chrono::seconds(10);
  const Candidate& candidate = diff_.candidates[suspect];
  // The symbols of a library are read only once it is known to matter: they may be many.
  if (candidate.tier == Candidate::Tier::library && !candidate.words.empty()) {
    const std::string name = program_.library_object_at(candidate.words.front().begin);
    if (!name.empty()) carrier.key = {CarrierKind::libc, library_key(name)};
  }
  if (!with_sites) return {};
  auto sites = find_sites(lab_, program_, candidate, moment_, kPatience);
  if (!sites) return sites.error();
  carrier.write = std::move(sites->write);
  carrier.read = std::move(sites->read);
  if (carrier.key.kind() == CarrierKind::libc) name_by_function(carrier);
  return {};
}

/// The dependent test does there what it does alone. That the witness shows the dependence there is
/// for the state diff to see.
std::unique_ptr<StateProbe> NativeProbe::behind(TestId test, std::span<const std::size_t> whole) {
  auto probe = std::make_unique<NativeProbe>(executor_, program_, lab_.dependence(), Order{test});
  auto outcome = probe->lab_.run_alone([](HeldProcess&) {}, Moment::before_suite);
  if (!outcome || !same_result(*outcome, good_result(lab_.dependence()))) return nullptr;
  probe->moment_ = moment_;
  for (std::size_t index : whole) probe->whole_.push_back(diff_.candidates[index]);
  return probe;
}

class NativeProber : public StateProber {
 public:
  explicit NativeProber(std::unique_ptr<Executor> executor) : executor_(std::move(executor)) {}

  const Suite& suite() const override { return executor_->suite(); }
  std::unique_ptr<StateProbe> probe(const Dependence& dependence) override {
    return std::make_unique<NativeProbe>(*executor_, program_, dependence);
  }

 private:
  std::unique_ptr<Executor> executor_;
  ProgramMemory program_{default_cache_dir()};
};

}  // namespace

Result<std::unique_ptr<StateProber>> native_prober(const Target& target,
                                                   const Inspection& inspection,
                                                   const ExecutorOptions& engine) {
  ExecutorOptions plain = engine;
  plain.snapshots = plain.verify_snapshots = false;
  plain.jobs = 1;
  plain.same_addresses = true;  // what is learnt in one run holds for the next
  auto executor = Executor::open(target, inspection.elf, inspection.framework, plain);
  if (!executor) return executor.error();
  return std::unique_ptr<StateProber>(std::make_unique<NativeProber>(std::move(*executor)));
}

}  // namespace gordian
