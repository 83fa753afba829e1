// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/unit.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/StringExtras.h>

namespace gordian::facts {
namespace json = llvm::json;
namespace {

// The statements of a test's body one by one: their text, whether they check something, what they
// do, and which local names they declare and use.

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
    if (!pattern) draft.effects.add(effects_.part(statement));
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

/// `bodies` are instances of one text, or a single function; what any of them does counts.
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

struct Body {
  const clang::FunctionDecl* function = nullptr;
  Framework framework = Framework::gtest;
  std::vector<const clang::FunctionDecl*> instances;  ///< of a typed test
};

/// Bodies by where their macro stands: instances of one template share it.
class BodyVisitor : public clang::RecursiveASTVisitor<BodyVisitor> {
 public:
  explicit BodyVisitor(const Source& source) : source_(source) {}
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    const auto place = function->getLocation();
    if (!function->isThisDeclarationADefinition() || !function->hasBody()) return true;
    if (!place.isMacroID() || !source_.is_users(place)) return true;
    const auto framework = framework_of_body(function);
    if (!framework) return true;
    const Range range = source_.range(place, place);
    Body& body = found[{range.file, range.begin}];
    body.framework = *framework;
    const bool instance = function->isTemplateInstantiation();
    if (instance) body.instances.push_back(function);
    if (body.function == nullptr || !instance) body.function = function;
    return true;
  }

  std::map<std::pair<std::string, std::size_t>, Body> found;

 private:
  const Source& source_;
};

bool is_spelled(clang::SourceLocation open, clang::SourceLocation close) {
  return open.isValid() && close.isValid() && !open.isMacroID() && !close.isMacroID();
}

class TestsWriter {
 public:
  TestsWriter(EffectsOfUnit& effects, const Checks& checks, const Source& source)
      : effects_(effects), checks_(checks), source_(source) {}

  json::Object test(const Body& body) {
    const auto place = body.function->getLocation();
    const Range macro = source_.range(place, place);
    const auto words = macro_words(source_.text(macro));
    const TestName name = test_name(body.framework, body.function, words);
    const auto* fixture = fixture_of(body.framework, body.function);
    if (fixture != nullptr) fixtures_.emplace(explained_name(fixture), fixture);
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body.function->getBody());
    const bool spelled = block != nullptr && is_spelled(block->getLBracLoc(), block->getRBracLoc());
    const bool templated = body.function->isDependentContext() || !body.instances.empty();
    return json::Object{
        {"suite", text_json(name.suite)},
        {"name", text_json(name.name)},
        {"fixture", fixture == nullptr ? "" : text_json(explained_name(fixture))},
        {"macro", range_json(macro)},
        {"body", spelled ? range_json(source_.range(block->getLBracLoc(), block->getRBracLoc()))
                         : json::Value(nullptr)},
        {"spelled", spelled},
        {"template", templated},
        {"statements", spelled ? statements(body) : json::Array()}};
  }

  json::Array fixtures() {
    json::Array result;
    for (const auto& [name, record] : fixtures_) result.push_back(fixture(name, record));
    return result;
  }

 private:
  json::Array statements(const Body& body) {
    std::vector<const clang::FunctionDecl*> all = body.instances;
    if (all.empty()) all.push_back(body.function);
    return statements_json(all, effects_, checks_, source_);
  }

  json::Object fixture(const std::string& name, const clang::CXXRecordDecl* record) {
    const auto braces = record->getBraceRange();
    const bool spelled =
        is_spelled(braces.getBegin(), braces.getEnd()) && source_.is_users(braces.getBegin());
    json::Object object{
        {"name", text_json(name)},
        {"body", spelled ? range_json(source_.range(braces.getBegin(), braces.getEnd()))
                         : json::Value(nullptr)},
        {"spelled", spelled}};
    add_effects(object, effects_.fold(set_up_of(record)));
    return object;
  }

  /// Constructors, and SetUp here or in the nearest base.
  Effects set_up_of(const clang::CXXRecordDecl* record) {
    Effects effects;
    for (const auto* constructor : record->ctors()) {
      if (!constructor->isCopyOrMoveConstructor())
        effects.calls.insert(constructor->getCanonicalDecl());
    }
    for (const auto* at = record; at != nullptr; at = user_base(at)) {
      for (const auto* method : at->methods()) {
        if (method->getIdentifier() == nullptr || !is_set_up(method->getName())) continue;
        effects.calls.insert(method->getCanonicalDecl());
        return effects;
      }
    }
    return effects;
  }

  const clang::CXXRecordDecl* user_base(const clang::CXXRecordDecl* record) {
    for (const auto& base : record->bases()) {
      const auto* found = base.getType()->getAsCXXRecordDecl();
      if (found != nullptr && found->hasDefinition() && source_.is_users(found))
        return found->getDefinition();
    }
    return nullptr;
  }

  EffectsOfUnit& effects_;
  const Checks& checks_;
  const Source& source_;
  std::map<std::string, const clang::CXXRecordDecl*> fixtures_;
};

}  // namespace

TestsJson tests_json(EffectsOfUnit& effects, const Checks& checks, const Source& source) {
  BodyVisitor visitor(source);
  visitor.TraverseDecl(source.context().getTranslationUnitDecl());
  TestsWriter writer(effects, checks, source);
  TestsJson result;
  for (const auto& [place, body] : visitor.found) result.tests.push_back(writer.test(body));
  result.fixtures = writer.fixtures();
  return result;
}

}  // namespace gordian::facts
