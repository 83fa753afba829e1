// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Data dependences between tests: what each test reads that an earlier one has left changed. A data
// dependence says that a result *could* change; whether it does, only runs can tell. Then, what was
// ignored, and which of them are manifest, as far as runs have told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/strong_id.h"
#include "model/explanation.h"
#include "model/run.h"
#include "model/test.h"

namespace gordian {

/// Index into DataFlow::states.
using StateId = StrongId<struct StateIdTag, std::uint32_t>;

/// A piece of state that outlives a test: a variable, what it reaches, a file, ...
struct SharedState {
  StateKey key;
  std::string type;  ///< static type of a variable; else empty
  std::string file;  ///< of the declaration
  int line = 0;
};

/// How accesses were seen.
enum class FlowSource : std::uint8_t {
  watch,  ///< the binary as it is: what each test leaves changed, and who reads that
  trace,  ///< a build with `gordian cxxflags`: every load and store
};
std::string_view to_string(FlowSource source);

/// What one test did to shared state.
struct TestFlow {
  TestId test;
  std::vector<StateId> reads;   ///< before writing them itself; ascending, each once. Of tests that
                                ///< ran alone: at least of what some test writes
  std::vector<StateId> writes;  ///< and left changed; ascending, each once
  /// Why there may be more than these (it crashed, a thread of it went on, ...); empty: there is
  /// not.
  std::string unsure;
};

/// `reader` reads what `writer` has written last.
struct DataDependence {
  TestId reader, writer;
  std::vector<StateId> states;      ///< ascending, each once
  std::optional<Site> write, read;  ///< for the first of them, where known
};

struct DataFlow {
  FlowSource source = FlowSource::watch;
  /// The order in which the tests ran. With `alone`, each ran by itself from the state before the
  /// first, and there are no dependences: only reads and writes.
  Order order;
  bool alone = false;
  std::vector<SharedState> states;
  std::vector<TestFlow> tests;              ///< one for each position of `order`
  std::vector<DataDependence> dependences;  ///< by position of the reader, then of the writer
  std::vector<std::string> misses;          ///< what cannot have been seen, in sentences
  std::uint64_t passes = 0;                 ///< runs of the whole order that it took
  double seconds = 0;

  const SharedState& state(StateId id) const { return states.at(id.value()); }
};

/// Which test could change the result of which other, run directly before it from the state before
/// the first test. By default any could.
class Influence {
 public:
  explicit Influence(std::size_t tests) : tests_(tests), may_(tests * tests, true) {}
  bool may_affect(TestId writer, TestId reader) const { return may_[index(writer, reader)]; }
  void set(TestId writer, TestId reader, bool may) { may_[index(writer, reader)] = may; }

 private:
  std::size_t index(TestId writer, TestId reader) const {
    return static_cast<std::size_t>(writer.value()) * tests_ + reader.value();
  }
  std::size_t tests_;
  std::vector<bool> may_;
};

/// Of tests that ran alone: writer and reader share no state, and both are sure. REQUIRES:
/// flow.alone; `tests` is the size of the suite.
Influence influence(const DataFlow& flow, std::size_t tests);

/// What runs have shown of a data dependence.
enum class FlowVerdict : std::uint8_t {
  untested,      ///< no order that breaks it was run
  manifest,      ///< breaking it, and no other one, changes a result, each time
  not_manifest,  ///< breaking it changes nothing
  untestable,    ///< no order breaks it alone, or what it shows cannot be told
};
std::string_view to_string(FlowVerdict verdict);
std::optional<FlowVerdict> parse_flow_verdict(std::string_view word);

/// Belongs to the data dependence of the same index.
struct TestedFlow {
  FlowVerdict verdict = FlowVerdict::untested;
  std::string why;  ///< it is untestable: the reason
  TestId changed;   ///< it is manifest: whose result changed
  Order schedule;   ///< it is manifest: the order that shows it, ending with that test
};

/// A state that the user calls free of dependence.
struct IgnoredState {
  StateKey key;
  std::string rule;  ///< as written in the list
  std::uint64_t reads = 0, writes = 0;
  std::uint64_t dependences = 0;  ///< that it took part in
};

struct FlowFacts {
  DataFlow flow;  ///< without what is ignored
  bool backwards = false;
  std::vector<TestedFlow> tested;  ///< one for each dependence of `flow`
  std::vector<IgnoredState> ignored;
  std::uint64_t ignored_dependences = 0;       ///< carried by ignored states alone
  std::uint64_t components = 0;                ///< groups of tests that have no data in common
  std::uint64_t schedules = 0, tests_run = 0;  ///< of the refinement, confirmations apart
  double refined_seconds = 0;
  bool from_store = false;  ///< collected by an earlier command

  std::uint64_t count(FlowVerdict verdict) const;
  /// Tests that a refinement without any knowledge of what is needed would run: every test, once
  /// for each dependence.
  std::uint64_t most_tests() const {
    return static_cast<std::uint64_t>(flow.order.size()) * flow.dependences.size();
  }
};

/// What a search spared itself because of what tests read and write.
struct PruningFacts {
  FlowSource source = FlowSource::watch;
  std::uint64_t needless = 0, needed = 0;  ///< orders left out, orders run
  bool sound = false;               ///< nothing can have been missed: what was left out is proved
  std::vector<std::string> misses;  ///< why it is not
  std::uint64_t passes = 0;
  double seconds = 0;     ///< of the collection
  std::string no_reason;  ///< nothing was left out, because of this
};

/// The facts of `gordian graph`.
struct GraphFacts {
  BinaryIdentity binary;
  Target target;
  Suite suite;
  std::vector<FlowFacts> flows;  ///< of the default order; then, if asked for, of its reverse
  std::vector<Notice> notices;
  std::string db;  ///< where it is stored; empty: nowhere
};

}  // namespace gordian
