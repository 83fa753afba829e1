// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/fixing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

#include "app/stored_suite.h"
#include "cli/fix_search.h"
#include "cli/screen.h"
#include "cli/step_display.h"
#include "repair/facts.h"
#include "repair/workspace.h"
#include "report/write_file.h"
#include "runtime/interrupt.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

class RepairSteps : public RepairListener {
 public:
  explicit RepairSteps(StepDisplay& display) : display_(display) {}

  void step(const Dependence& dependence, std::string_view what) override {
    display_.step(dependence, what);
  }
  void attempted(const Dependence&, const RepairAttempt&) override { display_.refresh(); }
  void repaired(const Dependence&, const Repair&) override { display_.done_one(); }
  void build_line(std::string_view line) override { display_.detail(line); }
  void phase(std::string_view what) override { display_.phase(what); }
  void checking(std::string_view check) override { display_.detail(check); }

 private:
  StepDisplay& display_;
};

/// Each sentence once, however often facts are asked for.
class Notices {
 public:
  void add(Notice::Level level, const std::string& text) {
    const bool known = std::any_of(all_.begin(), all_.end(),
                                   [&text](const Notice& notice) { return notice.text == text; });
    if (!known) all_.push_back({level, text});
  }
  std::vector<Notice> take() { return std::move(all_); }

 private:
  std::vector<Notice> all_;
};

FactsOf noting(FactsOf facts_of, Notices& notices) {
  return [facts_of = std::move(facts_of), &notices](const std::vector<std::string>& files) {
    auto facts = facts_of(files);
    if (facts) {
      for (const std::string& notice : facts->notices) notices.add(Notice::Level::info, notice);
    }
    return facts;
  };
}

/// Of those that were not come to.
void say_interrupted(std::vector<Repair>& repairs) {
  for (Repair& repair : repairs) {
    const bool open = !repair.accepted && repair.gone_by.empty() && repair.why_not.empty();
    if (open) repair.why_not = "interrupted";
  }
}

FixFacts to_facts(RepairResult result, const Project& project) {
  FixFacts facts;
  facts.source_root = project.source_root;
  facts.build_command = project.build_command;
  facts.repairs = std::move(result.repairs);
  if (result.interrupted) say_interrupted(facts.repairs);
  for (auto& [path, file] : result.files) {
    facts.files.push_back({path, std::move(file.before), std::move(file.after)});
  }
  facts.diff = std::move(result.diff);
  facts.commit_message = std::move(result.commit_message);
  facts.failing_before = result.failing_before;
  facts.failing_after = result.failing_after;
  facts.random_orders = result.random_orders;
  facts.checks = std::move(result.checks);
  return facts;
}

/// One copy of a project, and what was repaired in it so far.
class Fixing {
 public:
  Fixing(const FixOptions& options, StepDisplay& display) : options_(options), display_(display) {}

  Status open(const Project& project);
  Status repair_these(const Suite& suite, const std::vector<ExplainedForRepair>& dependences);
  /// Searches and repairs until nothing is left or nothing helps.
  Status repair_what_is_left();
  FixOutcome take();

 private:
  /// What the patched program still has, but for what was tried in vain.
  Result<std::vector<CopySearch::Found>> search();
  Status repair_found(const std::vector<CopySearch::Found>& found);
  void add(RepairResult result);

  const FixOptions& options_;
  StepDisplay& display_;
  std::optional<CopySearch> search_;
  std::unique_ptr<Workspace> workspace_;
  Notices notices_;
  std::optional<RepairResult> so_far_;
  std::vector<StoredDependence> found_;
};

Status Fixing::open(const Project& project) {
  display_.phase("making a copy of the project");
  WorkspaceOptions options;
  options.engine = options_.engine;
  options.build_limit = options_.build_limit;
  options.engine.should_stop = [this] {
    display_.refresh();  // a build may take long, and this is asked all the time
    return interrupted();
  };
  if (options_.repeat.on) {
    auto search = CopySearch::prepare(options_.repeat.db, project.target,
                                      {options_.repeat.budget, options_.repair.seed});
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

Status Fixing::repair_these(const Suite& suite,
                            const std::vector<ExplainedForRepair>& dependences) {
  FactsOptions facts_options;
  facts_options.cache_dir = options_.facts_cache;
  facts_options.without_compiler = options_.without_compiler;
  facts_options.tell = [this](const std::string& sentence) { display_.detail(sentence); };
  const FactsOf facts_of = noting(facts_in(*workspace_, facts_options), notices_);
  RepairOptions repair_options = options_.repair;
  repair_options.should_stop = interrupted;
  if (so_far_) {
    repair_options.base = so_far_->files;
    repair_options.found_with_base = true;
  }
  if (const auto& wavering = options_.repair.wavering; !wavering.empty()) {
    notices_.add(Notice::Level::info,
                 "not counted in the checks, because the search has seen their results change by "
                 "themselves: " +
                     some_of(wavering));
  }
  RepairSteps listener(display_);
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

Result<std::vector<CopySearch::Found>> Fixing::search() {
  display_.phase("searching the patched program");
  auto built = workspace_->build(so_far_->files, [this](auto line) { display_.detail(line); });
  if (!built) return built.error();
  Status searched = workspace_->work([this](auto line) { display_.detail(line); });
  if (!searched) return searched.error();
  auto found = search_->found();
  if (!found) return found.error();
  std::erase_if(*found, [this](const CopySearch::Found& one) {
    const std::string name = fmt::format("D{}", one.dependence.id);
    return std::any_of(so_far_->repairs.begin(), so_far_->repairs.end(), [&](const Repair& r) {
      return r.dependence == name && !is_repaired(r, so_far_->repairs);
    });
  });
  return found;
}

Status Fixing::repair_found(const std::vector<CopySearch::Found>& found) {
  auto suite = workspace_->suite();
  if (!suite) return suite.error();
  std::vector<ExplainedForRepair> dependences;
  for (const CopySearch::Found& one : found) {
    auto dependence = to_dependence(one.dependence, *suite);
    if (!dependence) return dependence.error();
    dependences.push_back({std::move(*dependence), one.explanation});
    found_.push_back(one.dependence);
  }
  display_.expect_more(dependences.size());
  return repair_these(*suite, dependences);
}

Status Fixing::repair_what_is_left() {
  constexpr int kRounds = 8;  // a patch that makes a new dependence each time has to end, too
  for (int round = 0; round < kRounds && !so_far_->files.empty(); ++round) {
    if (so_far_->interrupted) return {};
    const ChangedFiles before = so_far_->files;
    auto found = search();
    if (!found) {
      so_far_->interrupted = found.error().kind == ErrorKind::interrupted;
      return so_far_->interrupted ? Status() : Status(found.error());
    }
    if (found->empty()) {
      notices_.add(Notice::Level::info, "a search of the patched program found nothing else");
      return {};
    }
    if (Status done = repair_found(*found); !done) return done;
    if (unified_diff(before, "/") == unified_diff(so_far_->files, "/")) return {};
  }
  return {};
}

FixOutcome Fixing::take() {
  for (const std::string& note : workspace_->project().notes) {
    notices_.add(Notice::Level::info, note);
  }
  FixOutcome outcome;
  outcome.interrupted = so_far_->interrupted;
  outcome.facts = to_facts(std::move(*so_far_), workspace_->project());
  outcome.found = std::move(found_);
  outcome.notices = notices_.take();
  return outcome;
}

}  // namespace

ChangedFiles changed_files(const std::vector<RepairedFile>& files) {
  ChangedFiles changed;
  for (const RepairedFile& file : files) changed[file.path] = {file.before, file.after};
  return changed;
}

Result<FixOutcome> fix_on_screen(const Project& project, const Suite& suite,
                                 const std::vector<ExplainedForRepair>& dependences,
                                 const FixOptions& options, const TerminalFacts& terminal) {
  const auto begin = Clock::now();
  StepDisplay display("Repair", suite, dependences.size(), screen_options(terminal),
                      sink_to(kScreen));
  Fixing fixing(options, display);
  if (Status opened = fixing.open(project); !opened) return opened.error();
  if (Status done = fixing.repair_these(suite, dependences); !done) return done.error();
  if (options.repeat.on) {
    if (Status done = fixing.repair_what_is_left(); !done) return done.error();
  }
  display.finish();
  FixOutcome outcome = fixing.take();
  outcome.facts.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

}  // namespace gordian
