// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A number that knows what it counts: a TestId cannot be passed where a RunId is wanted.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>

namespace gordian {

template <class Tag, class Rep>
class StrongId {
 public:
  using rep = Rep;
  constexpr StrongId() = default;
  constexpr explicit StrongId(Rep value) : value_(value) {}
  constexpr Rep value() const { return value_; }
  friend constexpr auto operator<=>(StrongId, StrongId) = default;

 private:
  Rep value_{};
};

}  // namespace gordian

template <class Tag, class Rep>
struct std::hash<gordian::StrongId<Tag, Rep>> {
  std::size_t operator()(gordian::StrongId<Tag, Rep> id) const noexcept {
    return std::hash<Rep>{}(id.value());
  }
};
