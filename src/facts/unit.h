// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The JSON document: all facts of one translation unit, what several of its parts have in common,
// and the parts. document.md describes it; whoever changes a key's meaning counts kFactsVersion up
// here and in repair/unit_facts.h.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/JSON.h>

#include "facts/source.h"
#include "wire/framework.h"

namespace gordian::facts {

// What functions and statements of a unit do: which states they may write themselves, which
// functions they mention, and which functions' results they write through. What libraries' own
// functions do in between is folded into the user's functions; calls into other units are left for
// whoever has all units at hand.

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
  Effects part(clang::Stmt* statement);
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

// What tells the test frameworks apart from the user's code: by what a function is known as the
// body of a test, how the test is called, where checks stand, and which functions are the
// framework's own.

using gordian_wire::Framework;

std::optional<Framework> framework_of_body(const clang::FunctionDecl* function);

struct TestName {
  std::string suite, name;
};

/// `words` are those of the macro that the file spells (macro_words), which may be one of the
/// project: then what the framework's own macro made is asked.
TestName test_name(Framework framework, const clang::FunctionDecl* body,
                   const std::vector<std::string>& words);

/// The class of the user's that the test's own class is derived from; null: none.
const clang::CXXRecordDecl* fixture_of(Framework framework, const clang::FunctionDecl* body);

/// Runs before the body of a test: SetUp, setup.
bool is_set_up(llvm::StringRef method);

/// The frameworks' own functions look at what they are given, whatever their parameters say.
bool is_frameworks(const clang::Decl* decl);

/// Where checks of the frameworks stand: their macros, also inside of macros of the project, noted
/// while the preprocessor expands them.
class Checks {
 public:
  /// Is there a check in this part of a file?
  bool any_in(clang::FileID file, unsigned begin, unsigned end) const;
  std::unique_ptr<clang::PPCallbacks> recorder(const clang::SourceManager& manager);

 private:
  friend class CheckRecorder;
  std::map<clang::FileID, std::set<unsigned>> offsets_;
};

/// "TEST_F(Suite, Name)" -> {"TEST_F", "Suite", "Name"}; strings keep their quotes.
std::vector<std::string> macro_words(llvm::StringRef call);

/// The value of "text" "more text", raw strings too; anything else is given back as it is.
std::string literal_value(llvm::StringRef literal);

inline constexpr int kFactsVersion = 2;

/// Text of somebody's file may be anything; JSON is UTF-8.
llvm::json::Value text_json(const std::string& text);
/// In the order of their ids.
llvm::json::Array values_of(std::map<std::string, llvm::json::Object>& by_id);
llvm::json::Array names_json(const std::set<std::string>& names);
llvm::json::Value range_json(const Range& range);
llvm::json::Array states_json(const std::set<const clang::VarDecl*>& states);
llvm::json::Array functions_json(const std::set<const clang::FunctionDecl*>& functions);
void add_effects(llvm::json::Object& object, const FoldedEffects& effects);

/// "open", "guarded", "closed": of a declaration in a class; all others are open.
llvm::StringRef access_word(clang::AccessSpecifier access);

/// A header with a declaration of this, seen from the unit's main file; empty: none.
std::string header_of(const clang::Decl* decl, const Source& source);

/// All of it. Without "file" and what the parser complained about.
llvm::json::Object unit_json(clang::ASTContext& context, const Checks& checks,
                             const std::vector<std::string>& roots);

/// Functions that lead to states from outside: that can be called as they are and give a reference
/// or pointer to one state.
llvm::json::Array accessors_json(const EffectsOfUnit& effects, const Source& source);

/// Functions and static methods whose names promise a reset. Whether they write a state, and which
/// one, is for whoever knows all units.
llvm::json::Array reset_functions_json(const EffectsOfUnit& effects, const Source& source);

/// Pairs of functions that read and set one value, `level()` and `set_level(x)`: what a test has
/// set can be put back through them. Of functions and static methods, with what the setter does:
/// which state that is, whoever knows all units can tell.
llvm::json::Array property_functions_json(const EffectsOfUnit& effects, const Source& source);

/// The same of the methods of a class; `record` may be null.
llvm::json::Array property_methods_json(const clang::CXXRecordDecl* record, const Source& source);

/// The states of a unit, variables that outlive a test: those of the user's files, instances of
/// templates included. Canonical declarations.
std::set<const clang::VarDecl*> states_of_user(const Source& source);

llvm::json::Object state_json(const clang::VarDecl* state, const Source& source);

/// The tests of a unit, as the macros of the frameworks make them: where they stand, what their
/// statements do, and their fixtures.
struct TestsJson {
  llvm::json::Array tests, fixtures;
};

TestsJson tests_json(EffectsOfUnit& effects, const Checks& checks, const Source& source);

}  // namespace gordian::facts
