// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The JSON document: all facts of one translation unit, what several of its parts have in common,
// and the parts. document.md describes it; whoever changes a key's meaning counts kFactsVersion up
// here and in repair/unit_facts.h.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <llvm/Support/JSON.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "facts/effects.h"
#include "facts/frameworks.h"
#include "facts/source.h"

namespace gordian::facts {

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
