// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The one way in which an outcome leaves this process and comes back: to the database, to the
// process in a private copy, and to whoever reads our public JSON. Whoever sends one may be wrong
// or hostile: what comes back is checked, here and nowhere else.
//
// The forms differ in what they leave out, not in what a part means:
//   fields  columns of the database; all others are made of them
//   JSON    every part, by name; a word when there is nothing but its kind, as of nearly every pass
//   public  what --json and pages show; what does not apply is null
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

#include "base/result.h"
#include "model/outcome.h"

namespace gordian {

/// An outcome as text and numbers. Views into the outcome that it was made of.
struct OutcomeFields {
  std::string_view kind;  ///< its word
  std::string_view file;
  std::int64_t line = 0;
  std::string_view message;
  std::int64_t signal = 0, exit_code = 0;
  bool in_tear_down = false;
};

OutcomeFields fields_of(const Outcome& outcome);
/// An error for a word that is none and for a number that no outcome can have.
Result<Outcome> outcome_of(const OutcomeFields& fields);

/// Always an object with every part.
nlohmann::json to_json(const Outcome& outcome);
/// A word if that is all there is to say.
nlohmann::json to_short_json(const Outcome& outcome);
/// Of either form. `in_tear_down` may be missing: files of early versions have none.
Result<Outcome> outcome_from_json(const nlohmann::json& value);

/// {"outcome": "fail", "file": ..., "line": ..., "message": ..., "signal": ..., "signal_name": ...,
/// "exit_code": ...}: public and versioned, see report/json.h.
nlohmann::json to_public_json(const Outcome& outcome);

/// In public JSON. null: it is empty; it is not known.
nlohmann::json text_or_null(const std::string& text);
nlohmann::json line_or_null(int line);

/// "SIGSEGV", "SIGRTMIN+3", "signal 200".
std::string signal_name(int signal);

}  // namespace gordian
