// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/fix_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "app/explain_session.h"
#include "base/owned_dir.h"
#include "base/result.h"
#include "detect/detect.h"
#include "detect/listener.h"
#include "repair/facts.h"
#include "repair/workspace.h"
#include "report/text.h"
#include "runtime/interrupt.h"
#include "store/dependence_store.h"
#include "store/explanation_store.h"
#include "store/open_file.h"

namespace gordian {
namespace {

// Searching the patched program for what is still dependent, in the copy of the project. Numbers go
// on from those of the user's database, which is not changed: of the patched program it knows
// nothing.

class CopySearch {
 public:
  static Result<CopySearch> prepare(const FixOptions& options, Target target);

  /// For WorkspaceOptions: searches and explains.
  WorkInCopy work() const;
  const std::filesystem::path& work_dir() const { return dir_.path(); }

  /// What the last search found in the program of this suite, with an explanation each.
  Result<std::vector<Dependence>> found(const Suite& suite) const;

 private:
  CopySearch(TemporaryDir dir, Target target, const FixOptions& options)
      : dir_(std::move(dir)), target_(std::move(target)), options_(options) {}
  std::filesystem::path file() const { return dir_.path() / "search.db"; }

  TemporaryDir dir_;
  Target target_;
  const FixOptions& options_;
};

namespace fs = std::filesystem;
using Tell = std::function<void(std::string_view)>;

class Teller : public SearchListener {
 public:
  explicit Teller(const Tell& tell) : tell_(tell) {}
  void progress(const SearchProgress& p) override {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    tell_(fmt::format("{}, {}", p.algorithm, count_of(p.orders, "order")));
  }

 private:
  const Tell& tell_;
  std::chrono::steady_clock::time_point last_{};
};

/// What a search of the user's own would explain later is explained at once.
Status search_and_explain(const fs::path& file, const DetectRequest& request, const Tell& tell) {
  Teller teller(tell);
  auto facts = detect(request, teller);
  if (!facts) return facts.error();
  auto dependences = DependenceStore::open(file);
  if (!dependences) return dependences.error();
  Status saved = dependences->save(*facts);
  if (!saved || facts->dependences.empty()) return saved;
  auto explanations = ExplanationStore::open(file);
  if (!explanations) return explanations.error();
  tell(fmt::format("explaining {}", count_of(facts->dependences.size(), "dependence")));
  ExplainJob job{facts->target,      facts->binary,  facts->suite,
                 facts->dependences, request.engine, {}};
  FrontEnd nobody;
  auto explained = explain_each(job, &*explanations, nobody);
  return explained ? Status() : Status(explained.error());
}

Result<CopySearch> CopySearch::prepare(const FixOptions& options, Target target) {
  std::error_code failed;
  const std::vector<fs::path> places = {fs::temp_directory_path(failed), "/tmp", "/var/tmp"};
  auto dir = TemporaryDir::make(places);
  if (!dir) return dir.error();
  CopySearch search(std::move(*dir), std::move(target), options);
  if (Status copied = copy_database(options.repeat.db, search.file()); !copied)
    return copied.error();
  return search;
}

WorkInCopy CopySearch::work() const {
  DetectRequest request;
  request.target = target_;
  request.budget = options_.repeat.budget;
  request.seed = options_.repair.seed;
  request.seed_is_given = true;
  return [file = file(), request](const EngineOptions& engine, const Tell& tell) {
    DetectRequest here = request;
    here.engine = engine;
    return search_and_explain(file, here, tell);
  };
}

Result<std::vector<Dependence>> CopySearch::found(const Suite& suite) const {
  auto dependences = DependenceStore::open(file());
  if (!dependences) return dependences.error();
  auto explanations = ExplanationStore::open(file());
  if (!explanations) return explanations.error();
  auto ids = dependences->of_last_search(target_.binary.string());
  if (!ids) return ids.error();
  std::vector<Dependence> all;
  for (DependenceId id : *ids) {
    auto stored = dependences->load(id);
    if (!stored) return stored.error();
    auto explanation = explanations->load(id);
    if (!explanation) return explanation.error();
    auto dependence = numbered(*stored, suite);
    if (!dependence) return dependence.error();
    const bool fits = *explanation && (*explanation)->fits(stored->sha256, stored->witness);
    if (fits) dependence->explanation = std::move((*explanation)->explanation);
    all.push_back(std::move(*dependence));
  }
  return all;
}

using Clock = std::chrono::steady_clock;

class RepairSteps : public RepairListener {
 public:
  explicit RepairSteps(StepListener& steps) : steps_(steps) {}

  void step(const Dependence& dependence, std::string_view what) override {
    steps_.step(dependence, what);
  }
  void attempted(const Dependence&, const RepairAttempt&) override { steps_.refresh(); }
  void repaired(const Dependence&, const Repair&) override { steps_.done_one(); }
  void build_line(std::string_view line) override { steps_.detail(line); }
  void phase(std::string_view what) override { steps_.phase(what); }
  void checking(std::string_view check) override { steps_.detail(check); }

 private:
  StepListener& steps_;
};

/// Each sentence once, however often facts are asked for.
class Notices {
 public:
  void add(const std::string& text) {
    const bool known = std::any_of(all_.begin(), all_.end(),
                                   [&text](const Notice& notice) { return notice.text == text; });
    if (!known) all_.push_back({Notice::Level::info, text});
  }
  std::vector<Notice> take() { return std::move(all_); }

 private:
  std::vector<Notice> all_;
};

FactsOf noting(FactsOf facts_of, Notices& notices) {
  return [facts_of = std::move(facts_of), &notices](const std::vector<std::string>& files) {
    auto facts = facts_of(files);
    if (facts) {
      for (const std::string& notice : facts->notices) notices.add(notice);
    }
    return facts;
  };
}

/// Of those that were not come to.
void say_interrupted(std::vector<Repair>& repairs) {
  for (Repair& repair : repairs) {
    const bool open = !repair.accepted && !is_stored(repair.gone_by) && repair.why_not.empty();
    if (open) repair.why_not = "interrupted";
  }
}

FixFacts to_facts(RepairResult result, const Project& project) {
  if (result.interrupted) say_interrupted(result.repairs);
  result.source_root = project.source_root;
  result.build_command = project.build_command;
  return result;
}

/// One copy of a project, and what was repaired in it so far.
class Fixing {
 public:
  Fixing(const FixOptions& options, StepListener& steps) : options_(options), steps_(steps) {}

  Status open(const Project& project);
  Status repair_these(const Suite& suite, const std::vector<Dependence>& dependences);
  /// Searches and repairs until nothing is left or nothing helps.
  Status repair_what_is_left();
  FixOutcome take();

 private:
  /// What the patched program, of which this is the suite, still has, but for what was tried in
  /// vain.
  Result<std::vector<Dependence>> search(Suite& suite);
  bool is_hopeless(const Dependence& dependence) const;
  Status repair_found(const Suite& suite, const std::vector<Dependence>& found);
  void add(RepairResult result);

  const FixOptions& options_;
  StepListener& steps_;
  std::optional<CopySearch> search_;
  std::unique_ptr<Workspace> workspace_;
  Notices notices_;
  std::optional<RepairResult> so_far_;
  std::vector<NamedDependence> found_;
};

Status Fixing::open(const Project& project) {
  steps_.phase("making a copy of the project");
  WorkspaceOptions options;
  options.engine = options_.engine;
  options.build_limit = options_.build_limit;
  options.engine.should_stop = [this] {
    steps_.refresh();  // a build may take long, and this is asked all the time
    return interrupted();
  };
  if (options_.repeat.on) {
    auto search = CopySearch::prepare(options_, project.target);
    if (!search) return search.error();
    search_.emplace(std::move(*search));
    options.work = search_->work();
    options.work_dir = search_->work_dir();
  }
  auto workspace = Workspace::open(project, options);
  if (!workspace) return workspace.error();
  workspace_ = std::move(*workspace);
  return {};
}

/// "A, B and 3 more"
std::string some_of(const std::set<std::string>& names) {
  constexpr std::size_t kMost = 5;
  std::string text;
  std::size_t told = 0;
  for (const std::string& name : names) {
    if (told == kMost) return fmt::format("{} and {} more", text, names.size() - told);
    text += (told++ > 0 ? ", " : "") + name;
  }
  return text;
}

Status Fixing::repair_these(const Suite& suite, const std::vector<Dependence>& dependences) {
  FactsOptions facts_options;
  facts_options.cache_dir = options_.facts_cache;
  facts_options.without_compiler = options_.without_compiler;
  facts_options.tell = [this](const std::string& sentence) { steps_.detail(sentence); };
  const FactsOf facts_of = noting(facts_in(*workspace_, facts_options), notices_);
  RepairOptions repair_options = options_.repair;
  repair_options.should_stop = interrupted;
  if (so_far_) {
    repair_options.base = so_far_->files;
    repair_options.found_with_base = true;
  }
  if (const auto& wavering = options_.repair.wavering; !wavering.empty()) {
    notices_.add(
        "not counted in the checks, because the search has seen their results change by "
        "themselves: " +
        some_of(wavering));
  }
  RepairSteps listener(steps_);
  auto result = repair(suite, dependences, *workspace_, facts_of, repair_options, listener);
  if (!result) return result.error();
  add(std::move(*result));
  return {};
}

void Fixing::add(RepairResult result) {
  if (!so_far_) {
    so_far_ = std::move(result);
    return;
  }
  result.failing_before = so_far_->failing_before;
  result.repairs.insert(result.repairs.begin(), std::make_move_iterator(so_far_->repairs.begin()),
                        std::make_move_iterator(so_far_->repairs.end()));
  so_far_ = std::move(result);
}

Result<std::vector<Dependence>> Fixing::search(Suite& suite) {
  steps_.phase("searching the patched program");
  auto built = workspace_->build(so_far_->files, [this](auto line) { steps_.detail(line); });
  if (!built) return built.error();
  Status searched = workspace_->work([this](auto line) { steps_.detail(line); });
  if (!searched) return searched.error();
  auto now = workspace_->suite();
  if (!now) return now.error();
  suite = std::move(*now);
  auto found = search_->found(suite);
  if (found) std::erase_if(*found, [this](const Dependence& one) { return is_hopeless(one); });
  return found;
}

bool Fixing::is_hopeless(const Dependence& dependence) const {
  const std::vector<Repair>& repairs = so_far_->repairs;
  return std::ranges::any_of(repairs, [&](const Repair& repair) {
    return repair.dependence == dependence.id && !is_repaired(repair, repairs);
  });
}

Status Fixing::repair_found(const Suite& suite, const std::vector<Dependence>& found) {
  for (const Dependence& one : found) found_.push_back(named(suite, one));
  steps_.expect_more(found.size());
  return repair_these(suite, found);
}

Status Fixing::repair_what_is_left() {
  constexpr int kRounds = 8;  // a patch that makes a new dependence each time has to end, too
  for (int round = 0; round < kRounds && !so_far_->files.empty(); ++round) {
    if (so_far_->interrupted) return {};
    const ChangedFiles before = so_far_->files;
    Suite suite;
    auto found = search(suite);
    if (!found) {
      so_far_->interrupted = found.error().kind == ErrorKind::interrupted;
      return so_far_->interrupted ? Status() : Status(found.error());
    }
    if (found->empty()) {
      notices_.add("a search of the patched program found nothing else");
      return {};
    }
    if (Status done = repair_found(suite, *found); !done) return done;
    if (unified_diff(before, "/") == unified_diff(so_far_->files, "/")) return {};
  }
  return {};
}

FixOutcome Fixing::take() {
  for (const std::string& note : workspace_->project().notes) {
    notices_.add(note);
  }
  FixOutcome outcome;
  outcome.interrupted = so_far_->interrupted;
  outcome.facts = to_facts(std::move(*so_far_), workspace_->project());
  outcome.found = std::move(found_);
  outcome.notices = notices_.take();
  return outcome;
}

}  // namespace

Result<FixOutcome> fix_explained(const Project& project, const Suite& suite,
                                 const std::vector<Dependence>& dependences,
                                 const FixOptions& options, FrontEnd& front_end) {
  const auto begin = Clock::now();
  const auto steps = front_end.steps(StepWork::repair, suite, dependences.size());
  Fixing fixing(options, *steps);
  if (Status opened = fixing.open(project); !opened) return opened.error();
  if (Status done = fixing.repair_these(suite, dependences); !done) return done.error();
  if (options.repeat.on) {
    if (Status done = fixing.repair_what_is_left(); !done) return done.error();
  }
  FixOutcome outcome = fixing.take();
  outcome.facts.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

}  // namespace gordian
