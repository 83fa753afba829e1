// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/unit.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>
#include <array>

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

bool is_check_name(llvm::StringRef name) {
  constexpr std::array<llvm::StringRef, 15> kBegins = {
      "EXPECT_",     "ASSERT_",  "GTEST_FAIL", "GTEST_SUCCEED", "GTEST_SKIP",
      "ADD_FAILURE", "REQUIRE",  "CHECK",      "WARN",          "BOOST_",
      "CATCH_",      "DOCTEST_", "STATIC_",    "FAIL",          "SUCCEED"};
  constexpr std::array<llvm::StringRef, 8> kEnds = {
      "_EQUAL", "_EQUALS", "_EQUAL_TEXT", "_FALSE", "_TRUE", "_COMPARE", "SKIP", "_CONTAINS"};
  return std::any_of(kBegins.begin(), kBegins.end(),
                     [&](auto begin) { return name.starts_with(begin); }) ||
         std::any_of(kEnds.begin(), kEnds.end(), [&](auto end) { return name.ends_with(end); });
}

/// Names such as CHECK mean something else in other libraries.
bool is_frameworks_file(llvm::StringRef file) {
  constexpr std::array<llvm::StringRef, 6> kParts = {"/gtest/",  "/gmock/",      "/catch",
                                                     "/doctest", "/boost/test/", "/CppUTest/"};
  return std::any_of(kParts.begin(), kParts.end(), [&](auto part) { return file.contains(part); });
}

/// Past the string or character literal that begins here.
std::size_t skip_literal(llvm::StringRef text, std::size_t at) {
  const char quote = text[at];
  if (quote == '"' && at > 0 && text[at - 1] == 'R') {
    const std::size_t open = text.find('(', at);
    if (open == llvm::StringRef::npos) return text.size();
    const std::string close = ")" + text.slice(at + 1, open).str() + "\"";
    const std::size_t end = text.find(close, open);
    return end == llvm::StringRef::npos ? text.size() : end + close.size();
  }
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

char unescaped(char c) {
  constexpr llvm::StringRef kLetters("ntr0"), kValues("\n\t\r\0", 4);
  const std::size_t at = kLetters.find(c);
  return at == llvm::StringRef::npos ? c : kValues[at];
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
  if (framework == Framework::gtest) return gtest_name(body, words);
  if (framework == Framework::catch2) return titled(words, "Scenario: ");
  if (framework == Framework::doctest) return titled(words, "  Scenario: ");
  if (framework == Framework::boost) {
    const auto* record = llvm::cast<clang::CXXMethodDecl>(body)->getParent();
    return {boost_suite(record), record->getNameAsString()};
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

class CheckRecorder : public clang::PPCallbacks {
 public:
  CheckRecorder(Checks& checks, const clang::SourceManager& manager)
      : checks_(checks), manager_(manager) {}

  void MacroExpands(const clang::Token& token, const clang::MacroDefinition& definition,
                    clang::SourceRange, const clang::MacroArgs*) override {
    const auto* name = token.getIdentifierInfo();
    const auto* macro = definition.getMacroInfo();
    if (name == nullptr || macro == nullptr || !is_check_name(name->getName())) return;
    if (!is_frameworks_file(manager_.getFilename(macro->getDefinitionLoc()))) return;
    const auto [file, offset] = manager_.getDecomposedExpansionLoc(token.getLocation());
    checks_.offsets_[file].insert(offset);
  }

 private:
  Checks& checks_;
  const clang::SourceManager& manager_;
};

bool Checks::any_in(clang::FileID file, unsigned begin, unsigned end) const {
  const auto found = offsets_.find(file);
  if (found == offsets_.end()) return false;
  const auto first = found->second.lower_bound(begin);
  return first != found->second.end() && *first < end;
}

std::unique_ptr<clang::PPCallbacks> Checks::recorder(const clang::SourceManager& manager) {
  return std::make_unique<CheckRecorder>(*this, manager);
}

std::vector<std::string> macro_words(llvm::StringRef call) {
  std::vector<std::string> words;
  const std::size_t open = call.find('(');
  words.push_back(call.substr(0, open).trim().str());
  if (open == llvm::StringRef::npos) return words;
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t at = open; at < call.size();) {
    const char c = call[at];
    if (c == '"' || c == '\'') {
      at = skip_literal(call, at);
      continue;
    }
    depth += c == '(' || c == '{' || c == '[';
    depth -= c == ')' || c == '}' || c == ']';
    if ((c == ',' && depth == 1) || depth == 0) {
      words.push_back(call.slice(begin, at).trim().str());
      begin = at + 1;
      if (depth == 0) break;
    }
    ++at;
  }
  return words;
}

std::string literal_value(llvm::StringRef literal) {
  std::string value;
  bool found = false;
  for (std::size_t at = 0; at < literal.size();) {
    if (literal[at] != '"') {
      ++at;
      continue;
    }
    found = true;
    const std::size_t end = skip_literal(literal, at);
    const bool raw = at > 0 && literal[at - 1] == 'R';
    if (raw) {
      const std::size_t open = literal.find('(', at);
      const std::size_t tail = open - at + 1;  // ")delimiter\""
      value += literal.slice(open + 1, end - tail).str();
    } else {
      for (std::size_t i = at + 1; i + 1 < end; ++i) {
        value += literal[i] == '\\' && i + 2 < end ? unescaped(literal[++i]) : literal[i];
      }
    }
    at = end;
  }
  return found ? value : literal.str();
}

bool is_frameworks(const clang::Decl* decl) {
  const clang::NamespaceDecl* outermost = nullptr;
  const clang::NamespaceDecl* second = nullptr;
  for (const auto* scope = decl->getDeclContext(); scope != nullptr; scope = scope->getParent()) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(scope);
    if (space == nullptr || space->isInline() || space->isAnonymousNamespace()) continue;
    second = outermost;
    outermost = space;
  }
  if (outermost == nullptr) return false;
  const llvm::StringRef name = outermost->getName();
  if (name == "Catch" || name == "doctest") return true;
  if (name == "testing") return second != nullptr && second->getName() == "internal";
  return name == "boost" && second != nullptr &&
         (second->getName() == "test_tools" || second->getName() == "unit_test");
}

}  // namespace gordian::facts
