// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/patch_bench.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/text.h"
#include "repair/commit_text.h"
#include "repair/current_state.h"

namespace gordian {
namespace {

CheckOptions checks_of(const RepairOptions& options, RepairListener& listener) {
  CheckOptions checks = options;
  checks.checking = [&listener](std::string_view check) { listener.checking(check); };
  return checks;
}

bool same_contents(const ChangedFiles& a, const ChangedFiles& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const auto& one, const auto& other) {
           return one.first == other.first && one.second.after == other.second.after;
         });
}

/// What a change by itself does, the files before being those with `base`.
ChangedFiles on_top_of(const ChangedFiles& base, const ChangedFiles& files) {
  ChangedFiles own;
  for (const auto& [path, file] : files) {
    const auto before = base.find(path);
    if (before == base.end()) {
      own[path] = file;
    } else if (before->second.after != file.after) {
      own[path] = {before->second.after, file.after};
    }
  }
  return own;
}

bool equal_contents(const ChangedFile& file) {
  return file.before && *file.before == file.after;
}

}  // namespace

Dependence behind_another(Dependence given, TestId polluter) {
  given.by = {polluter};
  given.witness = {polluter, given.test};
  if (!given.explanation) return given;
  for (Carrier& carrier : given.explanation->carriers) carrier.write.reset();
  return given;
}

PatchBench::PatchBench(Workspace& workspace, const BeforePatches& before, const FactsOf& facts_of,
                       const RepairOptions& options, const RepairLadder& ladder,
                       RepairListener& listener)
    : workspace_(workspace),
      facts_of_(facts_of),
      options_(options),
      ladder_(ladder),
      listener_(listener),
      verifier_(workspace, before, checks_of(options, listener), options.base),
      strategies_(options.strategies),
      disk_(SourceText::of_disk()),
      accepted_(options.base),
      built_(options.base),
      symptoms_(before.symptoms) {
  const Project& project = workspace.project();
  if (strategies_.source_root.empty()) strategies_.source_root = project.source_root;
  if (strategies_.build_file.empty() && project.cmake_line > 0) {
    strategies_.build_file = project.cmake_file;
    strategies_.build_line = project.cmake_line;
    strategies_.build_target = project.cmake_target;
  }
  root_ = strategies_.source_root;
}

Status PatchBench::build_accepted() {
  if (built_ && same_contents(*built_, accepted_)) return {};
  built_.reset();
  auto built =
      workspace_.build(accepted_, [this](std::string_view line) { listener_.build_line(line); });
  if (!built) return built.error();
  if (!built->succeeded) {
    return internal_error("the copy does not build any more: " + built->first_error);
  }
  built_ = accepted_;
  return {};
}

void PatchBench::accept(const Tried& tried, const NamedDependence& dependence) {
  accepted_ = tried.files;
  if (tried.attempt.verdict == RepairVerdict::verified) repaired_.push_back(dependence);
  std::erase_if(accepted_, [](const auto& entry) { return equal_contents(entry.second); });
  symptoms_ = tried.symptoms;
  seen_.clear();  // on top of this one, what did not help before may
}

Result<StillShows> PatchBench::still_shows(const NamedDependence& dependence) {
  if (Status built = build_accepted(); !built) return built.error();
  return verifier_.still_shows(dependence, names_of(accepted_));
}

Result<Verification> PatchBench::verify_all() {
  if (Status built = build_accepted(); !built) return built.error();
  return verifier_.verify_all(accepted_, symptoms_, repaired_);
}

Result<RepairTask> PatchBench::look_at(const Suite& suite, const Dependence& given,
                                       const ChangedFiles& files) {
  auto now = workspace_.suite();
  if (!now) return now.error();
  const auto dependence = in_suite(given, suite, *now);
  if (!dependence) return Error{ErrorKind::no_match, "a test of the dependence is gone", ""};
  const ChangedFiles since = options_.found_with_base ? on_top_of(options_.base, files) : files;
  RepairTask task{*now, *dependence, {}, source_with(files, disk_), strategies_};
  task.dependence.explanation = with_moved_lines(given.explained(), since);
  const Project& project = workspace_.project();
  const std::vector<std::string> places = {root_, project.build_dir, project.build_command_dir};
  auto facts = facts_of_(files_concerned(
      task.suite, task.dependence, task.dependence.explained(), root_, places,
      [&task](const std::string& file) { return task.source.content(file).has_value(); }));
  if (!facts) return facts.error();
  task.facts = std::move(*facts);
  return task;
}

Patch PatchBench::patch_of(const Proposal& proposal, const ChangedFiles& own,
                           const RepairTask& task) const {
  Patch patch;
  patch.strategy = proposal.strategy;
  patch.summary = proposal.summary;
  patch.reason = proposal.reason;
  patch.product_code = proposal.product_code;
  patch.diff = unified_diff(own, root_);
  for (const auto& [path, file] : own) {
    patch.files.push_back(std::filesystem::path(path).lexically_relative(root_));
    if (!file.before) continue;
    for (const LineChange& change :
         diff_lines(whole_lines(*file.before), whole_lines(file.after))) {
      patch.added += static_cast<int>(change.new_end - change.new_begin);
      patch.removed += static_cast<int>(change.old_end - change.old_begin);
    }
  }
  const NamedDependence names = named(task.suite, task.dependence);
  CommitReason reason{names.test, enumeration(names.by), "", names.role == Role::brittle};
  const auto& carriers = task.dependence.explained().carriers;
  if (!carriers.empty()) reason.carrier = carriers.front().key.text();
  patch.commit_message = commit_message(patch, reason);
  return patch;
}

Result<Verification> PatchBench::verify(const NamedDependence& dependence, const Proposal& proposal,
                                        const ChangedFiles& files) {
  const auto tell = [this](std::string_view line) { listener_.build_line(line); };
  if (proposal.strategy != Strategy::declare) {
    return verifier_.verify(dependence, files, symptoms_, tell, repaired_);
  }
  auto built = workspace_.build(files, tell);
  if (!built) return built.error();
  Verification result;
  if (!built->succeeded) {
    result.verdict = RepairVerdict::not_built;
    result.why = built->first_error;
    result.checks.push_back({CheckKind::build, false, 1, built->first_error});
    return result;
  }
  auto checked = verifier_.verify_all(files, symptoms_, repaired_);
  if (!checked || checked->verdict == RepairVerdict::rejected) return checked;
  checked->verdict = RepairVerdict::partly;
  checked->why = "the dependence is declared, not repaired";
  return checked;
}

Result<PatchBench::Tried> PatchBench::try_files(const RepairTask& task,
                                                const NamedDependence& dependence,
                                                const Proposal& proposal,
                                                const ChangedFiles& files) {
  Tried tried;
  tried.files = files;
  tried.attempt.patch = patch_of(proposal, on_top_of(accepted_, files), task);
  built_.reset();
  auto verified = verify(dependence, proposal, files);
  if (!verified) return verified.error();
  if (verified->verdict != RepairVerdict::not_built) built_ = files;
  tried.attempt.verdict = verified->verdict;
  tried.attempt.checks = std::move(verified->checks);
  tried.attempt.why = std::move(verified->why);
  tried.attempt.build_seconds = verified->build_seconds;
  tried.attempt.check_seconds = verified->check_seconds;
  tried.still_by = std::move(verified->still_by);
  tried.symptoms = std::move(verified->symptoms);
  return tried;
}

Result<std::optional<PatchBench::Tried>> PatchBench::attempt(const RepairTask& task,
                                                             const NamedDependence& dependence,
                                                             const Proposal& proposal) {
  auto own = apply(proposal.change, source_with(accepted_, disk_));
  if (!own) {  // as wrong as a patch that does not build
    Tried tried;
    tried.attempt.patch.strategy = proposal.strategy;
    tried.attempt.patch.summary = proposal.summary;
    tried.attempt.verdict = RepairVerdict::rejected;
    tried.attempt.why = "it cannot be applied: " + own.error().message;
    return std::optional(std::move(tried));
  }
  const std::string diff = unified_diff(*own, root_);
  if (own->empty() || !seen_.emplace(dependence.id, diff).second) {
    return std::optional<Tried>();
  }
  listener_.step(task.dependence, proposal.summary);
  auto tried = try_files(task, dependence, proposal, combined(accepted_, *own));
  if (!tried) return tried.error();
  return std::optional(std::move(*tried));
}

/// A guard in one polluter leaves the others as they are.
Result<PatchBench::Tried> PatchBench::extend(const Suite& suite, const Dependence& given,
                                             const NamedDependence& named, Tried tried) {
  constexpr std::size_t kMost = 8;
  for (std::size_t round = 0; round < kMost && !tried.still_by.empty(); ++round) {
    if (tried.attempt.verdict != RepairVerdict::partly || options_.should_stop()) break;
    const std::string other = tried.still_by.front();
    const auto id = suite.find(other);
    if (!id) break;
    const Dependence next = behind_another(given, *id);
    auto task = look_at(suite, next, tried.files);
    if (!task) return task.error();
    const Proposals proposals = propose(*task);
    const auto same =
        std::find_if(proposals.ladder.begin(), proposals.ladder.end(),
                     [&](const Proposal& p) { return p.strategy == tried.attempt.patch.strategy; });
    if (same == proposals.ladder.end()) break;
    auto own = apply(same->change, source_with(tried.files, disk_));
    if (!own || own->empty()) break;
    Proposal both = *same;
    both.summary = tried.attempt.patch.summary + "; " + same->summary;
    listener_.step(task->dependence, both.summary);
    auto more = try_files(*task, named, both, combined(tried.files, *own));
    if (!more) return more.error();
    if (more->still_by.size() >= tried.still_by.size()) break;
    if (more->attempt.verdict != RepairVerdict::verified &&
        more->attempt.verdict != RepairVerdict::partly) {
      break;
    }
    tried = std::move(*more);
  }
  return tried;
}

}  // namespace gordian
