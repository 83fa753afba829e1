// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What is told about the running test, kept until it ends and then written to the file of this
// process (wire/trace_file.h).
#pragma once

#include <stdint.h>

#include "target/trace/blocks.h"
#include "wire/trace_file.h"

namespace gordian_trace {

void start_records();
void record_read(uint64_t address, uint32_t size, Lane writer, uint64_t pc);
void record_write(uint64_t address, uint64_t size, const FoundBlock& in);
/// A block that the running test has allocated: told as written if it is still there at the end.
void note_allocation(uint64_t begin);
/// Something was not recorded: a table is full.
void note_loss();

// What memory held before the running test wrote to it. At its end, scalars that have their old
// value again get their old writer back: who cleans up after himself has written nothing.

void start_undo();
/// Before the first write of the running test to these bytes of a granule (a bit for each).
void save_granule(uint64_t begin, uint32_t bytes);
/// Gives unchanged scalars back, tells all others as written (record_write), and empties the log.
void settle_writes();

// Environment variables: which of them the running test has asked for without having set them
// itself, and which have another value when it ends. They are memory, but of libc, which changes
// and reads them in its own code.

/// As getenv(), for ourselves: is not told.
const char* variable(const char* name);

void start_environment();
/// What variables hold now is what the test that begins finds.
void begin_environment();
/// Compares with that: variables that differ are told as written.
void end_environment();

/// The program looks at `environ` itself: may read any of them. True: that is what is there.
bool is_environ(uint64_t address);
void environ_read(uint64_t pc);

/// What is told of the running test.
struct Variables {
  const gordian_wire::TraceVariable* all;
  uint32_t count;
  const char* names;
  uint32_t names_size;
};
Variables told_variables();

}  // namespace gordian_trace

/// The agent calls it between tests: from here on the process runs for this one. -1: no more.
GORDIAN_TRACE_ABI void gordian_trace_test(int32_t test);
