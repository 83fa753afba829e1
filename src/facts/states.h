// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The states of a unit: variables that outlive a test, with all that a repair asks about them.
#pragma once

#include <clang/AST/Decl.h>
#include <llvm/Support/JSON.h>

#include <set>

#include "facts/source.h"

namespace gordian::facts {

/// Those of the user's files, instances of templates included. Canonical declarations.
std::set<const clang::VarDecl*> states_of_user(const Source& source);

llvm::json::Object state_json(const clang::VarDecl* state, const Source& source);

}  // namespace gordian::facts
