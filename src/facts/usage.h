// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Is an object changed by the expression around it? Decided by climbing from where it is named to
// what is done with it. In doubt the answer is yes: facts say what *may* be written.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

namespace gordian::facts {

/// `object` names it, or is a call that gives a reference or a pointer to it.
/// A local reference or pointer that is bound to it, and a return statement that hands it out, are
/// no change by themselves: whoever uses these answers for it.
bool may_change(const clang::Expr* object, clang::ASTContext& context);

/// The frameworks' own functions look at what they are given, whatever their parameters say.
bool is_frameworks(const clang::Decl* decl);

}  // namespace gordian::facts
