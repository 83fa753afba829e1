// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What tells the test frameworks apart from the user's code: by what a function is known as the
// body of a test, how the test is called, where checks stand, and which functions are the
// framework's own.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "wire/framework.h"

namespace gordian::facts {

using gordian_wire::Framework;

std::optional<Framework> framework_of_body(const clang::FunctionDecl* function);

struct TestName {
  std::string suite, name;
};

/// `words` are those of the macro that the file spells (macro_words), which may be one of the
/// project: then what the framework's own macro made is asked.
TestName test_name(Framework framework, const clang::FunctionDecl* body,
                   const std::vector<std::string>& words);

/// The class of the user's that the test's own class is derived from; null: none.
const clang::CXXRecordDecl* fixture_of(Framework framework, const clang::FunctionDecl* body);

/// Runs before the body of a test: SetUp, setup.
bool is_set_up(llvm::StringRef method);

/// The frameworks' own functions look at what they are given, whatever their parameters say.
bool is_frameworks(const clang::Decl* decl);

/// Where checks of the frameworks stand: their macros, also inside of macros of the project, noted
/// while the preprocessor expands them.
class Checks {
 public:
  /// Is there a check in this part of a file?
  bool any_in(clang::FileID file, unsigned begin, unsigned end) const;
  std::unique_ptr<clang::PPCallbacks> recorder(const clang::SourceManager& manager);

 private:
  friend class CheckRecorder;
  std::map<clang::FileID, std::set<unsigned>> offsets_;
};

/// "TEST_F(Suite, Name)" -> {"TEST_F", "Suite", "Name"}; strings keep their quotes.
std::vector<std::string> macro_words(llvm::StringRef call);

/// The value of "text" "more text", raw strings too; anything else is given back as it is.
std::string literal_value(llvm::StringRef literal);

}  // namespace gordian::facts
