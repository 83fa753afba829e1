// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Power of a runtime: the state that carries a dependence, found, put back and proved. How this is
// done is told where it is done (explain/).
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/dependence.h"
#include "model/explanation.h"

namespace gordian {

struct ExplainOptions {
  int proofs = 3;  ///< runs that must agree
  bool sites = true;
  std::chrono::milliseconds budget{0};  ///< for all of them; 0 = none
};

class ExplainListener {
 public:
  virtual ~ExplainListener() = default;
  /// What is done now, for a line on the screen: "comparing state", "resetting g_x", ...
  virtual void step(const Dependence& dependence, std::string_view what) = 0;
  virtual void explained(const Dependence& dependence, const Explanation& explanation) = 0;
};

}  // namespace gordian
