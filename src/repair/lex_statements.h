// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The statements between two braces.
#pragma once

#include <string>
#include <vector>

#include "repair/lexer.h"
#include "repair/source_facts.h"

namespace gordian {

/// Those of the body itself, in order, with their semicolons; a compound one counts as one. What
/// cannot be told apart (a macro without a semicolon) goes with the statement behind it. `open` is
/// the token of a { that has a partner.
std::vector<StatementFact> lex_statements(const std::string& file, const Code& code,
                                          std::size_t open);

}  // namespace gordian
