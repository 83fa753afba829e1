// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Functions that lead to states from outside, and functions that may bring them back.
#pragma once

#include <llvm/Support/JSON.h>

#include "facts/effects.h"
#include "facts/source.h"

namespace gordian::facts {

/// Functions that can be called as they are and give a reference or pointer to one state.
llvm::json::Array accessors_json(const EffectsOfUnit& effects, const Source& source);

/// Functions and static methods whose names promise a reset. Whether they write a state, and which
/// one, is for whoever knows all units.
llvm::json::Array reset_functions_json(const EffectsOfUnit& effects, const Source& source);

}  // namespace gordian::facts
