// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Names in two manners: as explanations have them, which take them from debug information
// ("app::Cache::get()::cache": no anonymous namespaces, no parameters), and as one can write them
// anywhere in a program ("::app::Cache").
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Type.h>

#include <string>

namespace gordian::facts {

/// "app::f()::count", "Pool<int>::used": of a variable or a function (without its "()").
std::string explained_name(const clang::NamedDecl* decl);

/// "::app::Cache": with its scopes, as it can be written at namespace scope; empty for what has no
/// name there: types of functions, closures.
std::string written_type(clang::QualType type, const clang::ASTContext& context);

/// "::app::verbosity", "::Session::open_"; empty for what is local to a function.
std::string written_name(const clang::NamedDecl* decl);

}  // namespace gordian::facts
