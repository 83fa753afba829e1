// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A carrier of an explanation, looked up in the facts of the source: the variable it belongs to,
// and the path from there to the piece that changed, as far as source code can spell it.
#pragma once

#include <deque>
#include <string>

#include "model/explanation.h"
#include "repair/source_facts.h"

namespace gordian::strategies {

struct Subject {
  const Carrier* carrier = nullptr;  ///< never null
  const StateFact* state = nullptr;  ///< null: no variable, or an unknown one
  std::string path;                  ///< ".net.retries", "->x", "[3]", or empty: the whole
  bool pointee = false;              ///< "*p": what the variable points to

  /// It lives behind a pointer: a copy of the variable does not save it.
  bool behind_pointer() const;
};

/// Kinds that are memory of the program.
bool is_variable(CarrierKind kind);

/// `made` keeps facts that had to be made up from the explanation alone.
Subject find_subject(const Carrier& carrier, const SourceFacts& facts, std::deque<StateFact>& made);

/// "(anonymous namespace)::x" -> "x": how explanations and people say it.
std::string said_name(std::string_view name);

}  // namespace gordian::strategies
