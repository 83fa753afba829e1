// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/properties.h"

#include <clang/AST/DeclCXX.h>

#include <algorithm>
#include <map>
#include <optional>

#include "facts/json.h"
#include "facts/names.h"
#include "facts/types.h"
#include "repair/property_names.h"

namespace gordian::facts {
namespace json = llvm::json;
namespace {

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

/// Both need an object, or neither.
bool is_of_object(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  return method != nullptr && !method->isStatic();
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
  json::Array result;
  for (auto& [id, object] : found) result.push_back(std::move(object));
  return result;
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
