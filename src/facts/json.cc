// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/json.h"

namespace gordian::facts {
namespace json = llvm::json;
namespace {

template <class Decl>
json::Array ids_json(const std::set<const Decl*>& decls) {
  std::set<std::string> ids;  // their order must not depend on addresses
  for (const auto* decl : decls) ids.insert(id_of(decl));
  ids.erase("");
  return names_json(ids);
}

}  // namespace

json::Value text_json(const std::string& text) {
  return json::isUTF8(text) ? text : json::fixUTF8(text);
}

json::Array names_json(const std::set<std::string>& names) {
  json::Array result;
  for (const auto& name : names) result.push_back(text_json(name));
  return result;
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

}  // namespace gordian::facts
