// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What memory held before the running test wrote to it. At its end, scalars that have their old
// value again get their old writer back: who cleans up after himself has written nothing.
#pragma once

#include <stdint.h>

namespace gordian_trace {

void start_undo();
/// Before the first write of the running test to these bytes of a granule (a bit for each).
void save_granule(uint64_t begin, uint32_t bytes);
/// Gives unchanged scalars back, tells all others as written (record_write), and empties the log.
void settle_writes();

}  // namespace gordian_trace
