// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Times as people write them.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"

namespace gordian {

/// "1500ms", "2s", "1.5m", "0" (none); a bare number is seconds.
Result<std::chrono::milliseconds> parse_duration(const std::string& text);

}  // namespace gordian
