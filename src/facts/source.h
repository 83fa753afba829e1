// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The translation unit that is being read, and the small questions everybody asks of it: where
// something stands in a file, what its text is, and whether it is the user's or a library's.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

#include <cstddef>
#include <string>
#include <vector>

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

  bool is_users(const clang::Decl* decl) const;
  bool is_users(clang::SourceLocation location) const;

 private:
  clang::ASTContext& context_;
  clang::SourceManager& manager_;
  const std::vector<std::string>& roots_;
};

/// The same for all declarations of one thing, over all units.
std::string id_of(const clang::Decl* decl);

}  // namespace gordian::facts
