// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Environment variables: which of them the running test has asked for without having set them
// itself, and which have another value when it ends. They are memory, but of libc, which changes
// and reads them in its own code.
#pragma once

#include "target/trace/shadow.h"
#include "wire/trace_file.h"

namespace gordian_trace {

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
