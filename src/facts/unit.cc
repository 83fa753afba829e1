// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/unit.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include "facts/effects.h"
#include "facts/source.h"

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

}  // namespace

json::Object unit_json(clang::ASTContext& context, const Checks& checks,
                       const std::vector<std::string>& roots) {
  return UnitWriter(context, checks, roots).write();
}

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

}  // namespace gordian::facts
