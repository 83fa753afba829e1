// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/unit.h"

#include <algorithm>
#include <array>

#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include "repair/function_names.h"

namespace gordian::facts {

namespace json = llvm::json;
namespace {

std::string digest_of(llvm::StringRef content) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(content)), true);
}

/// What was read: the user's files by digest, libraries' by size and time.
json::Array includes_json(const Source& source) {
  std::map<std::string, json::Object> files;
  auto& manager = source.manager();
  for (auto it = manager.fileinfo_begin(); it != manager.fileinfo_end(); ++it) {
    const std::string file = source.absolute(it->first.getName());
    json::Object object{{"file", text_json(file)}};
    const auto id = manager.translateFile(it->first);
    const bool system = id.isValid() && manager.isInSystemHeader(manager.getLocForStartOfFile(id));
    const auto buffer = it->second->getBufferDataIfLoaded();
    if (buffer && !system) {
      object["digest"] = digest_of(*buffer);
    } else {
      object["size"] = static_cast<std::int64_t>(it->first.getSize());
      object["time"] = static_cast<std::int64_t>(it->first.getModificationTime());
    }
    files.emplace(file, std::move(object));
  }
  return values_of(files);
}

class UnitWriter {
 public:
  UnitWriter(clang::ASTContext& context, const Checks& checks,
             const std::vector<std::string>& roots)
      : source_(context, roots),
        checks_(checks),
        effects_(source_),
        states_(states_of_user(source_)) {}

  json::Object write() {
    json::Object unit;
    auto tests = tests_json(effects_, checks_, source_);
    unit["includes"] = includes_json(source_);
    unit["tests"] = std::move(tests.tests);
    unit["fixtures"] = std::move(tests.fixtures);
    unit["accessors"] = accessors_json(effects_, source_);
    unit["reset_functions"] = reset_functions_json(effects_, source_);
    unit["property_functions"] = property_functions_json(effects_, source_);
    unit["functions"] = functions();
    unit["overrides"] = overrides();
    unit["undefined"] = undefined();
    unit["states"] = states();  // after all that may have found some in libraries
    return unit;
  }

 private:
  json::Array functions() {
    std::map<std::string, json::Object> found;
    for (const auto& [function, own] : effects_.functions()) {
      if (!source_.is_users(function)) continue;
      const FoldedEffects folded = effects_.fold(own.own);
      states_.insert(folded.writes.begin(), folded.writes.end());
      for (const auto* called : folded.calls) note(called);
      for (const auto* called : folded.through) note(called);
      json::Object object{{"id", id_of(function)}};
      add_effects(object, folded);
      object["gives"] = states_json(own.gives.states);
      std::set<const clang::FunctionDecl*> gives_of;
      for (const auto* inner : own.gives.functions) gives_of.insert(inner->getCanonicalDecl());
      object["gives_of"] = functions_json(gives_of);
      found.emplace(id_of(function), std::move(object));
    }
    return values_of(found);
  }

  void note(const clang::FunctionDecl* function) {
    if (effects_.functions().count(function) > 0 || function->isImplicit()) return;
    undefined_.emplace(id_of(function), function);
  }

  json::Array overrides() {
    std::set<std::pair<std::string, std::string>> pairs;
    for (const auto& [base, derived] : effects_.overrides()) {
      if (source_.is_users(base)) pairs.emplace(id_of(base), id_of(derived));
    }
    json::Array result;
    for (const auto& [base, derived] : pairs) result.push_back(json::Array{base, derived});
    return result;
  }

  json::Array undefined() {
    json::Array result;
    for (const auto& [id, function] : undefined_) {
      result.push_back(json::Object{{"id", id},
                                    {"name", text_json(explained_name(function))},
                                    {"file", text_json(source_.file_of(function->getLocation()))}});
    }
    return result;
  }

  json::Array states() {
    std::map<std::string, json::Object> found;
    for (const auto* state : states_) {
      auto object = state_json(state, source_);
      found.emplace(id_of(state), std::move(object));
    }
    return values_of(found);
  }

  Source source_;
  const Checks& checks_;
  EffectsOfUnit effects_;
  std::set<const clang::VarDecl*> states_;
  std::map<std::string, const clang::FunctionDecl*> undefined_;
};

template <class Decl>
json::Array ids_json(const std::set<const Decl*>& decls) {
  std::set<std::string> ids;  // their order must not depend on addresses
  for (const auto* decl : decls) ids.insert(id_of(decl));
  ids.erase("");
  return names_json(ids);
}

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

json::Object unit_json(clang::ASTContext& context, const Checks& checks,
                       const std::vector<std::string>& roots) {
  return UnitWriter(context, checks, roots).write();
}

json::Value text_json(const std::string& text) {
  return json::isUTF8(text) ? text : json::fixUTF8(text);
}

json::Array names_json(const std::set<std::string>& names) {
  json::Array result;
  for (const auto& name : names) result.push_back(text_json(name));
  return result;
}

json::Array values_of(std::map<std::string, json::Object>& by_id) {
  json::Array values;
  for (auto& [id, object] : by_id) values.push_back(std::move(object));
  return values;
}

json::Value range_json(const Range& range) {
  if (range.empty()) return nullptr;
  return json::Object{{"file", text_json(range.file)},
                      {"begin", static_cast<std::int64_t>(range.begin)},
                      {"end", static_cast<std::int64_t>(range.end)},
                      {"line", range.line}};
}

json::Array states_json(const std::set<const clang::VarDecl*>& states) {
  return ids_json(states);
}

json::Array functions_json(const std::set<const clang::FunctionDecl*>& functions) {
  return ids_json(functions);
}

void add_effects(json::Object& object, const FoldedEffects& effects) {
  object["writes"] = states_json(effects.writes);
  object["calls"] = functions_json(effects.calls);
  object["through"] = functions_json(effects.through);
  object["outside"] = names_json(effects.outside);
}

llvm::StringRef access_word(clang::AccessSpecifier access) {
  if (access == clang::AS_private) return "closed";
  return access == clang::AS_protected ? "guarded" : "open";
}

std::string header_of(const clang::Decl* decl, const Source& source) {
  for (const auto* one : decl->redecls()) {
    if (!source.in_main_file(one->getLocation())) return source.file_of(one->getLocation());
  }
  return "";
}

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
