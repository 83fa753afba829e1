// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What kind of memory an address is in.
#pragma once

#include <stdint.h>

namespace gordian_trace {

/// Of the calling thread, or of the main one: other threads look at that, too.
bool is_on_stack(uint64_t address);
/// In the data of a loaded module, or in its thread-local storage for this thread: can be read.
bool is_static(uint64_t address);
/// Looks which modules are loaded now.
void find_modules();

}  // namespace gordian_trace
