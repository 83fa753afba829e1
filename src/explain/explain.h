// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From a witness to its cause, on the unmodified binary:
//   1. run the witness up to its last test and hold it there; compare its state with the state
//      before the witness (state diff);
//   2. run it again with one piece of that state reset each time: the piece whose reset gives the
//      result that the test has alone is the carrier, proved. Several are reduced to a minimal set;
//   3. run it twice more to catch the last write and the first read of it, with their stacks;
//   4. if the carrier is a variable that the witness itself makes, do all this again after a test
//      that makes it, for the part that matters (narrowed()).
// What cannot be proved is called suspected. Single-threaded; blocks.
#pragma once

#include <vector>

#include "base/result.h"
#include "model/dependence.h"
#include "model/explanation.h"
#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "runtime/powers.h"

namespace gordian {

/// One explanation for each dependence, in their order; budget or should_stop leave the last ones
/// with `why_not`. An error when the binary cannot be driven at all.
Result<std::vector<Explanation>> explain(const Target& target, const Inspection& inspection,
                                         const std::vector<Dependence>& dependences,
                                         const ExecutorOptions& engine,
                                         const ExplainOptions& options, ExplainListener& listener);

/// explain() for a build whose tests are processes. The witness runs once under flow/external:
/// what its last test reads and an earlier one has written are the candidates. Then it runs again
/// with a candidate put back to what it was before the first test: the one whose reset gives the
/// result that the test has alone is the carrier, proved. A peer cannot be put back and stays a
/// suspect.
Result<std::vector<Explanation>> explain_processes(const Target& target,
                                                   const std::vector<Dependence>& dependences,
                                                   const ExecutorOptions& engine,
                                                   const ExplainOptions& options,
                                                   ExplainListener& listener);

}  // namespace gordian
