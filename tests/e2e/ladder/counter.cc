// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "counter.h"

namespace {
int calls = 0;
}

void count_call() {
  ++calls;
}

int call_count() {
  return calls;
}
