// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/repair.h"

#include "repair/commit_text.h"
#include "repair/patch_bench.h"
#include "repair/repairer.h"

namespace gordian {
namespace {

/// Interrupted: what was accepted stands.
bool is_interrupt(const Status& status) {
  return !status && status.error().kind == ErrorKind::interrupted;
}

std::vector<NamedDependence> named_all(const Suite& suite,
                                       const std::vector<KnownDependence>& dependences) {
  std::vector<NamedDependence> names;
  for (const KnownDependence& one : dependences) names.push_back(named(suite, one.dependence));
  return names;
}

Status build_as_it_is(Workspace& workspace, const ChangedFiles& base, RepairListener& listener) {
  listener.phase("building the project as it is");
  auto built =
      workspace.build(base, [&listener](std::string_view line) { listener.build_line(line); });
  if (!built) return built.error();
  if (built->succeeded) return {};
  return target_error("the project does not build as it is: " + built->first_error,
                      "make `" + workspace.project().build_command +
                          "` work first, or say how it is built with --build");
}

std::string message_of(const std::vector<Repair>& repairs) {
  std::vector<const Patch*> patches;
  for (const Repair& repair : repairs) {
    if (repair.accepted) patches.push_back(&repair.attempts[*repair.accepted].patch);
  }
  return combined_message(patches);
}

/// All that was accepted, once more as a whole.
Status finish(PatchBench& bench, const BeforePatches& before, RepairListener& listener,
              RepairResult& result) {
  result.files = bench.accepted();
  result.diff = unified_diff(result.files, bench.root());
  result.commit_message = message_of(result.repairs);
  result.failing_before = result.failing_after = static_cast<int>(before.shown.differing.size());
  result.random_orders = static_cast<int>(before.random_orders.size());
  if (result.files.empty() || result.interrupted) return {};
  listener.phase("checking all patches together");
  auto verified = bench.verify_all();
  if (!verified) return verified.error();
  result.checks = std::move(verified->checks);
  result.failing_after = static_cast<int>(verified->shown.differing.size());
  return {};
}

}  // namespace

Result<RepairResult> repair(const Suite& suite, const std::vector<KnownDependence>& dependences,
                            Workspace& workspace, const FactsOf& facts_of,
                            const RepairOptions& options, RepairListener& listener,
                            const RepairLadder& ladder) {
  if (Status built = build_as_it_is(workspace, options.base, listener); !built) {
    return built.error();
  }
  listener.phase("running the tests as they are, in the default order and in random ones");
  auto before = measure_before(
      workspace, named_all(suite, dependences),
      {options.random_orders, options.seed, options.confirmations, {}, options.wavering});
  if (!before) return before.error();
  PatchBench bench(workspace, *before, facts_of, options, ladder, listener);
  Repairer repairer(suite, dependences, bench, *before, options, listener);
  const Status ran = repairer.run();
  if (!ran && !is_interrupt(ran)) return ran.error();
  RepairResult result;
  result.interrupted = is_interrupt(ran);
  result.repairs = repairer.take_repairs();
  const Status finished = finish(bench, *before, listener, result);
  if (is_interrupt(finished)) result.interrupted = true;
  if (!finished && !is_interrupt(finished)) return finished.error();
  return result;
}

}  // namespace gordian
