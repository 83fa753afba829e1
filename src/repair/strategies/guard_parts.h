// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Pieces that several strategies build their guards from.
#pragma once

#include <string>

#include "repair/strategies/guard.h"
#include "repair/strategies/reach.h"

namespace gordian::strategies {

/// "restore_level" for any expression or name.
std::string guard_variable(const std::string& verb, const std::string& expression);

/// A guard of class `name` for the expression, with what `way` needs around it.
Guard guard_on(const std::string& name, const Reach& way, const std::string& expression,
               const std::string& type);

/// The state is no variable that source code can name: why not, for strategies that need one.
std::string why_no_variable(const Subject& subject);

}  // namespace gordian::strategies
