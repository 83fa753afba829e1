// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Variables of the test framework: which of them tests can notice, and what people call them.
#pragma once

#include <string_view>

#include "model/explanation.h"

namespace gordian {

/// The list of tests and their results: every test changes it, and no test looks at it.
bool is_bookkeeping(std::string_view name);

/// An option of the framework, as people set it.
void call_flag_by_name(Carrier& carrier);

}  // namespace gordian
