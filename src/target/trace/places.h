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

// Address space for tables that grow by being touched. Ends the program with a sentence where the
// system refuses: a traced program that cannot trace must not look like one that found nothing.

void reserve_at(uint64_t address, uint64_t size);
void* reserve(uint64_t size);

}  // namespace gordian_trace
