// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From a variable to the part of it that matters. A function-local static that the witness itself
// makes has no values from before, so that it is put back as a whole. Behind another test that
// makes it already, the witness changes parts of it only: if it shows the same dependence there,
// the same algorithm finds and proves which.
#pragma once

#include <optional>

#include "explain/explainer.h"
#include "runtime/native/executor.h"

namespace gordian {

/// Empty: no test tried makes the variable and leaves everything else about the dependence as it
/// is, or no part of it was proved. REQUIRES: proved.has_first_use(). Runs the dependent test
/// itself first, then a few others.
std::optional<Explanation> narrowed(Executor& executor, const Dependence& dependence,
                                    const ProvedSet& proved, const ExplainWork& work);

/// The tests worth a try before the witness, the likeliest first.
Order makers_to_try(const Suite& suite, const Dependence& dependence);

}  // namespace gordian
