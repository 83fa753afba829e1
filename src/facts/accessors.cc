// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/unit.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>

#include "repair/function_names.h"

namespace gordian::facts {
namespace json = llvm::json;
namespace {

/// A method that needs one.
bool is_of_object(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  return method != nullptr && !method->isStatic();
}

/// Callable from anywhere without an object and without arguments.
bool is_callable(const clang::FunctionDecl* function) {
  return !is_of_object(function) && function->getMinRequiredArguments() == 0 &&
         function->getIdentifier() != nullptr;
}

std::string call_text(const clang::FunctionDecl* function) {
  const std::string name = written_name(function);
  if (name.empty() || function->getTemplateSpecializationArgs() != nullptr) return "";
  return name + "()";
}

/// What a return statement hands out of a state: the object, or what a pointer leads to.
struct Given {
  const clang::VarDecl* state = nullptr;
  bool pointee = false;
};

std::optional<Given> given_by(const clang::Expr* value, bool returns_pointer) {
  const clang::Expr* inner = value->IgnoreParenImpCasts();
  if (const auto* clean = llvm::dyn_cast<clang::FullExpr>(inner))
    inner = clean->getSubExpr()->IgnoreParenImpCasts();
  Given given;
  bool address = false;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(inner)) {
    given.pointee = unary->getOpcode() == clang::UO_Deref;
    address = unary->getOpcode() == clang::UO_AddrOf;
    inner = unary->getSubExpr()->IgnoreParenImpCasts();
  } else if (const auto* star = llvm::dyn_cast<clang::CXXOperatorCallExpr>(inner)) {
    given.pointee = star->getOperator() == clang::OO_Star;
    if (given.pointee) inner = star->getArg(0)->IgnoreParenImpCasts();
  } else if (const auto* get = llvm::dyn_cast<clang::CXXMemberCallExpr>(inner)) {
    const auto* method = get->getMethodDecl();
    if (method != nullptr && method->getNameAsString() == "get") {
      given.pointee = true;
      inner = get->getImplicitObjectArgument()->IgnoreParenImpCasts();
    }
  }
  given.pointee |= returns_pointer && !address;
  const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(inner);
  given.state = named == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(named->getDecl());
  if (given.state == nullptr || !is_state(given.state)) return std::nullopt;
  return given;
}

/// What all return statements of one function agree on.
class ReturnVisitor : public clang::RecursiveASTVisitor<ReturnVisitor> {
 public:
  explicit ReturnVisitor(bool returns_pointer) : returns_pointer_(returns_pointer) {}
  bool TraverseLambdaExpr(clang::LambdaExpr*) { return true; }
  bool VisitReturnStmt(clang::ReturnStmt* statement) {
    const auto given = statement->getRetValue() == nullptr
                           ? std::nullopt
                           : given_by(statement->getRetValue(), returns_pointer_);
    agree &= given && (!result || result->state == given->state);
    if (given) result = given;
    return true;
  }
  std::optional<Given> result;
  bool agree = true;

 private:
  bool returns_pointer_;
};

json::Object accessor_json(const clang::FunctionDecl* function, const Given& given,
                           const Source& source) {
  const auto type = function->getReturnType();
  const std::string call = call_text(function);
  return json::Object{{"state", id_of(given.state->getCanonicalDecl())},
                      {"expression", text_json(type->isPointerType() ? "*" + call : call)},
                      {"access", access_word(function->getAccess())},
                      {"gives_const", type->getPointeeType().isConstQualified()},
                      {"pointee", given.pointee},
                      {"header", text_json(header_of(function, source))}};
}

struct Pair {
  const clang::FunctionDecl* get = nullptr;
  const clang::FunctionDecl* set = nullptr;
  clang::QualType value;
};

clang::QualType plain(clang::QualType type) {
  return type.getNonReferenceType().getUnqualifiedType();
}

/// What it takes, if a copy of a value can be handed to it and nothing else is asked for.
std::optional<clang::QualType> taken_by(const clang::FunctionDecl* set, const Source& source) {
  if (set->getIdentifier() == nullptr || set->getNumParams() == 0 ||
      set->getMinRequiredArguments() > 1 || set->getTemplateSpecializationArgs() != nullptr) {
    return std::nullopt;
  }
  const clang::QualType type = set->getParamDecl(0)->getType();
  if (type->isRValueReferenceType() || type->isDependentType()) return std::nullopt;
  if (type->isLValueReferenceType() && !type->getPointeeType().isConstQualified()) {
    return std::nullopt;
  }
  if (!is_copyable(plain(type), source.context())) return std::nullopt;
  return plain(type);
}

bool gives(const clang::FunctionDecl* get, clang::QualType value, const Source& source) {
  return get->getMinRequiredArguments() == 0 && !get->getReturnType()->isVoidType() &&
         get->getTemplateSpecializationArgs() == nullptr &&
         source.context().hasSameType(plain(get->getReturnType()), value);
}

const clang::FunctionDecl* getter_of(const clang::FunctionDecl* set, clang::QualType value,
                                     const Source& source) {
  const clang::DeclContext* scope = set->getDeclContext()->getRedeclContext();
  for (const std::string& name : getter_names(set->getName())) {
    for (const auto* found : scope->lookup(&source.context().Idents.get(name))) {
      const auto* get = llvm::dyn_cast<clang::FunctionDecl>(found);
      if (get != nullptr && is_of_object(get) == is_of_object(set) && gives(get, value, source)) {
        return get;
      }
    }
  }
  return nullptr;
}

std::optional<Pair> pair_of(const clang::FunctionDecl* set, const Source& source) {
  const auto value = taken_by(set, source);
  if (!value) return std::nullopt;
  const auto* get = getter_of(set, *value, source);
  if (get == nullptr) return std::nullopt;
  return Pair{get, set, *value};
}

/// Its name alone stands for it: nothing else is called so, and it takes the value alone.
bool is_unmistakable(const clang::FunctionDecl* set) {
  const auto found = set->getDeclContext()->getRedeclContext()->lookup(set->getDeclName());
  return set->getNumParams() == 1 && std::distance(found.begin(), found.end()) == 1;
}

json::Object pair_json(const Pair& pair, const Source& source) {
  // The narrower one of the two; what is no member at all is as open as can be.
  const auto access =
      std::max(pair.get->getAccess() % clang::AS_none, pair.set->getAccess() % clang::AS_none);
  return json::Object{{"type", text_json(written_type(pair.value, source.context()))},
                      {"access", access_word(static_cast<clang::AccessSpecifier>(access))}};
}

}  // namespace

json::Array accessors_json(const EffectsOfUnit& effects, const Source& source) {
  std::map<std::string, json::Object> found;  // sorted by something stable
  for (const auto& [function, own] : effects.functions()) {
    const auto type = function->getReturnType();
    const clang::FunctionDecl* body = nullptr;
    if (!type->isReferenceType() && !type->isPointerType()) continue;
    if (!source.is_users(function) || !is_callable(function) || !function->hasBody(body)) continue;
    ReturnVisitor visitor(type->isPointerType());
    visitor.TraverseStmt(body->getBody());
    if (!visitor.result || !visitor.agree || call_text(function).empty()) continue;
    found.emplace(id_of(function), accessor_json(function, *visitor.result, source));
  }
  return values_of(found);
}

json::Array reset_functions_json(const EffectsOfUnit& effects, const Source& source) {
  std::map<std::string, json::Object> found;
  for (const auto& [function, own] : effects.functions()) {
    if (function->getIdentifier() == nullptr || is_of_object(function)) continue;
    const int score = reset_score(function->getName());
    const bool foreign = !source.is_users(function);
    // Of libraries only what stands beside a static member, such as gmock's DefaultValue.
    if (score == 0 || function->isInStdNamespace() || is_frameworks(function)) continue;
    if (foreign && !llvm::isa<clang::CXXMethodDecl>(function)) continue;
    const std::string call = call_text(function);
    if (call.empty()) continue;
    json::Object object{{"function", id_of(function)},
                        {"call", text_json(call)},
                        {"score", score},
                        {"access", access_word(function->getAccess())},
                        {"parameters", function->getMinRequiredArguments() > 0},
                        {"header", text_json(header_of(function, source))}};
    add_effects(object, effects.fold(own.own));
    found.emplace(id_of(function), std::move(object));
  }
  return values_of(found);
}

json::Array property_functions_json(const EffectsOfUnit& effects, const Source& source) {
  std::map<std::string, json::Object> found;
  for (const auto& [function, own] : effects.functions()) {
    if (is_of_object(function) || !source.is_users(function)) continue;
    const auto pair = pair_of(function, source);
    if (!pair) continue;
    const std::string get = written_name(pair->get), set = written_name(pair->set);
    if (get.empty() || set.empty()) continue;
    json::Object object = pair_json(*pair, source);
    object["get"] = text_json(get + "()");
    object["set"] = text_json(set);
    object["unmistakable"] = is_unmistakable(pair->set);
    object["header"] = text_json(header_of(pair->set, source));
    add_effects(object, effects.fold(own.own));
    found.emplace(id_of(function), std::move(object));
  }
  return values_of(found);
}

json::Array property_methods_json(const clang::CXXRecordDecl* record, const Source& source) {
  json::Array result;
  if (record == nullptr || record->isInStdNamespace()) return result;
  for (const auto* method : record->methods()) {
    if (method->isStatic() || method->isConst()) continue;
    const auto pair = pair_of(method, source);
    if (!pair) continue;
    json::Object object = pair_json(*pair, source);
    object["get"] = text_json(pair->get->getNameAsString());
    object["set"] = text_json(pair->set->getNameAsString());
    result.push_back(std::move(object));
  }
  return result;
}

}  // namespace gordian::facts
