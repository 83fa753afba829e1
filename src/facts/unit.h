// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// All facts of one translation unit as JSON.
#pragma once

#include <clang/AST/ASTContext.h>
#include <llvm/Support/JSON.h>

#include <string>
#include <vector>

#include "facts/macros.h"

namespace gordian::facts {

/// Without "file" and what the parser complained about.
llvm::json::Object unit_json(clang::ASTContext& context, const Checks& checks,
                             const std::vector<std::string>& roots);

}  // namespace gordian::facts
