// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app.h"

#include <cstdlib>

namespace app {
namespace {
int warnings = 0;
thread_local int last_error{7};
std::unique_ptr<Profile> current = std::make_unique<Profile>();
}  // namespace

int verbosity = 2;
int Session::open_ = 0;
const int kLimits[2] = {1, 2};

Cache& Cache::get() {
  static Cache cache;
  return cache;
}

Profile* profile() {
  return current.get();
}

void set_verbosity(int level) {
  verbosity = level;
  setenv("APP_VERBOSITY", "x", 1);
}

int warn() {
  last_error = kLimits[0];
  return ++warnings;
}

}  // namespace app
