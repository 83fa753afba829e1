// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "counter.h"

namespace {
int calls = 0;
}

int count_call() {
  return ++calls;
}
