// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What is told about the running test, kept until it ends and then written to the file of this
// process (wire/trace_file.h).
#pragma once

#include "target/trace/blocks.h"

namespace gordian_trace {

void start_records();
void record_read(uint64_t address, uint32_t size, Lane writer, uint64_t pc);
void record_write(uint64_t address, uint64_t size, const FoundBlock& in);
/// A block that the running test has allocated: told as written if it is still there at the end.
void note_allocation(uint64_t begin);
/// Something was not recorded: a table is full.
void note_loss();

}  // namespace gordian_trace

/// The agent calls it between tests: from here on the process runs for this one. -1: no more.
GORDIAN_TRACE_ABI void gordian_trace_test(int32_t test);
