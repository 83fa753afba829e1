// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/explain.h"

namespace gordian {
namespace {

using Set = std::vector<std::size_t>;

Set without(const Set& set, std::size_t begin, std::size_t end) {
  Set rest;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i < begin || i >= end) rest.push_back(set[i]);
  }
  return rest;
}

/// Drops chunks of falling size as long as the rest is enough (delta debugging by complements).
Set reduced(Set set, const TryReset& try_reset) {
  for (std::size_t chunk = (set.size() + 1) / 2; chunk > 0;) {
    bool dropped = false;
    for (std::size_t at = 0; at < set.size() && set.size() > 1;) {
      Set rest = without(set, at, at + chunk);
      auto effect = rest.empty() ? std::optional(ResetEffect::none) : try_reset(rest);
      if (!effect) return set;
      if (*effect == ResetEffect::helped) {
        set = std::move(rest);
        dropped = true;
      } else {
        at += chunk;
      }
    }
    if (chunk == 1 && !dropped) break;
    chunk = chunk == 1 ? 1 : (chunk + 1) / 2;
  }
  return set;
}

}  // namespace

std::vector<std::size_t> minimal_set(std::size_t count, const TryReset& try_reset) {
  Set harmless;
  for (std::size_t i = 0; i < count; ++i) {
    auto effect = try_reset({i});
    if (!effect) return {};
    if (*effect == ResetEffect::helped) return {i};
    if (*effect == ResetEffect::none) harmless.push_back(i);
  }
  if (harmless.size() < 2) return {};
  if (try_reset(harmless) != ResetEffect::helped) return {};
  return reduced(std::move(harmless), try_reset);
}

}  // namespace gordian
