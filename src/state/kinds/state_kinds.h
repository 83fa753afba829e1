// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The table of kinds of state: what everybody has to know of a kind, one row each. How a kind is
// read, compared and put back in a process stands in its row of state/external/.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "state/kinds/state_key.h"

namespace gordian {

/// A guard of gordian_guards.h that puts a state back at the end of a test, or why there is none.
struct StateGuard {
  std::string name;        ///< "ScopedSignal"; empty: see `why_not`
  std::string variable;    ///< what it is named after: "signal"
  std::string argument{};  ///< "SIGUSR1"; empty: it takes none
  std::string include{};   ///< what the argument needs: "<csignal>"
  std::string does{};      ///< empty: "puts ... back"
  std::string reason{};    ///< why this way, or what to know; may be empty
  bool meanwhile = false;  ///< `does` is about the time that the test runs
  std::string why_not{};
};

/// In which list of the ignore file a kind is named.
enum class IgnoreSection : std::uint8_t { none, variables, files, environment };

struct StateKindRow {
  CarrierKind kind;
  std::string_view word;  ///< in databases and --json; once released it stays
  std::string_view noun;  ///< to people: "environment variable"
  /// What a key's text is read back as: a NameKey if it says nothing that is known. Null: always.
  StateDetail (*parse)(std::string_view text) = nullptr;
  std::string_view sole = {};  ///< the text of a SoleKey
  /// Instead of a value; and how a state without an old one is restored: "LANG unset".
  std::string_view absence = "none", restored = "put back";
  bool memory = false;            ///< of the program: variables and what they reach
  bool outlives_process = false;  ///< a later process finds it
  IgnoreSection ignored_in = IgnoreSection::none;
  std::string_view separators = {};  ///< between the name of such a state and those of its parts
  /// Functions that change it, as source code calls them.
  std::span<const std::string_view> setters = {};
  /// In a sentence, with {} for the key's text: "the limit {}". Or a function that knows more.
  std::string_view phrase = "{}";
  std::string (*phrase_of)(const StateKey&) = nullptr;
  /// What puts it back, and what that is named after; or why nothing does, with {} likewise; or a
  /// function that knows more.
  std::string_view guard = {}, guarded = {};
  std::string_view no_guard = "nothing is known of this kind of state";
  StateGuard (*guard_of)(const StateKey&) = nullptr;
};

const StateKindRow& row_of(CarrierKind kind);
/// "the environment variable LANG"
std::string phrase_of(const StateKey& key);
StateGuard guard_of(const StateKey& key);
/// All, in the order of the enumerators.
std::span<const StateKindRow> state_kinds();
/// By the word of its row.
std::optional<CarrierKind> parse_carrier_kind(std::string_view word);

}  // namespace gordian
