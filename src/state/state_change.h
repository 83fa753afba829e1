// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One piece of the program's memory that means something else than before, with its name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/explanation.h"

namespace gordian {

struct ByteRange {
  std::uint64_t begin = 0, size = 0;
  std::uint64_t end() const { return begin + size; }
  bool operator==(const ByteRange&) const = default;
};

struct StateChange {
  Carrier carrier;  ///< kind, name, type, values and declaration are filled in
  ByteRange root;   ///< the variable, in memory
  /// What differs: addresses in the later image. For a changed member or element its own bytes; for
  /// a container that grew, its bookkeeping. The likeliest to be read first come first.
  std::vector<ByteRange> words;
  /// Where the same lies in the earlier image, one for one.
  std::vector<ByteRange> old_words;
  /// The value, container or pointer as a whole, in the later and in the earlier image.
  ByteRange object, old_object;
  /// Set by the first use of a local static, or of what only a guard protects.
  bool first_use = false;
};

}  // namespace gordian
