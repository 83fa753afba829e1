// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Statements of one test that set a state, to be repeated elsewhere: the writing ones with the
// declarations they need, without checks. A call inside of a check is kept, the check around it is
// not; of sections and blocks only the statements inside are taken.
#pragma once

#include <string>
#include <vector>

#include "repair/strategies/scene.h"

namespace gordian::strategies {

struct Slice {
  std::vector<std::string> statements;  ///< texts with their semicolons
  bool uses_fixture = false;            ///< they may need members of the test's fixture
  std::string why_not;                  ///< when there are none
  std::vector<std::string> declares{};  ///< local names
};

/// What may write one of the subjects.
Slice writing_slice(const Scene& scene, TestId test, const std::vector<Subject>& set);
/// Every statement but the checks.
Slice whole_slice(const Scene& scene, TestId test);

}  // namespace gordian::strategies
