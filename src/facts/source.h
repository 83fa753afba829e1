// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The translation unit that is being read, and the small questions everybody asks of it: where
// something stands in a file, what its text is, and whether it is the user's or a library's.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Type.h>
#include <clang/Basic/SourceManager.h>

namespace gordian::facts {

struct Range {
  std::string file;  ///< absolute; empty: in no file
  std::size_t begin = 0, end = 0;
  int line = 0;

  bool empty() const { return file.empty(); }
};

class Source {
 public:
  /// Files below one of `roots` are the user's; without roots, all but system headers.
  Source(clang::ASTContext& context, const std::vector<std::string>& roots);

  clang::ASTContext& context() const { return context_; }
  clang::SourceManager& manager() const { return manager_; }

  /// Absolute, without "." and "..", links kept: as the compiler was told.
  std::string file_of(clang::SourceLocation location) const;
  std::string absolute(llvm::StringRef path) const;
  int line_of(clang::SourceLocation location) const;
  bool in_main_file(clang::SourceLocation location) const;

  /// From the first token to the last, as the file has them: whole macros, never their insides.
  Range range(clang::SourceLocation first, clang::SourceLocation last) const;
  std::string text(const Range& range) const;
  /// The contents of the file that holds this place.
  llvm::StringRef contents(clang::SourceLocation location) const;

  bool is_users(const clang::Decl* decl) const { return is_users(decl->getLocation()); }
  bool is_users(clang::SourceLocation location) const;

 private:
  clang::ASTContext& context_;
  clang::SourceManager& manager_;
  const std::vector<std::string>& roots_;
};

/// The same for all declarations of one thing, over all units.
std::string id_of(const clang::Decl* decl);

// What can be done with a value of a type: copied, made anew, or only pointed at. An answer is
// what the declarations say; the compiler of the project has the last word.

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

// Names in two manners: as explanations have them, which take them from debug information
// ("app::Cache::get()::cache": no anonymous namespaces, no parameters), and as one can write them
// anywhere in a program ("::app::Cache").

/// "app::f()::count", "Pool<int>::used": of a variable or a function (without its "()").
std::string explained_name(const clang::NamedDecl* decl);

/// "::app::Cache": with its scopes, as it can be written at namespace scope; empty for what has no
/// name there: types of functions, closures.
std::string written_type(clang::QualType type, const clang::ASTContext& context);

/// "::app::verbosity", "::Session::open_"; empty for what is local to a function.
std::string written_name(const clang::NamedDecl* decl);

}  // namespace gordian::facts
