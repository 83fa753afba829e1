// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The tests of a doctest program in an order that is the same in every process, and their names.
#pragma once

#include "target/agent/frameworks/doctest_layout.h"

namespace gordian_agent {

enum : uint8_t { kAsItIs = 1, kUnskipped = 2 };  // would_run: it passes the filters ...

struct DoctestTest {
  char* test;  // doctest::detail::TestCase
  DoctestBody body;
  Text suite, name, file;
  bool skip;
  uint8_t would_run;
  uint32_t rank;  // how many tests had passed the filters then: --first and --last go by it
};

/// Those that the walk over `sequence` would meet, without fillers, in the order of --order-by (at
/// random is taken as by file). Null when there are not `count` of them.
DoctestTest* note_tests(const DoctestLayout& layout, char** sequence, size_t capacity, size_t count,
                        DoctestOrder order);

/// Moment 4. Two tests may have one name: the second is listed as "name#2".
void list_tests(const DoctestLayout& layout, const DoctestTest* tests, int count);

}  // namespace gordian_agent
