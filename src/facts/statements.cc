// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/statements.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/StringExtras.h>

#include <map>

#include "facts/json.h"

namespace gordian::facts {
namespace json = llvm::json;
namespace {

/// Local names that a statement mentions.
class NamesVisitor : public clang::RecursiveASTVisitor<NamesVisitor> {
 public:
  bool shouldVisitImplicitCode() const { return false; }

  bool VisitDeclRefExpr(clang::DeclRefExpr* expression) {
    const auto* value = expression->getDecl();
    if (value->getParentFunctionOrMethod() != nullptr && value->getIdentifier() != nullptr)
      mentioned.insert(value->getName().str());
    return true;
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc type) { return mention_type(type.getDecl()); }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) {
    return mention_type(type.getTypedefNameDecl());
  }
  bool VisitNamedDecl(clang::NamedDecl* decl) {
    if (decl->getIdentifier() != nullptr) declared.insert(decl->getName().str());
    return true;
  }

  std::set<std::string> mentioned, declared;

 private:
  bool mention_type(const clang::NamedDecl* decl) {
    if (decl->getParentFunctionOrMethod() != nullptr && decl->getIdentifier() != nullptr)
      mentioned.insert(decl->getName().str());
    return true;
  }
};

/// Names that later statements of the same block can use.
std::set<std::string> declared_by(const clang::Stmt* statement) {
  std::set<std::string> names;
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
  if (declaration == nullptr) return names;
  for (const auto* decl : declaration->decls()) {
    if (const auto* pieces = llvm::dyn_cast<clang::DecompositionDecl>(decl)) {
      for (const auto* piece : pieces->bindings()) names.insert(piece->getNameAsString());
    } else if (const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl)) {
      if (named->getIdentifier() != nullptr) names.insert(named->getNameAsString());
    }
  }
  return names;
}

/// Where the semicolon behind `at` ends, if one follows; `at` else.
std::size_t past_semicolon(llvm::StringRef text, std::size_t at) {
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == ';') return i + 1;
    const llvm::StringRef rest = text.substr(i);
    if (rest.starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (rest.starts_with("/*")) {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
    } else if (!llvm::isSpace(text[i])) {
      break;
    }
  }
  return at;
}

struct Draft {
  Range range;
  clang::FileID file;
  Effects effects;
  std::set<std::string> declares, uses;
};

class StatementsReader {
 public:
  StatementsReader(EffectsOfUnit& effects, const Source& source)
      : effects_(effects), source_(source) {}

  void read(const clang::FunctionDecl* function) {
    auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(function->getBody());
    if (block == nullptr) return;
    for (auto* statement : block->body()) {
      if (!llvm::isa<clang::NullStmt>(statement)) read(statement, function->isDependentContext());
    }
  }

  /// By where they begin; what a macro makes several of is one.
  const std::map<std::size_t, Draft>& drafts() const { return drafts_; }

 private:
  void read(clang::Stmt* statement, bool pattern) {
    Range range = source_.range(statement->getBeginLoc(), statement->getEndLoc());
    if (range.empty()) return;
    const auto place = source_.manager().getExpansionLoc(statement->getBeginLoc());
    range.end = past_semicolon(source_.contents(place), range.end);
    Draft& draft = place_of(range);
    draft.file = source_.manager().getFileID(place);
    if (!pattern) draft.effects.add(effects_.of(statement));
    NamesVisitor names;
    names.TraverseStmt(statement);
    const auto declares = declared_by(statement);
    draft.declares.insert(declares.begin(), declares.end());
    for (const auto& name : names.mentioned) {
      if (names.declared.count(name) == 0) draft.uses.insert(name);
    }
  }

  Draft& place_of(const Range& range) {
    auto next = drafts_.upper_bound(range.begin);
    if (next != drafts_.begin()) {
      Draft& before = std::prev(next)->second;
      if (range.begin < before.range.end) {
        before.range.end = std::max(before.range.end, range.end);
        return before;
      }
    }
    Draft& draft = drafts_[range.begin];
    draft.range = range;
    return draft;
  }

  EffectsOfUnit& effects_;
  const Source& source_;
  std::map<std::size_t, Draft> drafts_;
};

}  // namespace

json::Array statements_json(const std::vector<const clang::FunctionDecl*>& bodies,
                            EffectsOfUnit& effects, const Checks& checks, const Source& source) {
  StatementsReader reader(effects, source);
  for (const auto* body : bodies) reader.read(body);
  json::Array result;
  for (const auto& [begin, draft] : reader.drafts()) {
    const bool checked = checks.any_in(draft.file, static_cast<unsigned>(draft.range.begin),
                                       static_cast<unsigned>(draft.range.end));
    json::Object object{{"range", range_json(draft.range)},
                        {"assertion", checked},
                        {"declares", names_json(draft.declares)},
                        {"uses", names_json(draft.uses)}};
    add_effects(object, effects.fold(draft.effects));
    result.push_back(std::move(object));
  }
  return result;
}

}  // namespace gordian::facts
