// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The process that runs one order; see order_process.h for its moments.
#pragma once

#include "runtime/process/order_process.h"

namespace gordian {

/// Its ends of the channels. Descriptors stay the caller's.
struct KeeperChannels {
  int events = -1;    ///< StepEvent after StepEvent
  int output = -1;    ///< file in memory, for what tests print
  int go = -1;        ///< one byte: on with the next step
  int listener = -1;  ///< socket for seccomp listeners; -1: not watched
  const WatchFilter* filter = nullptr;
  pid_t parent = -1;
};

/// In a fork, for good.
[[noreturn]] void keep_order(const OrderPlan& plan, const KeeperChannels& channels);

}  // namespace gordian
