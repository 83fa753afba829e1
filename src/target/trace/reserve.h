// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Address space for tables that grow by being touched. Ends the program with a sentence where the
// system refuses: a traced program that cannot trace must not look like one that found nothing.
#pragma once

#include <stdint.h>

namespace gordian_trace {

void reserve_at(uint64_t address, uint64_t size);
void* reserve(uint64_t size);

}  // namespace gordian_trace
