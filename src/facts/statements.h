// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The statements of a test's body one by one: their text, whether they check something, what they
// do, and which local names they declare and use.
#pragma once

#include <clang/AST/Decl.h>
#include <llvm/Support/JSON.h>

#include <vector>

#include "facts/effects.h"
#include "facts/macros.h"
#include "facts/source.h"

namespace gordian::facts {

/// `bodies` are instances of one text, or a single function; what any of them does counts.
llvm::json::Array statements_json(const std::vector<const clang::FunctionDecl*>& bodies,
                                  EffectsOfUnit& effects, const Checks& checks,
                                  const Source& source);

}  // namespace gordian::facts
