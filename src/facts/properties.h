// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Pairs of functions that read and set one value: `level()` and `set_level(x)`. What a test has set
// can be put back through them without a look at the variable behind.
#pragma once

#include <llvm/Support/JSON.h>

#include "facts/effects.h"
#include "facts/source.h"

namespace gordian::facts {

/// Of functions and static methods, with what the setter does: which state that is, whoever knows
/// all units can tell.
llvm::json::Array property_functions_json(const EffectsOfUnit& effects, const Source& source);

/// Of the methods of a class; `record` may be null.
llvm::json::Array property_methods_json(const clang::CXXRecordDecl* record, const Source& source);

}  // namespace gordian::facts
