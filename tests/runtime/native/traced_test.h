// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Tests that trace the program of tests/runtime/native/fixtures/traced.cc, once without and once
// with optimisation.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "runtime/native/tracer.h"
#include "tests/runtime/native/traced_program.h"

namespace gordian {

class TracedTest : public testing::TestWithParam<const char*> {
 protected:
  /// It waits for its letter then, with all threads stopped.
  void start(const char* what) {
    program_.emplace(GetParam(), what);
    auto attached = Tracer::attach(program_->pid());
    ASSERT_TRUE(attached.ok()) << attached.error().message;
    tracer_.emplace(std::move(*attached));
  }

  std::optional<TracedProgram> program_;
  std::optional<Tracer> tracer_;
};

inline auto traced_levels() {
  return testing::Values("O0", "O2");
}
inline std::string level_name(const testing::TestParamInfo<const char*>& level) {
  return level.param;
}

}  // namespace gordian
