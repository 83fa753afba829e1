// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Programs with a test framework inside: driven by the agent, or by the framework's own flags.
#pragma once

#include "runtime/runtime.h"

namespace gordian {

const Runtime& native_runtime();

}  // namespace gordian
