// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One thing that `gordian doctor` has tried, on this machine or with a target.
#pragma once

#include <string>

namespace gordian {

struct DoctorFinding {
  enum class State { good, limit, bad } state = State::good;
  std::string what;  ///< "private files"
  std::string text;  ///< what was found
  std::string cost;  ///< what its lack costs, and what to do; empty when all is well
};

}  // namespace gordian
