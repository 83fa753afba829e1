// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/tests.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <map>

#include "facts/frameworks.h"
#include "facts/json.h"
#include "facts/names.h"
#include "facts/statements.h"

namespace gordian::facts {
namespace json = llvm::json;
namespace {

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
