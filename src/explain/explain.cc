// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/explain.h"

#include <fmt/format.h>

#include <chrono>

#include "explain/explainer.h"
#include "explain/witness_lab.h"
#include "state/program_memory.h"

namespace gordian {
namespace {

using Clock = std::chrono::steady_clock;

Explanation left_out(const Dependence& dependence, std::string why) {
  Explanation explanation;
  explanation.dependence = dependence.id;
  explanation.why_not = std::move(why);
  return explanation;
}

Result<Explanation> explain_one(Executor& executor, const Dependence& dependence,
                                const ExplainWork& work) {
  WitnessLab lab(executor, dependence);
  Explainer explainer(lab, work);
  auto explanation = explainer.explain();
  if (!explanation) return explanation;
  const ProvedSet proved = explainer.proved();
  if (!proved.has_first_use()) return explanation;
  auto narrower = narrowed(executor, dependence, proved, work);
  return narrower ? std::move(*narrower) : std::move(*explanation);
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
  const ExplainWork work{program, options, listener, enough};
  std::vector<Explanation> all;
  for (const Dependence& dependence : dependences) {
    if (enough()) {
      all.push_back(left_out(dependence, "the time was over"));
      continue;
    }
    const auto start = Clock::now();
    auto explained = explain_one(**executor, dependence, work);
    if (!explained && explained.error().kind == ErrorKind::interrupted) return explained.error();
    all.push_back(explained ? std::move(*explained)
                            : left_out(dependence, explained.error().message));
    all.back().seconds = std::chrono::duration<double>(Clock::now() - start).count();
    listener.explained(dependence, all.back());
  }
  return all;
}

}  // namespace gordian
