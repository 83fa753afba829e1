// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "coverage/coverage_flags.h"

namespace gordian {

std::vector<std::string> coverage_compile_flags(bool clang) {
  // Atomic, or counts of threads get lost: then blocks seem not to have run.
  if (clang) {
    return {"-fprofile-instr-generate", "-fcoverage-mapping", "-fprofile-update=atomic"};
  }
  return {"--coverage", "-fprofile-update=atomic"};
}

std::vector<std::string> coverage_link_flags(bool clang) {
  return {clang ? "-fprofile-instr-generate" : "--coverage"};
}

}  // namespace gordian
