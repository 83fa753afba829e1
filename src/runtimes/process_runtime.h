// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Builds, each of whose ctest tests is one test: a process with a private view of the file system.
#pragma once

#include "runtime/runtime.h"

namespace gordian {

const Runtime& process_runtime();

}  // namespace gordian
