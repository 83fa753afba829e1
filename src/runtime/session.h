// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One target, opened: its tests, and whatever its runtime can do with them. Running orders is what
// every session can. The rest are powers that one asks for, and that answer with a reason where
// they are missing; nobody above asks which runtime it is.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/data_flow.h"
#include "model/order_spec.h"
#include "model/run.h"
#include "runtime/engine_options.h"
#include "runtime/order_runner.h"
#include "runtime/powers.h"

namespace gordian {

struct SessionRequest {
  Target target;
  Isolation isolation = Isolation::automatic;  ///< of one order from the next
  bool also_disabled = false;
  /// Any order is wanted; else a target that can only run its default one is opened, too.
  bool any_order = true;
  EngineOptions engine;
};

/// Hashes of the code of each test of the suite; empty where it cannot be told.
struct CodeHashes {
  std::vector<std::string> by_test;
  std::string problem;  ///< why there is none at all; empty when there are some
};

class Session : public OrderRunner {
 public:
  /// As it is started: with the arguments that the request takes.
  virtual const Target& target() const = 0;
  virtual const BinaryIdentity& identity() const = 0;
  /// What the request's isolation has become; a notice says why.
  virtual Isolation isolation() const = 0;
  virtual bool private_fs() const = 0;
  /// Grows while orders run.
  virtual const std::vector<Notice>& notices() const = 0;
  virtual Control control() const { return Control::hooks; }
  virtual std::string snapshot_backend() const { return {}; }

  /// Why this order cannot be run with this isolation; only where any_order was not asked for.
  virtual Status check_order(const Order& order) const {
    (void)order;
    return {};
  }
  /// Each test apart from the others, as isolation() says, with what it declares to need: one
  /// TestRun for each.
  virtual Result<std::vector<TestRun>> run_apart(std::span<const TestId> tests,
                                                 RunListener& listener) = 0;
  /// How often all state was compared, with engine.verify_snapshots; nullopt: never is.
  virtual std::optional<std::uint64_t> verified() const { return std::nullopt; }

  /// To recognise tests after a rebuild. Takes a while.
  virtual CodeHashes hash_code() const;
  /// Power: what tests read and write. Lives no longer than the session.
  virtual Result<std::unique_ptr<FlowCollector>> collector(FlowSource source);
};

/// The errors of a target without any test, and without any of those asked for.
Error no_tests_error(const Target& target);
Error no_match_error(const Target& target, const Suite& suite, const TestFilter& filter);

/// The tests of the filter in the default order; one of these errors where there are none.
Result<Order> choose_tests(const Target& target, const Suite& suite, const TestFilter& filter);

}  // namespace gordian
