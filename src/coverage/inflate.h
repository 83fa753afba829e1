// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What was made small with zlib or gzip.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gordian {

/// nullopt: it is damaged, cut off, or longer than `most`.
std::optional<std::string> inflated(std::string_view bytes,
                                    std::size_t most = std::size_t{1} << 30);

}  // namespace gordian
