// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What works here and what does not, found out by trying, with the price of each missing thing.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/target.h"

namespace gordian {

struct DoctorFinding {
  enum class State { good, limit, bad } state = State::good;
  std::string what;  ///< "private files"
  std::string text;  ///< what was found
  std::string cost;  ///< what its lack costs, and what to do; empty when all is well
};

std::vector<DoctorFinding> examine_machine();
/// Starts the binary to the state before its first test. Errors: it is none that we could run.
Result<std::vector<DoctorFinding>> examine_binary(const Target& target);

}  // namespace gordian
