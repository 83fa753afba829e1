// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// By what a function is known as the body of a test, and how the test is called.
#pragma once

#include <clang/AST/DeclCXX.h>

#include <optional>
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

}  // namespace gordian::facts
