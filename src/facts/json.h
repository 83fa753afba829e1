// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Pieces of the JSON document that several files write. document.md describes all of it; whoever
// changes a key's meaning counts kFactsVersion up here and in repair/facts_json.h.
#pragma once

#include <clang/AST/Decl.h>
#include <llvm/Support/JSON.h>

#include <set>
#include <string>

#include "facts/effects.h"
#include "facts/source.h"

namespace gordian::facts {

inline constexpr int kFactsVersion = 2;

/// Text of somebody's file may be anything; JSON is UTF-8.
llvm::json::Value text_json(const std::string& text);
llvm::json::Array names_json(const std::set<std::string>& names);
llvm::json::Value range_json(const Range& range);
llvm::json::Array states_json(const std::set<const clang::VarDecl*>& states);
llvm::json::Array functions_json(const std::set<const clang::FunctionDecl*>& functions);
void add_effects(llvm::json::Object& object, const FoldedEffects& effects);

/// "open", "guarded", "closed": of a declaration in a class; all others are open.
llvm::StringRef access_word(clang::AccessSpecifier access);

/// A header with a declaration of this, seen from the unit's main file; empty: none.
std::string header_of(const clang::Decl* decl, const Source& source);

}  // namespace gordian::facts
