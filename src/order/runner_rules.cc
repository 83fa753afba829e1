// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/shard.h"

#include <algorithm>
#include <map>
#include <set>

namespace gordian {
namespace {

/// Which test must have ended before which other starts; never a circle.
class Precedence {
 public:
  explicit Precedence(std::size_t tests) : after_(tests) {}

  bool leads(TestId from, TestId to) const {
    std::set<TestId> seen;
    std::vector<TestId> open = {from};
    while (!open.empty()) {
      const TestId test = open.back();
      open.pop_back();
      if (test == to) return true;
      if (!seen.insert(test).second) continue;
      open.insert(open.end(), after_[test.value()].begin(), after_[test.value()].end());
    }
    return false;
  }
  /// False if that would close a circle.
  bool add(TestId first, TestId second) {
    if (leads(second, first)) return false;
    after_[first.value()].insert(second);
    return true;
  }
  bool ordered(TestId a, TestId b) const { return leads(a, b) || leads(b, a); }

 private:
  std::vector<std::set<TestId>> after_;
};

class Builder {
 public:
  Builder(const Constraints& constraints, const DataFlow* flow)
      : constraints_(constraints), flow_(flow), order_(constraints.tests()) {}

  RunnerRules run() {
    // What authors have declared is law already; then what leaves the least choice.
    for (const Constraint& c : constraints_.all()) {
      if (c.dependence == kNoDependence) declared(c);
    }
    for (const Constraint& c : constraints_.all()) {
      if (c.dependence != kNoDependence && c.kind == Constraint::Kind::needs) need(c);
    }
    for (const Constraint& c : constraints_.all()) {
      if (c.dependence != kNoDependence && c.kind == Constraint::Kind::avoids) avoid(c);
    }
    if (flow_ != nullptr) lock();
    return std::move(rules_);
  }

 private:
  void declared(const Constraint& c) {
    for (TestId first : c.sequences.front().tests) order_.add(first, c.test);
  }

  bool after(TestId first, TestId second, DependenceId dependence) {
    if (order_.leads(first, second)) return true;
    if (!order_.add(first, second)) return false;
    rules_.after.push_back({first, second, dependence});
    return true;
  }

  void unmet(const Constraint& c, std::string why) {
    rules_.unmet.push_back({c.test, c.dependence, std::move(why)});
  }

  // ---- needs

  bool fits(const Order& setters, TestId test) const {
    Precedence trial = order_;
    for (std::size_t i = 0; i < setters.size(); ++i) {
      if (!trial.add(setters[i], i + 1 < setters.size() ? setters[i + 1] : test)) return false;
    }
    return true;
  }

  void need(const Constraint& c) {
    for (const Constraint::Sequence& sequence : c.sequences) {
      if (sequence.tests.empty()) return;
      if (!fits(sequence.tests, c.test)) continue;
      for (std::size_t i = 1; i < sequence.tests.size(); ++i) {
        after(sequence.tests[i - 1], sequence.tests[i], c.dependence);
      }
      for (TestId setter : sequence.tests) order_.add(setter, c.test);
      rules_.needs.push_back({c.test, sequence.tests, c.dependence});
      spare(c, sequence);
      return;
    }
    unmet(c, "what it needs before it would have to run behind it as well");
  }

  /// What would undo it runs before it is set or when it is no longer needed.
  void spare(const Constraint& c, const Constraint::Sequence& sequence) {
    for (TestId other : undoing(c, sequence)) {
      const TestId setter = sequence.tests.back();
      const bool early = other < setter;
      const bool done =
          early ? after(other, setter, c.dependence) || after(c.test, other, c.dependence)
                : after(c.test, other, c.dependence) || after(other, setter, c.dependence);
      if (!done) unmet(c, "a test that may undo what it needs can come between");
    }
    if (sequence.wary && flow_ == nullptr) {
      unmet(c, "which tests would undo what it needs is not known");
    }
  }

  /// Tests that are known to undo it; by what they write, if that was watched.
  std::set<TestId> undoing(const Constraint& c, const Constraint::Sequence& sequence) const {
    std::set<TestId> tests(sequence.undone_by.begin(), sequence.undone_by.end());
    if (sequence.wary && flow_ != nullptr) {
      const std::set<StateId> carriers = carriers_of(c.test, sequence.tests);
      for (const TestFlow& flow : flow_->tests) {
        const bool writes = std::any_of(flow.writes.begin(), flow.writes.end(),
                                        [&](StateId state) { return carriers.contains(state); });
        if (writes && sequence.undone_by_test(flow.test)) tests.insert(flow.test);
      }
    }
    for (TestId setter : sequence.tests) tests.erase(setter);
    tests.erase(c.test);
    return tests;
  }

  /// What the test reads and its setters have written.
  std::set<StateId> carriers_of(TestId test, const Order& setters) const {
    std::set<StateId> read, written, both;
    for (const TestFlow& flow : flow_->tests) {
      if (flow.test == test) read.insert(flow.reads.begin(), flow.reads.end());
      if (std::find(setters.begin(), setters.end(), flow.test) != setters.end()) {
        written.insert(flow.writes.begin(), flow.writes.end());
      }
    }
    std::set_intersection(read.begin(), read.end(), written.begin(), written.end(),
                          std::inserter(both, both.end()));
    return both;
  }

  // ---- avoids

  void avoid(const Constraint& c) {
    for (const Constraint::Sequence& sequence : c.sequences) {
      const TestId last = sequence.tests.back();
      if (last == c.test) {
        unmet(c, "it fails when it has run before, whatever the order");
      } else if (!keep_apart(c, sequence)) {
        unmet(c, "it would have to run before and behind the same test");
      }
    }
  }

  bool keep_apart(const Constraint& c, const Constraint::Sequence& sequence) {
    const Order& tests = sequence.tests;
    if (after(c.test, tests.back(), c.dependence)) return true;
    // Several are harmless in another order than the one that was seen.
    for (std::size_t i = 1; i < tests.size(); ++i) {
      if (after(tests[i], tests[i - 1], c.dependence)) return true;
    }
    return std::any_of(sequence.undone_by.begin(), sequence.undone_by.end(), [&](TestId cleaner) {
      Precedence trial = order_;
      if (!trial.add(tests.back(), cleaner) || !trial.add(cleaner, c.test)) return false;
      return after(tests.back(), cleaner, c.dependence) && after(cleaner, c.test, c.dependence);
    });
  }

  // ---- locks

  struct Users {
    std::set<TestId> readers, writers;
  };

  static bool is_listing(const SharedState& state) {
    const auto* file = state.key.as<FileKey>();
    return file != nullptr && file->part == FileKey::Part::entries;
  }

  bool collide(TestId a, TestId b) const { return a != b && !order_.ordered(a, b); }

  /// Those that may change a file while another one uses it.
  Order in_conflict(const SharedState& state, const Users& users) const {
    std::set<TestId> all = is_listing(state) ? std::set<TestId>() : users.writers;
    all.insert(users.readers.begin(), users.readers.end());
    std::set<TestId> found;
    for (TestId writer : users.writers) {
      for (TestId other : all) {
        if (collide(writer, other)) found.insert({writer, other});
      }
    }
    return {found.begin(), found.end()};
  }

  void lock() {
    std::map<StateId, Users> users;
    for (const TestFlow& flow : flow_->tests) {
      for (StateId state : flow.reads) users[state].readers.insert(flow.test);
      for (StateId state : flow.writes) users[state].writers.insert(flow.test);
    }
    for (const auto& [id, of] : users) {
      Order tests = in_conflict(flow_->state(id), of);
      if (!tests.empty()) rules_.locks.push_back({flow_->state(id).key.text(), std::move(tests)});
    }
  }

  const Constraints& constraints_;
  const DataFlow* flow_;
  Precedence order_;
  RunnerRules rules_;
};

bool keeps(const Constraints& constraints, const Order& order) {
  ProcessPast past(constraints);
  for (TestId test : order) {
    if (!past.welcomes(test)) return false;
    past.run(test);
  }
  return true;
}

}  // namespace

RunnerRules runner_rules(const Constraints& constraints, const DataFlow* flow) {
  return Builder(constraints, flow).run();
}

std::vector<std::size_t> safe_round_robin(const Constraints& constraints, const Order& tests,
                                          std::size_t most) {
  std::vector<std::size_t> safe = {1};
  for (std::size_t count = 2; count <= most; ++count) {
    std::vector<Order> shards(count);
    for (std::size_t i = 0; i < tests.size(); ++i) shards[i % count].push_back(tests[i]);
    const bool all = std::all_of(shards.begin(), shards.end(),
                                 [&](const Order& shard) { return keeps(constraints, shard); });
    if (all) safe.push_back(count);
  }
  return safe;
}

}  // namespace gordian
