// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <clang/AST/ExprCXX.h>
#include <clang/AST/ParentMapContext.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include "facts/source.h"
#include "facts/unit.h"

namespace gordian::facts {

bool is_state(const clang::VarDecl* variable) {
  if (!variable->hasGlobalStorage() || llvm::isa<clang::ParmVarDecl>(variable)) return false;
  const auto type = variable->getType();
  return !type->isDependentType() && !type->isReferenceType() &&
         !variable->getDeclContext()->isDependentContext();
}

void Effects::add(const Effects& other) {
  writes.insert(other.writes.begin(), other.writes.end());
  calls.insert(other.calls.begin(), other.calls.end());
  through.insert(other.through.begin(), other.through.end());
}

void Targets::add(const Targets& other) {
  states.insert(other.states.begin(), other.states.end());
  functions.insert(other.functions.begin(), other.functions.end());
}

namespace {

const clang::FunctionDecl* callee_of(const clang::Expr* expression) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression);
  return call == nullptr ? nullptr : call->getDirectCallee();
}

/// Hands out a reference or a pointer.
bool gives_access(const clang::FunctionDecl* function) {
  const auto type = function->getReturnType();
  return type->isReferenceType() || type->isPointerType();
}

/// The object that an operator or member of the standard library is called on: *p, p.get(), v[0].
const clang::Expr* object_of(const clang::CallExpr* call) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  if (method == nullptr || !method->getParent()->isInStdNamespace()) return nullptr;
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
    return member->getImplicitObjectArgument();
  return call->getNumArgs() > 0 ? call->getArg(0) : nullptr;
}

const clang::VarDecl* variable_of(const clang::Expr* expression) {
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    return llvm::dyn_cast<clang::VarDecl>(named->getDecl());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression))
    return llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl());
  return nullptr;
}

bool is_plain_c(const clang::FunctionDecl* function) {
  const bool reserved =
      function->getIdentifier() != nullptr && function->getName().starts_with("__");
  return function->isExternC() && !reserved;
}

bool is_stream_of_file(const clang::CXXRecordDecl* record) {
  const auto name = record->getName();
  return record->isInStdNamespace() && (name == "basic_ofstream" || name == "basic_fstream");
}

/// The name by which a reader knows a function of the system or of a library; empty: of no
/// interest. `direct`: the user's code names it, not a template of a library.
std::string outside_name(const clang::FunctionDecl* function, bool direct) {
  if (is_plain_c(function)) return function->getNameAsString();
  if (!direct || is_frameworks(function)) return "";
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function)) {
    if (is_stream_of_file(method->getParent())) {
      return method->getParent()->getName() == "basic_ofstream" ? "std::ofstream" : "std::fstream";
    }
    if (!method->isStatic() || method->getParent()->isLambda()) return "";
  }
  const bool has_name = function->getIdentifier() != nullptr && !function->hasBody();
  return has_name ? explained_name(function) : "";
}

/// The framework's and the standard library's own variables carry nothing of the user's.
bool is_worth_telling(const clang::VarDecl* variable, const Source& source, bool direct) {
  if (direct || source.is_users(variable)) return true;
  return !variable->isInStdNamespace() && !is_frameworks(variable) &&
         !(variable->getIdentifier() != nullptr && variable->getName().starts_with("_"));
}

}  // namespace

Targets EffectsOfUnit::targets(const clang::Expr* expression) const {
  Targets found;
  const auto* inner = expression->IgnoreParenCasts();
  if (const auto* clean = llvm::dyn_cast<clang::FullExpr>(inner))
    return targets(clean->getSubExpr());
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(inner)) {
    const bool passes =
        unary->getOpcode() == clang::UO_Deref || unary->getOpcode() == clang::UO_AddrOf;
    return passes ? targets(unary->getSubExpr()) : found;
  }
  if (const auto* either = llvm::dyn_cast<clang::ConditionalOperator>(inner)) {
    found = targets(either->getTrueExpr());
    found.add(targets(either->getFalseExpr()));
    return found;
  }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(inner))
    return targets(element->getBase());
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(inner)) {
    if (const auto* object = object_of(call)) return targets(object);
    const auto* callee = callee_of(call);
    if (callee != nullptr && gives_access(callee)) found.functions.insert(callee);
    return found;
  }
  if (const auto* variable = variable_of(inner); variable != nullptr && is_state(variable)) {
    found.states.insert(variable->getCanonicalDecl());
    return found;
  }
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(inner);
  const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(inner);
  const clang::ValueDecl* value = member != nullptr  ? member->getMemberDecl()
                                  : named != nullptr ? named->getDecl()
                                                     : nullptr;
  if (const auto alias = aliases_.find(value); alias != aliases_.end()) return alias->second;
  // A part of something: what leads to the whole.
  return member == nullptr ? found : targets(member->getBase());
}

/// First pass over the user's code: references and pointers that are bound to states.
class AliasVisitor : public clang::RecursiveASTVisitor<AliasVisitor> {
 public:
  explicit AliasVisitor(EffectsOfUnit& unit) : unit_(unit) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(clang::Decl* decl) {
    const bool skip =
        decl != nullptr && llvm::isa<clang::FunctionDecl>(decl) && !unit_.source_.is_users(decl);
    return skip || RecursiveASTVisitor::TraverseDecl(decl);
  }

  bool VisitVarDecl(clang::VarDecl* variable) {
    // Those that a range-based for makes for itself are judged by its element.
    const bool local = !variable->hasGlobalStorage() && !variable->isImplicit();
    if (local && variable->getInit() != nullptr) bind(variable, variable->getInit());
    return true;
  }
  bool VisitFieldDecl(clang::FieldDecl* field) {
    if (field->getInClassInitializer() != nullptr) bind(field, field->getInClassInitializer());
    return true;
  }
  bool TraverseConstructorInitializer(clang::CXXCtorInitializer* initializer) {
    if (initializer->getMember() != nullptr && initializer->getInit() != nullptr)
      bind(initializer->getMember(), initializer->getInit());
    return RecursiveASTVisitor::TraverseConstructorInitializer(initializer);
  }
  bool VisitBinaryOperator(clang::BinaryOperator* assignment) {
    if (assignment->getOpcode() != clang::BO_Assign) return true;
    const auto* left = assignment->getLHS()->IgnoreParenImpCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(left)) {
      bind(member->getMemberDecl(), assignment->getRHS());
    } else if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(left)) {
      bind(named->getDecl(), assignment->getRHS());
    }
    return true;
  }

 private:
  void bind(const clang::ValueDecl* name, const clang::Expr* to) {
    const auto type = name->getType();
    if (type.isNull() || type->isDependentType()) return;
    const bool leads = type->isReferenceType() || type->isPointerType();
    if (!leads || type->getPointeeType().isConstQualified()) return;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name);
    if (variable != nullptr && variable->hasGlobalStorage()) return;
    const Targets targets = unit_.targets(to);
    if (!targets.empty()) unit_.aliases_[name].add(targets);
  }

  EffectsOfUnit& unit_;
};

/// Second pass, over all code: libraries' templates may call the user's functions.
class EffectsVisitor : public clang::RecursiveASTVisitor<EffectsVisitor> {
 public:
  explicit EffectsVisitor(EffectsOfUnit& unit) : unit_(unit), context_(unit.source_.context()) {}
  EffectsVisitor(EffectsOfUnit& unit, Effects& sink) : EffectsVisitor(unit) { sink_ = &sink; }
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(clang::Decl* decl) {
    auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(decl);
    if (function == nullptr || !function->isThisDeclarationADefinition() ||
        function->isDependentContext())
      return RecursiveASTVisitor::TraverseDecl(decl);
    // The body of a closure belongs to whoever makes it.
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    if (method != nullptr && method->getParent()->isLambda() && sink_ != nullptr)
      sink_->calls.insert(method->getCanonicalDecl());
    Effects* const outer = sink_;
    FunctionEffects* const outer_function = current_;
    current_ = &unit_.functions_[function->getCanonicalDecl()];
    sink_ = &current_->own;
    const bool go_on = RecursiveASTVisitor::TraverseDecl(decl);
    sink_ = outer;
    current_ = outer_function;
    return go_on;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* expression) {
    return mention(expression, expression->getDecl());
  }
  bool VisitMemberExpr(clang::MemberExpr* expression) {
    return mention(expression, expression->getMemberDecl());
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const auto* callee = sink_ == nullptr ? nullptr : call->getDirectCallee();
    if (callee != nullptr && gives_access(callee) && is_worth_it(callee) &&
        may_change(call, context_)) {
      sink_->through.insert(callee->getCanonicalDecl());
    }
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* expression) {
    call(expression->getConstructor());
    return destroy(expression->getConstructor()->getParent());
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* expression) {
    const auto type = expression->getDestroyedType();
    return destroy(type.isNull() ? nullptr : class_of(type));
  }
  bool VisitCXXMethodDecl(clang::CXXMethodDecl* method) {
    if (method->isDependentContext() || method->getCanonicalDecl() != method) return true;
    for (const auto* base : method->overridden_methods())
      unit_.overrides_.emplace(base->getCanonicalDecl(), method);
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* statement) {
    if (current_ != nullptr && statement->getRetValue() != nullptr)
      current_->gives.add(unit_.targets(statement->getRetValue()));
    return true;
  }

 private:
  bool mention(const clang::Expr* expression, const clang::ValueDecl* value) {
    if (sink_ == nullptr) return true;
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(value)) {
      call(function);
      return true;
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(value);
    const bool state = variable != nullptr && is_state(variable);
    if (state && !is_frozen(variable->getType(), context_)) {
      if (may_change(expression, context_)) sink_->writes.insert(variable->getCanonicalDecl());
    } else if (const auto alias = unit_.aliases_.find(value); alias != unit_.aliases_.end()) {
      if (is_used_to_change(expression)) add(alias->second);
    }
    return true;
  }

  /// p = q binds a pointer anew, which changes nothing behind it.
  bool is_used_to_change(const clang::Expr* expression) {
    if (!expression->getType()->isPointerType()) return may_change(expression, context_);
    const auto parents = context_.getParents(*expression);
    const auto* parent = parents.empty() ? nullptr : parents[0].get<clang::ImplicitCastExpr>();
    return parent != nullptr && may_change(parent, context_);
  }

  void add(const Targets& targets) {
    sink_->writes.insert(targets.states.begin(), targets.states.end());
    for (const auto* function : targets.functions)
      sink_->through.insert(function->getCanonicalDecl());
  }

  /// What library functions hand out is their own.
  bool is_worth_it(const clang::FunctionDecl* callee) {
    return unit_.source_.is_users(callee->getCanonicalDecl());
  }
  bool call(const clang::FunctionDecl* function) {
    if (sink_ != nullptr && function != nullptr) sink_->calls.insert(function->getCanonicalDecl());
    return true;
  }
  bool destroy(const clang::CXXRecordDecl* record) {
    return record == nullptr || !record->hasDefinition() || call(record->getDestructor());
  }

  EffectsOfUnit& unit_;
  clang::ASTContext& context_;
  Effects* sink_ = nullptr;
  FunctionEffects* current_ = nullptr;
};

EffectsOfUnit::EffectsOfUnit(const Source& source) : source_(source) {
  auto* unit = source.context().getTranslationUnitDecl();
  AliasVisitor(*this).TraverseDecl(unit);
  EffectsVisitor(*this).TraverseDecl(unit);
}

Effects EffectsOfUnit::part(clang::Stmt* statement) {
  Effects effects;
  EffectsVisitor(*this, effects).TraverseStmt(statement);
  return effects;
}

/// The way from the user's code through libraries' inline code and templates, back to the user's
/// code or out into what has no body here.
FoldedEffects EffectsOfUnit::fold(const Effects& effects) const {
  FoldedEffects result;
  std::set<const clang::FunctionDecl*> seen;
  std::vector<const clang::FunctionDecl*> waiting;
  const auto go = [&](const Effects& part, bool direct) {
    for (const auto* variable : part.writes) {
      if (is_worth_telling(variable, source_, direct)) result.writes.insert(variable);
    }
    for (const auto* function : part.through) {
      if (source_.is_users(function)) result.through.insert(function);
    }
    for (const auto* function : part.calls) {
      if (source_.is_users(function)) {
        result.calls.insert(function);
        continue;
      }
      if (auto name = outside_name(function, direct); !name.empty()) result.outside.insert(name);
      if (seen.insert(function).second) waiting.push_back(function);
    }
  };
  go(effects, true);
  while (!waiting.empty()) {
    const auto* function = waiting.back();
    waiting.pop_back();
    const auto [first, last] = overrides_.equal_range(function);
    for (auto it = first; it != last; ++it) {
      if (source_.is_users(it->second)) {
        result.calls.insert(it->second);
      } else if (seen.insert(it->second).second) {
        waiting.push_back(it->second);
      }
    }
    const auto known = functions_.find(function);
    if (known != functions_.end() && !is_frameworks(function)) go(known->second.own, false);
  }
  return result;
}

}  // namespace gordian::facts
