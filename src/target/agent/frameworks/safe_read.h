// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Looking at memory that may not be what we take it for: every answer is "no" instead of a fault.
#pragma once

#include "target/agent/agent.h"

namespace gordian_agent {

/// Copies the target's memory.
bool peek(const void* at, void* out, size_t size);

/// The zero-terminated text at `at`; false when there is none within 64 KiB.
bool peek_text(const char* at, Text* text);

/// Code of the program or of one of its libraries is there.
bool is_code(const void* at);

/// Three pointers that look like a std::vector's; `elements` are of 8 bytes.
struct PointerVector {
  char **begin, **end, **capacity;
};
bool peek_vector(const void* at, PointerVector* vector, size_t* elements);

}  // namespace gordian_agent
