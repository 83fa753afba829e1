// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What functions and statements of a unit do: which states they may write themselves, which
// functions they mention, and which functions' results they write through. What libraries' own
// functions do in between is folded into the user's functions; calls into other units are left for
// whoever has all units at hand.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "facts/source.h"

namespace gordian::facts {

/// Could be state: static or thread storage, neither a reference nor a template's pattern.
bool is_state(const clang::VarDecl* variable);

/// Is an object changed by the expression around it? `object` names it, or is a call that gives a
/// reference or a pointer to it. A local reference or pointer that is bound to it, and a return
/// statement that hands it out, are no change by themselves: whoever uses these answers for it.
bool may_change(const clang::Expr* object, clang::ASTContext& context);

struct Effects {
  std::set<const clang::VarDecl*> writes;
  std::set<const clang::FunctionDecl*> calls;    ///< mentioned, which is as good as called
  std::set<const clang::FunctionDecl*> through;  ///< what these give is written to

  void add(const Effects& other);
};

/// What an expression may lead to: states themselves, and what functions give.
struct Targets {
  std::set<const clang::VarDecl*> states;
  std::set<const clang::FunctionDecl*> functions;

  bool empty() const { return states.empty() && functions.empty(); }
  void add(const Targets& other);
};

struct FunctionEffects {
  Effects own;
  Targets gives;  ///< behind the reference or pointer that it returns
};

/// As it is told: for the user's functions, in names that other units know.
struct FoldedEffects {
  std::set<const clang::VarDecl*> writes;
  std::set<const clang::FunctionDecl*> calls, through;  ///< the user's, or without a body here
  std::set<std::string> outside;  ///< functions of the system and of libraries, by name
};

class EffectsOfUnit {
 public:
  explicit EffectsOfUnit(const Source& source);

  const std::map<const clang::FunctionDecl*, FunctionEffects>& functions() const {
    return functions_;
  }
  /// Of a part of a function.
  Effects of(clang::Stmt* statement);
  FoldedEffects fold(const Effects& effects) const;
  Targets targets(const clang::Expr* expression) const;

  /// (overridden, overriding), one step each.
  const std::multimap<const clang::FunctionDecl*, const clang::FunctionDecl*>& overrides() const {
    return overrides_;
  }

 private:
  friend class EffectsVisitor;
  friend class AliasVisitor;

  const Source& source_;
  std::map<const clang::FunctionDecl*, FunctionEffects> functions_;
  std::multimap<const clang::FunctionDecl*, const clang::FunctionDecl*> overrides_;
  /// References and pointers that were bound to states: local ones and members.
  std::map<const clang::ValueDecl*, Targets> aliases_;
};

}  // namespace gordian::facts
