// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/state_key.h"

#include <array>

#include "model/state_kinds.h"

namespace gordian {

StateKey::StateKey(CarrierKind kind, std::string_view text)
    : kind_(kind), detail_(row_of(kind).parse(text)) {}

const std::string& StateKey::name() const {
  static const std::string none;
  const auto* named = as<NameKey>();
  return named != nullptr ? named->name : none;
}

std::string StateKey::text() const {
  const auto* named = as<NameKey>();
  return named != nullptr ? named->name : row_of(kind_).text(*this);
}

LibraryKey library_key(std::string_view symbol) {
  using Part = LibraryKey::Part;
  const auto has = [symbol](std::string_view part) {
    return symbol.find(part) != std::string_view::npos;
  };
  Part part = Part::symbol;
  if (has("locale")) part = Part::global_locale;
  // drand48() and its kind have a state of their own.
  if (has("rand") && !has("48")) part = Part::random;
  return {part, std::string(symbol)};
}

}  // namespace gordian
