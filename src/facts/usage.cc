// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// may_change: is an object changed by the expression around it? Decided by climbing from where it
// is named to what is done with it. In doubt the answer is yes: facts say what *may* be written.
#include "facts/unit.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/ParentMapContext.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/StringSwitch.h>

namespace gordian::facts {
namespace {

enum class Verdict { reads, changes, look_further };

constexpr int kHighest = 64;

bool points_to_const(clang::QualType type) {
  const auto target = type->getPointeeType();
  return !target.isNull() && (target.isConstQualified() || target->isFunctionType());
}

/// A reference or pointer through which the object can be changed.
bool opens(clang::QualType type) {
  return (type->isReferenceType() || type->isPointerType()) && !points_to_const(type);
}

/// Members of the standard library that change nothing themselves but lead to what they hold.
bool is_door(const clang::CXXMethodDecl* method) {
  if (!method->getParent()->isInStdNamespace() || !opens(method->getReturnType())) return false;
  const auto sign = method->getOverloadedOperator();
  if (sign == clang::OO_Star || sign == clang::OO_Arrow) return true;
  if (sign == clang::OO_Subscript) return !method->getParent()->getName().ends_with("map");
  return method->getIdentifier() != nullptr &&
         llvm::StringSwitch<bool>(method->getName())
             .Cases("at", "front", "back", "get", "value", "data", "top", true)
             .Default(false);
}

Verdict by_method(const clang::CXXMethodDecl* method) {
  if (method->isStatic()) return Verdict::reads;
  if (is_door(method)) return Verdict::look_further;
  return method->isConst() || is_frameworks(method) ? Verdict::reads : Verdict::changes;
}

class Climber {
 public:
  explicit Climber(clang::ASTContext& context) : context_(context) {}

  bool may_change(const clang::Expr* object) {
    at_ = object;
    for (int step = 0; step < kHighest; ++step) {
      const auto parents = context_.getParents(*at_);
      if (parents.empty()) return false;
      const Verdict verdict = judge(parents[0]);
      if (verdict != Verdict::look_further) return verdict == Verdict::changes;
    }
    return true;
  }

 private:
  Verdict judge(const clang::DynTypedNode& parent) {
    if (const auto* variable = parent.get<clang::VarDecl>()) return by_variable(variable);
    if (parent.get<clang::CXXCtorInitializer>() != nullptr) return Verdict::reads;  // an alias
    const auto* statement = parent.get<clang::Stmt>();
    if (statement == nullptr) return Verdict::reads;
    const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
    // A condition, a statement of its own, something handed out.
    if (expression == nullptr) return Verdict::reads;
    return by_expression(expression);
  }

  template <class Parent, class Node>
  const Parent* parent_of(const Node* node) {
    if (node == nullptr) return nullptr;
    const auto parents = context_.getParents(*node);
    return parents.empty() ? nullptr : parents[0].template get<Parent>();
  }

  Verdict climb_to(const clang::Expr* expression) {
    at_ = expression;
    return Verdict::look_further;
  }

  Verdict by_variable(const clang::VarDecl* variable) {
    if (!variable->isImplicit()) return Verdict::reads;  // a copy or an alias
    // for (element : object): the element says what may happen.
    const auto* loop = parent_of<clang::CXXForRangeStmt>(parent_of<clang::DeclStmt>(variable));
    if (loop == nullptr) return Verdict::changes;
    return opens(loop->getLoopVariable()->getType()) ? Verdict::changes : Verdict::reads;
  }

  Verdict by_expression(const clang::Expr* parent) {
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(parent)) return by_cast(cast);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(parent)) return by_member(member);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(parent)) return by_unary(unary);
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(parent))
      return by_binary(binary);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(parent)) return by_call(call);
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(parent))
      return is_frameworks(made->getConstructor()) ? Verdict::reads : by_value();
    if (const auto* either = llvm::dyn_cast<clang::ConditionalOperator>(parent))
      return either->getCond() == at_ ? Verdict::reads : climb_to(parent);
    if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXTypeidExpr, clang::CXXNoexceptExpr,
                  clang::LambdaExpr>(parent))
      return Verdict::reads;
    if (llvm::isa<clang::CXXDeleteExpr>(parent)) return Verdict::changes;
    if (llvm::isa<clang::InitListExpr, clang::CXXParenListInitExpr>(parent)) return by_value();
    if (llvm::isa<clang::ParenExpr, clang::FullExpr, clang::MaterializeTemporaryExpr,
                  clang::CXXBindTemporaryExpr, clang::ArraySubscriptExpr,
                  clang::SubstNonTypeTemplateParmExpr, clang::CXXDefaultInitExpr>(parent))
      return climb_to(parent);
    return Verdict::changes;
  }

  /// Given away by value: a number is copied, a reference or pointer leaves the door open.
  Verdict by_value() {
    const bool lvalue = at_->isLValue() && !at_->getType().isConstQualified();
    return lvalue || opens(at_->getType()) ? Verdict::changes : Verdict::reads;
  }

  Verdict by_cast(const clang::CastExpr* cast) {
    const auto kind = cast->getCastKind();
    if (kind == clang::CK_LValueToRValue) {
      return opens(cast->getType()) ? climb_to(cast) : Verdict::reads;
    }
    if (kind == clang::CK_PointerToBoolean || kind == clang::CK_PointerToIntegral ||
        kind == clang::CK_ToVoid) {
      return Verdict::reads;
    }
    const auto type = cast->getType();
    const bool now_const = cast->isGLValue() ? type.isConstQualified() : points_to_const(type);
    return now_const ? Verdict::reads : climb_to(cast);
  }

  Verdict by_member(const clang::MemberExpr* member) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl());
    if (method == nullptr) {
      return llvm::isa<clang::FieldDecl>(member->getMemberDecl()) ? climb_to(member)
                                                                  : Verdict::reads;
    }
    const Verdict verdict = by_method(method);
    if (verdict != Verdict::look_further) return verdict;
    const auto* call = parent_of<clang::CXXMemberCallExpr>(member);
    return call == nullptr ? Verdict::changes : climb_to(call);
  }

  Verdict by_unary(const clang::UnaryOperator* unary) {
    if (unary->isIncrementDecrementOp()) return Verdict::changes;
    const auto sign = unary->getOpcode();
    return sign == clang::UO_Deref || sign == clang::UO_AddrOf ? climb_to(unary) : Verdict::reads;
  }

  Verdict by_binary(const clang::BinaryOperator* binary) {
    if (binary->isAssignmentOp()) {
      // p = &object: an alias, which is known by its own.
      return binary->getLHS() == at_ ? Verdict::changes : Verdict::reads;
    }
    if (binary->getOpcode() == clang::BO_Comma)
      return binary->getRHS() == at_ ? climb_to(binary) : Verdict::reads;
    if (binary->isAdditiveOp() && binary->getType()->isPointerType()) return climb_to(binary);
    return binary->isPtrMemOp() ? climb_to(binary) : Verdict::reads;
  }

  Verdict by_call(const clang::CallExpr* call) {
    const auto* callee = call->getDirectCallee();
    if (callee != nullptr && is_frameworks(callee)) return Verdict::reads;
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    const bool is_object = llvm::isa<clang::CXXOperatorCallExpr>(call) && method != nullptr &&
                           call->getNumArgs() > 0 && call->getArg(0) == at_;
    if (is_object) {
      const Verdict verdict = by_method(method);
      return verdict == Verdict::look_further ? climb_to(call) : verdict;
    }
    if (call->getCallee() == at_) return Verdict::reads;  // what a pointer to a function calls
    return by_value();
  }

  clang::ASTContext& context_;
  const clang::Expr* at_ = nullptr;
};

}  // namespace

bool may_change(const clang::Expr* object, clang::ASTContext& context) {
  return Climber(context).may_change(object);
}

}  // namespace gordian::facts
