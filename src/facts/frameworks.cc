// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/frameworks.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>

#include "facts/macros.h"
#include "facts/usage.h"

namespace gordian::facts {
namespace {

bool is_catch2(llvm::StringRef name) {
  return name.contains("C_A_T_C_H_T_E") || name.contains("C_A_T_C_H_C_L_A_S_S") ||
         name.contains("CATCH2_INTERNAL_TE");
}

bool is_doctest(llvm::StringRef name) {
  return name.contains("DOCTEST_ANON_FUNC") || name.contains("DOCTEST_ANON_TMP") ||
         name.contains("DOCTEST_ANON_CLASS");
}

class Literals : public clang::RecursiveASTVisitor<Literals> {
 public:
  bool VisitStringLiteral(clang::StringLiteral* literal) {
    if (literal->isOrdinary()) found.push_back(literal->getString().str());
    return found.size() < 2;
  }
  std::vector<std::string> found;
};

/// GoogleTest keeps what it registered in a static member of the test's class.
std::optional<TestName> registered_name(const clang::CXXRecordDecl* record) {
  for (const auto* decl : record->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (variable == nullptr || variable->getNameAsString() != "test_info_") continue;
    const clang::Expr* initializer = variable->getAnyInitializer();
    if (initializer == nullptr) continue;
    Literals literals;
    literals.TraverseStmt(const_cast<clang::Expr*>(initializer));
    if (literals.found.size() == 2) return TestName{literals.found[0], literals.found[1]};
  }
  return std::nullopt;
}

TestName gtest_name(const clang::FunctionDecl* body, const std::vector<std::string>& words) {
  static constexpr llvm::StringRef kMacros[] = {"TEST",       "TEST_F",       "TEST_P",
                                                "TYPED_TEST", "TYPED_TEST_P", "GTEST_TEST"};
  const bool known =
      std::find(std::begin(kMacros), std::end(kMacros), words[0]) != std::end(kMacros);
  if (known && words.size() >= 3) return {words[1], words[2]};
  const auto* record = llvm::cast<clang::CXXMethodDecl>(body)->getParent();
  if (auto name = registered_name(record)) return *name;
  // Suite_Name_Test, where the suite is the fixture if there is one.
  llvm::StringRef whole = record->getName();
  whole.consume_back("_Test");
  const auto* fixture = fixture_of(Framework::gtest, body);
  if (fixture != nullptr && whole.consume_front(fixture->getName()))
    return {fixture->getNameAsString(), whole.ltrim('_').str()};
  const auto [suite, name] = whole.split('_');
  return {suite.str(), name.str()};
}

/// The title is the first string among the macro's words.
TestName titled(const std::vector<std::string>& words, llvm::StringRef scenario) {
  const auto is_string = [](const std::string& word) {
    return !word.empty() && (word[0] == '"' || llvm::StringRef(word).starts_with("R\""));
  };
  const auto title = std::find_if(words.begin() + 1, words.end(), is_string);
  if (title == words.end()) return {};
  const bool bdd = llvm::StringRef(words[0]).contains("SCENARIO");
  return {"", (bdd ? scenario.str() : "") + literal_value(*title)};
}

/// BOOST_AUTO_TEST_SUITE opens a namespace of that name.
std::string boost_suite(const clang::Decl* decl) {
  std::string path;
  for (const auto* scope = decl->getDeclContext(); scope != nullptr; scope = scope->getParent()) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(scope);
    if (space == nullptr || space->isAnonymousNamespace()) continue;
    path = space->getNameAsString() + (path.empty() ? "" : "/" + path);
  }
  return path;
}

}  // namespace

std::optional<Framework> framework_of_body(const clang::FunctionDecl* function) {
  const std::string name = function->getNameAsString();
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const std::string record = method == nullptr ? "" : method->getParent()->getNameAsString();
  if (method == nullptr || method->isStatic()) {
    if (is_catch2(name)) return Framework::catch2;
    if (is_doctest(name)) return Framework::doctest;
    return std::nullopt;
  }
  if (name == "TestBody" && llvm::StringRef(record).ends_with("_Test")) return Framework::gtest;
  if (name == "test" && is_catch2(record)) return Framework::catch2;
  if (name == "f" && is_doctest(record)) return Framework::doctest;
  if (name == "test_method") return Framework::boost;
  if (name == "testBody" && llvm::StringRef(record).starts_with("TEST_"))
    return Framework::cpputest;
  return std::nullopt;
}

TestName test_name(Framework framework, const clang::FunctionDecl* body,
                   const std::vector<std::string>& words) {
  switch (framework) {
    case Framework::gtest:
      return gtest_name(body, words);
    case Framework::catch2:
      return titled(words, "Scenario: ");
    case Framework::doctest:
      return titled(words, "  Scenario: ");
    case Framework::boost: {
      const auto* record = llvm::cast<clang::CXXMethodDecl>(body)->getParent();
      return {boost_suite(record), record->getNameAsString()};
    }
    case Framework::cpputest:
    case Framework::ctest:
    case Framework::unknown:
      break;
  }
  if (words.size() >= 3) return {words[1], words[2]};
  llvm::StringRef whole = llvm::cast<clang::CXXMethodDecl>(body)->getParent()->getName();
  whole.consume_front("TEST_");
  whole.consume_back("_Test");
  const auto [group, name] = whole.split('_');
  return {group.str(), name.str()};
}

const clang::CXXRecordDecl* fixture_of(Framework, const clang::FunctionDecl* body) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(body);
  const auto* record = method == nullptr ? nullptr : method->getParent()->getDefinition();
  if (record == nullptr) return nullptr;
  for (const auto& base : record->bases()) {
    const auto* found = base.getType()->getAsCXXRecordDecl();
    if (found == nullptr) {
      // TYPED_TEST without any instance: the pattern's base is still a template.
      const auto* special = base.getType()->getAs<clang::TemplateSpecializationType>();
      const auto* named =
          special == nullptr ? nullptr : special->getTemplateName().getAsTemplateDecl();
      const auto* templated = llvm::dyn_cast_or_null<clang::ClassTemplateDecl>(named);
      found = templated == nullptr ? nullptr : templated->getTemplatedDecl();
    }
    if (found == nullptr || is_frameworks(found)) continue;
    if (found->isInStdNamespace() || found->getQualifiedNameAsString() == "testing::Test") continue;
    if (found->getName() == "BOOST_AUTO_TEST_CASE_FIXTURE") continue;
    return found->getDefinition();
  }
  return nullptr;
}

bool is_set_up(llvm::StringRef method) {
  return method == "SetUp" || method == "setup";
}

}  // namespace gordian::facts
