// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// repair() with the ladder of strategies.h.
#include "repair/repair.h"

namespace gordian {

Result<RepairResult> repair(const Suite& suite, const std::vector<KnownDependence>& dependences,
                            Workspace& workspace, const FactsOf& facts_of,
                            const RepairOptions& options, RepairListener& listener) {
  return repair(suite, dependences, workspace, facts_of, options, listener,
                {propose, propose_for_all});
}

}  // namespace gordian
