// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Building paths where neither malloc nor stdio may be used.
#pragma once

#include <stddef.h>
#include <string.h>

#include "wire/protocol.h"

namespace gordian_wire {

/// A path or option string of limited length; what does not fit makes it unusable, not shorter.
struct SmallText {
  char data[4 * kMaxPath];
  size_t size;
  bool whole;

  SmallText() : size(0), whole(true) { data[0] = 0; }
  SmallText& operator<<(const char* s) {
    size_t n = strlen(s);
    if (size + n + 1 > sizeof data) {
      whole = false;
      return *this;
    }
    memcpy(data + size, s, n + 1);
    size += n;
    return *this;
  }
  SmallText& operator<<(unsigned value) {
    char digits[12];
    int at = 11;
    digits[at] = 0;
    do {
      digits[--at] = (char)('0' + value % 10);
      value /= 10;
    } while (value);
    return *this << (digits + at);
  }
};

}  // namespace gordian_wire
