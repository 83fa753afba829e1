// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The state of a test program, held by the agent: the unmodified binary runs the witness up to its
// last test, where its memory and what it did to the outside are compared (state diff), put back,
// or watched for accesses.
#pragma once

#include <memory>

#include "base/result.h"
#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "runtime/powers.h"

namespace gordian {

/// An error when the binary cannot be driven at all.
Result<std::unique_ptr<StateProber>> native_prober(const Target& target,
                                                   const Inspection& inspection,
                                                   const ExecutorOptions& engine);

}  // namespace gordian
