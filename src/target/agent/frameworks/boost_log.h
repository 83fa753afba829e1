// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What Boost.Test writes to its log about the check that fails. Its observers hear only *that* one
// failed; where and why goes to the formatters, whose virtual functions we listen to.
#pragma once

#include "target/agent/agent.h"

namespace gordian_agent {

/// Listens to the formatters that are there now, the program's own included. May be called again.
/// `log`: the program's unit_test_log.
void listen_to_formatters(void* log);

struct BoostEntry {
  Text file;
  int line;
  Text message;
};
/// The last entry of an error, and forgets it. Empty when the log's level hides errors.
BoostEntry take_error_entry();

/// Where the program had passed a check or a checkpoint before an exception came.
BoostEntry take_checkpoint();

}  // namespace gordian_agent
