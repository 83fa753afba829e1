// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From the objects of a --coverage build and their maps (.gcno) to functions whose counters mean
// lines.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "coverage/counted_program.h"
#include "coverage/gcov_objects.h"

namespace gordian {

struct GcovProgram {
  std::vector<CounterArray> arrays;
  std::vector<std::string> data_files;  ///< by CounterArray::object
  std::vector<std::string> notices;
};

/// Reads the map of each object. One that is missing, damaged or of another build is a notice while
/// there are others; an error when there is no other.
Result<GcovProgram> read_gcov_maps(std::span<const GcovObject> objects, CoverUnits& units);

}  // namespace gordian
