// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What can be done with a value of a type: copied, made anew, or only pointed at. An answer is
// what the declarations say; the compiler of the project has the last word.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace gordian::facts {

/// The complete class of this type; null for others.
const clang::CXXRecordDecl* class_of(clang::QualType type);

/// Copy construction and assignment; of an array its elements.
bool is_copyable(clang::QualType type, const clang::ASTContext& context);
bool is_default_constructible(clang::QualType type, const clang::ASTContext& context);
/// Does a copy share what can still be changed through it?
bool is_shallow(clang::QualType type);
/// What a raw or smart pointer points to; null for others.
clang::QualType pointee_of(clang::QualType type);
/// const all through: nothing in it can be changed.
bool is_frozen(clang::QualType type, const clang::ASTContext& context);

}  // namespace gordian::facts
