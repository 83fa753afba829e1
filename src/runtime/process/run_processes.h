// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// `gordian run` for a build whose tests are processes: runtime/runner.h, with the same
// request and the same facts. With isolation none the order shares one private view, so that
// dependences can show; with any other each test has a view of its own.
#pragma once

#include "base/result.h"
#include "runtime/runner.h"

namespace gordian {

/// REQUIRES: is_process_target(request.target).
Result<RunFacts> run_processes(const RunRequest& request, RunObserver& observer);

}  // namespace gordian
