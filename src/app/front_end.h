// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Who is told what a command does while it does it: a terminal, another front end, a test. For each
// piece of work that may take long the front end makes a listener, which lives as long as that
// piece. What is worth keeping is returned as facts; a listener may ignore everything, and this
// front end does.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "app/run.h"
#include "detect/listener.h"
#include "model/dependence.h"
#include "runtime/powers.h"

namespace gordian {

/// Work on one dependence after the other.
class StepListener {
 public:
  virtual ~StepListener() = default;
  virtual void step(const Dependence& dependence, std::string_view what) {
    (void)dependence, (void)what;
  }
  /// What is done for all of them.
  virtual void phase(std::string_view what) { (void)what; }
  /// A part of the step or phase: what a build prints, a check. Until the next of either.
  virtual void detail(std::string_view what) { (void)what; }
  /// There are so many more than `total`.
  virtual void expect_more(std::size_t count) { (void)count; }
  /// One more of `total` is done.
  virtual void done_one() {}
  /// Time has passed. Called all the time.
  virtual void refresh() {}
};

/// Tests that are run one after another, for something else than their results.
class CountListener {
 public:
  virtual ~CountListener() = default;
  virtual void show(const CollectProgress& progress) { (void)progress; }
};

/// The base of one that only wants some of it.
class SilentRunObserver : public RunObserver {
 public:
  Status run_begins(const RunFacts&, const Order&) override { return {}; }
  Status repeat_begins(int, const Order&) override { return {}; }
};

enum class StepWork { explain, repair };
enum class CountWork { collect, check, measure };

class FrontEnd {
 public:
  virtual ~FrontEnd() = default;

  virtual std::unique_ptr<RunObserver> run(const RunRequest& request) {
    (void)request;
    return std::make_unique<SilentRunObserver>();
  }
  virtual std::unique_ptr<SearchListener> search() { return std::make_unique<SearchListener>(); }
  /// `suite` outlives the listener; `total`: dependences.
  virtual std::unique_ptr<StepListener> steps(StepWork work, const Suite& suite,
                                              std::size_t total) {
    (void)work, (void)suite, (void)total;
    return std::make_unique<StepListener>();
  }
  virtual std::unique_ptr<CountListener> count(CountWork work) {
    (void)work;
    return std::make_unique<CountListener>();
  }
};

}  // namespace gordian
