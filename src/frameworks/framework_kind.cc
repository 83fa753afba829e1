// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "frameworks/framework_kind.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace gordian {
namespace {

constexpr std::uint64_t kVtableHead = 16;

}  // namespace

std::span<const FrameworkKind* const> framework_kinds() {
  static const std::array kAll = {&gtest_kind(), &catch2_kind(), &doctest_kind(), &boost_kind(),
                                  &cpputest_kind()};
  return kAll;
}

const FrameworkKind& kind_of(Framework framework) {
  auto all = framework_kinds();
  auto found = std::find_if(all.begin(), all.end(), [framework](const FrameworkKind* kind) {
    return kind->framework == framework;
  });
  GORDIAN_CHECK(found != all.end());
  return **found;
}

std::uint64_t address(const std::optional<Symbol>& symbol) {
  return symbol ? symbol->vaddr : 0;
}

std::uint64_t vptr_value(const std::optional<Symbol>& vtable) {
  return vtable && vtable->size > kVtableHead ? vtable->vaddr + kVtableHead : 0;
}

std::uint32_t vtable_slots(const std::optional<Symbol>& vtable) {
  if (!vtable || vtable->size <= kVtableHead) return 0;
  return static_cast<std::uint32_t>((vtable->size - kVtableHead) / 8);
}

}  // namespace gordian
