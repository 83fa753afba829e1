// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Runs that one command makes: told to the front end, stored while they go on, and kept.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/front_end.h"
#include "app/run.h"
#include "base/result.h"
#include "model/shard_facts.h"
#include "store/run_store.h"

namespace gordian {

class RunSession {
 public:
  /// `db` empty: nothing is stored. The front end must outlive it.
  static Result<RunSession> open(const std::string& db, FrontEnd& front_end);

  /// `extra`: tests, each once in the order, that are run only because others need them: they are
  /// stored, but the front end is not told of them and they do not count; a notice names them.
  /// The facts live until the next run.
  struct Ran {
    RunFacts* facts;
    Status stored;  ///< the run went well, but the database has not all of it
  };
  Result<Ran> run(const RunRequest& request, const std::vector<std::string>& extra = {});

  const std::vector<RunFacts>& runs() const { return runs_; }

 private:
  explicit RunSession(FrontEnd& front_end) : front_end_(front_end) {}

  FrontEnd& front_end_;
  std::unique_ptr<RunStore> store_;
  std::vector<RunFacts> runs_;
};

/// One run of a part of a split.
struct PartRun {
  std::vector<std::string> order, extra;  ///< see RunRequest::exact_order and RunSession::run()
};
/// One for each process of the part; if each test is isolated anyway, one for all of its own tests.
std::vector<PartRun> runs_of_part(const ShardFacts& target, const ShardFacts::Part& part,
                                  bool isolated);

}  // namespace gordian
