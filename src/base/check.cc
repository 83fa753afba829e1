// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace gordian {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "gordian: internal error: %s does not hold at %s:%d\n", condition, file,
               line);
  std::abort();
}

}  // namespace gordian
