// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Classes of libstdc++ that hold one thing or a few: optional, variant, tuple, pair, the smart
// pointers, atomic, function, durations, complex numbers, adaptors and streams.
#pragma once

#include <optional>
#include <string>

#include "state/containers.h"

namespace gordian {

/// nullopt: none of them.
std::optional<Contents> std_value_contents(const ObjectReader& object);

/// How a stream formats: "hex", "dec, precision 3, fill '0'", and whether it has failed. The
/// addresses of what decides it come along, to be compared.
struct StreamState {
  std::string text;
  std::uint64_t address = 0, size = 0;  ///< of the formatting state, in memory
};
std::optional<StreamState> stream_state(const ObjectReader& object);

/// The same for what is `size` bytes of unknown type, by the layout that libstdc++ has had for
/// streams since GCC 5 on x86-64. nullopt when what lies there cannot be one.
std::optional<StreamState> stream_by_layout(const MemoryImage& image, std::uint64_t address,
                                            std::uint64_t size);

}  // namespace gordian
