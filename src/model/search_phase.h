// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The phases of a search: each runs orders of one kind. A word of them is part of the database and
// of the public JSON: once released it stays.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gordian {

enum class PhaseKind : std::uint8_t {
  default_order,      ///< what the expected results come from
  known_dependences,  ///< those of an earlier search, once more
  given_orders,       ///< that the user names
  isolation,
  reversal,
  self,
  random,
  exhaustive,
  aware,
  pairs,
  screen,
  collection,  ///< of what tests read and write
  dataflow,
  dataflow_backwards,
  automatic,  ///< all that `auto` had time for
};

struct PhaseTraits {
  PhaseKind kind;
  std::string_view word;  ///< in the database and in JSON: it never changes
};

inline constexpr std::array<PhaseTraits, 15> kPhases = {{
    {PhaseKind::default_order, "default order"},
    {PhaseKind::known_dependences, "known dependences"},
    {PhaseKind::given_orders, "given orders"},
    {PhaseKind::isolation, "isolation"},
    {PhaseKind::reversal, "reversal"},
    {PhaseKind::self, "self"},
    {PhaseKind::random, "random"},
    {PhaseKind::exhaustive, "exhaustive"},
    {PhaseKind::aware, "aware"},
    {PhaseKind::pairs, "pairs"},
    {PhaseKind::screen, "screen"},
    {PhaseKind::collection, "data flow"},
    {PhaseKind::dataflow, "dataflow"},
    {PhaseKind::dataflow_backwards, "dataflow backwards"},
    {PhaseKind::automatic, "auto"},
}};

/// "default order", "isolation", "data flow", ...
std::string_view to_string(PhaseKind kind);

/// What a later search recognises a phase by: the kind, and whatever else decides which orders it
/// has.
struct PhaseKey {
  PhaseKind kind = PhaseKind::automatic;
  std::string parameters{};  ///< "seed=7 shuffle=both"; none is called k
  int k = 0;                 ///< its orders are of up to so many tests; 0: that is no parameter

  /// "random seed=7 shuffle=both", "aware seen k=2"
  std::string text() const;
  /// nullopt: no version of ours has written that.
  static std::optional<PhaseKey> parse(std::string_view text);

  /// To have been through it is to have been through all orders of k tests; 0: it is not.
  int all_orders_of() const;

  friend bool operator==(const PhaseKey&, const PhaseKey&) = default;
  friend auto operator<=>(const PhaseKey&, const PhaseKey&) = default;
};

}  // namespace gordian
