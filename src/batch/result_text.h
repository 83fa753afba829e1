// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test's result as its client is told: text as the framework would have printed it, and the
// exit code or signal. Pure functions of facts.
#pragma once

#include <string>
#include <vector>

#include "batch/messages.h"
#include "model/run.h"

namespace gordian::batch {

/// Between the framework's lines for begin and end stands what the test printed. An ending that the
/// framework has no word for (a crash, an exit) gets one of ours. `notices` come first. `binary` is
/// for the command that tells more.
Reply reply_for(const std::string& binary, const Test& test, const TestRun& run,
                const std::vector<Notice>& notices);

}  // namespace gordian::batch
