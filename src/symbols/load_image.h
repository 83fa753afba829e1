// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How much memory a module takes when it is loaded, zeroed data included: the mappings of a process
// do not say where that ends, because the kernel joins it with whatever lies behind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gordian {

/// The end of its last loaded page, as linked. nullopt when the file cannot be read.
std::optional<std::uint64_t> image_end(const std::string& path);

}  // namespace gordian
