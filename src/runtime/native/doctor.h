// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What works here and what does not, found out by trying, with the price of each missing thing.
#pragma once

#include <vector>

#include "base/result.h"
#include "model/target.h"
#include "runtime/powers.h"

namespace gordian {

std::vector<DoctorFinding> examine_machine();
/// Starts the binary to the state before its first test. Errors: it is none that we could run.
Result<std::vector<DoctorFinding>> examine_binary(const Target& target);

}  // namespace gordian
