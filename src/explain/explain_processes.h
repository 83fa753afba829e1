// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// explain() for a build whose tests are processes. The witness runs once under trace/external: what
// its last test reads and an earlier one has written are the candidates. Then it runs again with a
// candidate put back to what it was before the first test: the one whose reset gives the result
// that the test has alone is the carrier, proved. A peer cannot be put back and stays a suspect.
#pragma once

#include <vector>

#include "base/result.h"
#include "explain/explain.h"
#include "model/target.h"

namespace gordian {

Result<std::vector<Explanation>> explain_processes(const Target& target,
                                                   const std::vector<Dependence>& dependences,
                                                   const ExecutorOptions& engine,
                                                   const ExplainOptions& options,
                                                   ExplainListener& listener);

}  // namespace gordian
