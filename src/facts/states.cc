// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/unit.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>
#include <array>

#include "facts/effects.h"
#include "facts/frameworks.h"
#include "facts/source.h"
#include "repair/function_names.h"

namespace gordian::facts {
namespace json = llvm::json;
namespace {

/// Variables that frameworks' macros make to register a test.
bool is_registration(const clang::VarDecl* variable) {
  if (!variable->getLocation().isMacroID() || variable->getIdentifier() == nullptr) return false;
  constexpr std::array<llvm::StringRef, 6> kBegins = {
      "gtest_", "DOCTEST_ANON", "_DOCTEST_ANON", "autoRegistrar", "test_info_", "Catch"};
  constexpr std::array<llvm::StringRef, 6> kParts = {"C_A_T_C_H_", "CATCH2_INTERNAL", "_registrar",
                                                     "TestShell",  "_Installer",      "dummy_"};
  const llvm::StringRef name = variable->getName();
  return std::any_of(kBegins.begin(), kBegins.end(),
                     [&](auto begin) { return name.starts_with(begin); }) ||
         std::any_of(kParts.begin(), kParts.end(), [&](auto part) { return name.contains(part); });
}

class StatesVisitor : public clang::RecursiveASTVisitor<StatesVisitor> {
 public:
  explicit StatesVisitor(const Source& source) : source_(source) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitVarDecl(clang::VarDecl* variable) {
    if (is_state(variable) && source_.is_users(variable) && !is_registration(variable) &&
        !variable->isImplicit())
      found.insert(variable->getCanonicalDecl());
    return true;
  }

  std::set<const clang::VarDecl*> found;

 private:
  const Source& source_;
};

llvm::StringRef kind_word(const clang::VarDecl* state) {
  if (state->isStaticLocal()) return "local_static";
  return state->isStaticDataMember() ? "class_static" : "global";
}

std::string owner_of(const clang::VarDecl* state) {
  const auto* context =
      state->isStaticLocal() ? state->getParentFunctionOrMethod() : state->getDeclContext();
  if (const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(context))
    return explained_name(function);
  const auto* record = llvm::dyn_cast_or_null<clang::RecordDecl>(context);
  if (record == nullptr) return "";
  const std::string whole = explained_name(state);
  const std::size_t tail = state->getNameAsString().size() + 2;
  return whole.size() > tail ? whole.substr(0, whole.size() - tail) : "";
}

/// `T x;` of a class has a constructor call without any text of its own; the text of `T x(a)`
/// begins with the name.
std::string initializer_of(const clang::VarDecl* state, const Source& source) {
  const auto* initializer = state->getAnyInitializer();
  if (initializer == nullptr) return "";
  std::string text =
      source.text(source.range(initializer->getBeginLoc(), initializer->getEndLoc()));
  const std::string name = state->getNameAsString();
  if (!llvm::StringRef(text).starts_with(name)) return text;
  const std::string rest = text.substr(name.size());
  return rest.empty() || rest[0] == '(' || rest[0] == '{' ? rest : text;
}

json::Array members_json(const clang::CXXRecordDecl* record, const Source& source) {
  json::Array members;
  if (record == nullptr || record->isInStdNamespace()) return members;
  for (const auto* field : record->fields()) {
    const bool copyable =
        is_copyable(field->getType(), source.context()) && !field->getType().isConstQualified();
    members.push_back(json::Object{{"name", field->getNameAsString()},
                                   {"type", written_type(field->getType(), source.context())},
                                   {"access", access_word(field->getAccess())},
                                   {"copyable", copyable}});
  }
  return members;
}

/// Methods that look as if they would put an object back; the best first.
json::Array reset_methods(const clang::CXXRecordDecl* record) {
  std::vector<std::pair<int, const clang::CXXMethodDecl*>> found;
  if (record == nullptr || record->isInStdNamespace()) return {};
  for (const auto* method : record->methods()) {
    if (method->getIdentifier() == nullptr || method->isConst() || method->isStatic()) continue;
    if (const int score = reset_score(method->getName())) found.emplace_back(score, method);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  json::Array methods;
  for (const auto& [score, method] : found) {
    methods.push_back(json::Object{{"name", method->getNameAsString()},
                                   {"access", access_word(method->getAccess())},
                                   {"parameters", method->getMinRequiredArguments() > 0}});
  }
  return methods;
}

void add_type(json::Object& object, clang::QualType type, const Source& source) {
  const auto& context = source.context();
  const auto pointee = pointee_of(type);
  const auto* record = class_of(pointee.isNull() ? type : pointee);
  object["type"] = text_json(written_type(type, context));
  object["copyable"] = is_copyable(type, context) && !type.isConstQualified();
  object["default_constructible"] =
      is_default_constructible(pointee.isNull() ? type : pointee, context);
  object["shallow"] = is_shallow(type);
  object["pointee"] = pointee.isNull() ? "" : text_json(written_type(pointee, context));
  object["members"] = members_json(record, source);
  object["reset_methods"] = reset_methods(record);
  object["property_methods"] = property_methods_json(record, source);
}

}  // namespace

std::set<const clang::VarDecl*> states_of_user(const Source& source) {
  StatesVisitor visitor(source);
  visitor.TraverseDecl(source.context().getTranslationUnitDecl());
  return std::move(visitor.found);
}

json::Object state_json(const clang::VarDecl* state, const Source& source) {
  const clang::VarDecl* definition = state->getDefinition();
  if (definition == nullptr) definition = state->getActingDefinition();
  const clang::VarDecl* best = definition != nullptr ? definition : state;
  json::Object object{
      {"id", id_of(state)},
      {"name", text_json(explained_name(state))},
      {"expression", text_json(written_name(state))},
      {"kind", kind_word(state)},
      {"thread_local", state->getTLSKind() != clang::VarDecl::TLS_None},
      {"internal", !state->isExternallyVisible() && !state->isStaticLocal()},
      {"const", is_frozen(best->getType(), source.context())},
      {"access", access_word(state->getAccess())},
      {"owner", text_json(owner_of(state))},
      {"defined", definition != nullptr},
      {"file", text_json(source.file_of(best->getLocation()))},
      {"line", source.line_of(best->getLocation())},
      {"header", text_json(state->isStaticLocal() ? "" : header_of(state, source))},
      {"initializer", text_json(initializer_of(best, source))},
  };
  add_type(object, best->getType(), source);
  return object;
}

}  // namespace gordian::facts
