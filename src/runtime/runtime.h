// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What can run tests: one row of the table below for each kind of target. list, run, detect, graph,
// explain, replay, shard and export go through it and never ask which one they have.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "ctest/ctest.h"
#include "model/runtime_traits.h"
#include "model/target.h"
#include "runtime/powers.h"
#include "runtime/session.h"

namespace gordian {

class Runtime {
 public:
  virtual ~Runtime() = default;

  virtual const RuntimeTraits& traits() const = 0;
  /// It is the one for a target that does not say what runs it.
  virtual bool recognises(const Target& target) const = 0;
  /// Turns what the user typed at its --level into targets, see resolve_targets().
  virtual Result<TargetSelection> resolve(const std::vector<std::string>& words,
                                          const std::vector<std::string>& args) const = 0;

  /// The tests, without running any, or a global set-up where that can be avoided.
  /// engine.also_disabled counts.
  virtual Result<Suite> list(const Target& target, const EngineOptions& engine,
                             std::vector<Notice>& notices) const = 0;
  virtual Result<BinaryIdentity> identify(const Target& target) const = 0;
  /// The libraries that the target would be started with, as one digest; empty: none that count.
  virtual std::string libraries(const Target& target) const;
  /// Blocks until orders can be run.
  virtual Result<std::unique_ptr<Session>> open(SessionRequest request) const = 0;

  /// Power: what works with this target and what does not, found out by trying.
  virtual Result<std::vector<DoctorFinding>> examine(const Target& target) const;
  /// Power: what each test covers, see coverage/native/collect.h.
  virtual Result<CollectedCoverage> cover(const Target& target,
                                          const CoverageOptions& options) const;
  /// Power: the state that its tests leave and find, to explain dependences.
  virtual Result<std::unique_ptr<StateProber>> prober(const Target& target,
                                                      const EngineOptions& engine) const;
  /// Power: one start of it for a debugger. `order`: names of tests, not empty.
  virtual Result<std::unique_ptr<DebugSession>> debug(const Target& target,
                                                      const EngineOptions& engine,
                                                      const std::vector<std::string>& order) const;
  /// What this machine has of what it needs, found out by trying.
  virtual std::vector<DoctorFinding> examine_machine() const;
  /// What ctest says of its tests, where each test is one of ctest's, by the same name.
  virtual Result<std::vector<CtestEntry>> ctest_entries(const Target& target) const;
};

/// All there are; the table is in runtime_table/.
std::span<const Runtime* const> runtimes();
/// One more, for as long as this object lives: a front end or a test may bring its own.
class AddedRuntime {
 public:
  explicit AddedRuntime(const Runtime& runtime);
  ~AddedRuntime();
  AddedRuntime(const AddedRuntime&) = delete;
  AddedRuntime& operator=(const AddedRuntime&) = delete;
};

/// The one that the target names, else the first that recognises it.
const Runtime& runtime_of(const Target& target);
/// The one with this word for --level; null: none.
const Runtime* runtime_at_level(const std::string& level);

}  // namespace gordian
