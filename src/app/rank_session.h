// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One target, what its tests cover, what is known of its dependences, and orders of it: what
// `prioritize`, `impact` and `reduce` have in common. Each part is got when it is first asked for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/front_end.h"
#include "app/known_dependences.h"
#include "base/owned_dir.h"
#include "base/result.h"
#include "detect/order_check.h"
#include "model/coverage.h"
#include "model/rank_facts.h"
#include "order/constraints.h"
#include "order/ranking.h"
#include "runtime/engine_options.h"

namespace gordian {

/// What the tests of a target cover, from wherever it can be had: the user's own data, the
/// database, or one run of the program now.
struct CoverageRequest {
  /// lcov, gcov or llvm-cov data, see docs/coverage.md; empty: the program tells
  std::string file;
  CoverageWay way = CoverageWay::alone;
  bool test_code = false;  ///< files in which tests stand count, too
  bool again = false;      ///< collect, even if the database has it
  std::string db;          ///< empty: none
  EngineOptions engine;
};

struct RankRequest {
  DetectRequest search;      ///< how orders are checked and dependences looked for
  CoverageRequest coverage;  ///< its engine and database are those of the others
  std::string db;            ///< empty: nothing is read or stored
};

class RankSession {
 public:
  /// Lists the tests; runs none. The front end must outlive the session.
  static Result<RankSession> open(const Target& target, RankRequest request, FrontEnd& front_end);
  RankSession(RankSession&&) noexcept;
  ~RankSession();

  const RankedBinary& binary() const { return binary_; }
  const std::vector<Notice>& notices() const { return notices_; }
  const CoverageSource& coverage_source() const { return source_; }

  /// Gets coverage, or says why there is none.
  Status need_coverage();
  /// Null unless need_coverage() was a success.
  const Coverage* coverage() const { return coverage_ ? &*coverage_ : nullptr; }
  /// It is the user's own data.
  bool coverage_is_given() const { return !request_.coverage.file.empty(); }
  /// Known dependences become constraints of orders that are made from now on.
  Status need_constraints();

  /// With its curves, as far as coverage is known.
  RankedOrder default_order() const;
  /// REQUIRES: coverage() unless technique is T1.
  RankedOrder ranked(Technique technique, std::uint64_t seed) const;
  /// The same, keeping to the constraints.
  RankedOrder ranked_aware(Technique technique, std::uint64_t seed) const;
  /// `kept` in the default order, keeping to the constraints; others may be run for their sake.
  RankedOrder scheduled(const Order& kept) const;

  /// Runs it. What is changed has the number of its dependence, if one is known or can be found.
  Status check(RankedOrder& order);
  /// Makes an order, checks it, learns from what is changed and makes it again, until all results
  /// are as expected or nothing new can be learned.
  using Make = std::function<RankedOrder()>;
  Result<RankedOrder> checked_until_right(const Make& make);

  /// The result of a test in the default order, if it always is the same. check() must have been
  /// called.
  const Outcome* settled_result(TestId test) const;
  const DetectRequest& request() const { return request_.search; }
  const std::string& db() const { return request_.db; }
  FrontEnd& front_end() const { return front_end_; }

 private:
  RankSession(RankRequest request, TemporaryDir counters, FrontEnd& front_end);

  void draw_curves(RankedOrder& order) const;
  RankedOrder made_of(const Schedule& schedule, RankedOrder order) const;
  /// For numbers alone a search of another build is no error.
  void need_numbers();
  DependenceId dependence_of(TestId test) const;
  Status run_check(RankedOrder& order);
  /// Finds the dependences behind changed results. True: something new was found.
  Result<bool> learn(const std::vector<ChangedResult>& changed);
  Status store(DetectFacts& facts);

  TemporaryDir counters_;  ///< where coverage builds leave them while orders are tried
  RankRequest request_;
  FrontEnd& front_end_;
  RankedBinary binary_;
  std::vector<Notice> notices_;
  std::optional<Coverage> coverage_;
  CoverageSource source_;
  bool known_is_loaded_ = false;
  KnownDependences known_;
  std::vector<DependenceId> learned_;
  class Relay;
  std::unique_ptr<Relay> relay_;
  std::unique_ptr<OrderCheck> check_;
};

}  // namespace gordian
