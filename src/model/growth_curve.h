// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How fast an order covers. The curve says how many units are covered after each test. The rate is
// one number for it: the area below the curve, as a share of the area if the first test covered
// everything that the tests of the order cover together. With statements this is what the
// literature calls APSC, with functions APFC: APFD with "covered first" in place of "fault found
// first". No fault is looked for here, so it must not be read as a number of faults found.
#pragma once

#include <cstddef>
#include <vector>

namespace gordian {

struct GrowthCurve {
  std::vector<std::size_t> covered;  ///< after the first test, the second, ...
  std::size_t units = 0;             ///< of the program, covered or not
  double rate = 0;                   ///< 0 to 1; 0 if nothing is covered

  std::size_t total() const { return covered.empty() ? 0 : covered.back(); }
  /// How many tests it takes to reach this share of what is covered in the end.
  std::size_t tests_to_reach(double share) const;
};

/// The points of a curve to be drawn or printed: at most `most`, the first and last among them.
std::vector<std::size_t> sample_points(std::size_t size, std::size_t most);

}  // namespace gordian
