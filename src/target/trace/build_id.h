// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#pragma once

#include <stdint.h>

namespace gordian_trace {

/// Of the running executable; returns its size, 0 when it has none (or a longer one).
uint32_t read_build_id(uint8_t* to, uint32_t most);

}  // namespace gordian_trace
