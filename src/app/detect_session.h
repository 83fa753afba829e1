// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One `gordian detect`: searches of some targets, what they found explained if that is wanted, and
// all of it stored; or estimates of what they would cost. One `gordian graph`, too: what tests read
// and write.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/front_end.h"
#include "base/result.h"
#include "detect/detect.h"
#include "model/report_facts.h"

namespace gordian {

class DetectSession {
 public:
  /// `db` empty: nothing is read or stored. The front end must outlive the session.
  static Result<DetectSession> open(DetectRequest request, const std::string& db,
                                    FrontEnd& front_end);
  DetectSession(DetectSession&&) noexcept;
  ~DetectSession();

  struct Found {
    DetectFacts facts;
    std::vector<Error> troubles;  ///< of storing and explaining what was found
  };
  /// `explain`: also finds the state behind each dependence, in what the search has left of its
  /// budget, but never in no time at all.
  Result<Found> search(const Target& target, bool explain);

  Result<EstimateFacts> estimate(const Target& target, const std::vector<AskedSearch>& asked);

  Result<GraphFacts> graph(const Target& target);

  /// What `gordian report` would tell now; of searches that were not stored, what they have told
  /// themselves.
  Result<ReportFacts> report(const std::vector<Found>& all) const;

 private:
  struct Stores;
  DetectSession(DetectRequest request, std::string db, FrontEnd& front_end);

  Status keep(DetectFacts& facts);
  Status explain(DetectFacts& facts);

  DetectRequest request_;
  std::string db_;
  FrontEnd& front_end_;
  std::unique_ptr<Stores> stores_;
};

}  // namespace gordian
