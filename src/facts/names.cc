// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/names.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/QualTypeNames.h>
#include <llvm/Support/raw_ostream.h>

namespace gordian::facts {
namespace {

constexpr llvm::StringRef kAnonymous = "(anonymous namespace)::";

void replace_all(std::string& text, llvm::StringRef from, llvm::StringRef to) {
  for (std::size_t at = 0; (at = text.find(from.data(), at, from.size())) != std::string::npos;) {
    text.replace(at, from.size(), to.str());
    at += to.size();
  }
}

/// As GCC writes template arguments into debug information.
clang::PrintingPolicy explained_policy(const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.Bool = true;
  policy.SuppressInlineNamespace = false;
  policy.SuppressDefaultTemplateArgs = false;
  policy.SplitTemplateClosers = true;
  policy.UseEnumerators = false;
  policy.PrintCanonicalTypes = true;
  return policy;
}

std::string arguments_text(llvm::ArrayRef<clang::TemplateArgument> arguments,
                           const clang::ASTContext& context) {
  std::string text;
  llvm::raw_string_ostream out(text);
  clang::printTemplateArgumentList(out, arguments, explained_policy(context));
  replace_all(text, kAnonymous, "");
  replace_all(text, " *", "*");
  replace_all(text, " &", "&");
  return text;
}

std::string scope_of(const clang::DeclContext* context);

std::string plain_name(const clang::NamedDecl* decl) {
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(decl))
    return constructor->getParent()->getNameAsString();
  if (const auto* destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(decl))
    return "~" + destructor->getParent()->getNameAsString();
  return decl->getNameAsString();
}

std::string record_piece(const clang::RecordDecl* record) {
  const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  std::string name = record->getNameAsString();
  if (special != nullptr) {
    name += arguments_text(special->getTemplateArgs().asArray(), record->getASTContext());
  }
  return name;
}

bool is_closure(const clang::DeclContext* context) {
  const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(context);
  return record != nullptr && record->isLambda();
}

std::string function_text(const clang::FunctionDecl* function) {
  const auto* parent = function->getDeclContext();
  // What is called is the lambda.
  if (is_closure(parent)) return scope_of(parent->getParent()) + "{lambda}";
  std::string name = scope_of(parent) + plain_name(function);
  if (const auto* arguments = function->getTemplateSpecializationArgs()) {
    name += arguments_text(arguments->asArray(), function->getASTContext());
  }
  return name;
}

/// "app::", "f()::": what stands before a name in this scope.
std::string scope_of(const clang::DeclContext* context) {
  if (context == nullptr || context->isTranslationUnit()) return "";
  if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context)) {
    const std::string outer = scope_of(context->getParent());
    return space->isAnonymousNamespace() ? outer : outer + space->getNameAsString() + "::";
  }
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(context))
    return function_text(function) + "()::";
  if (is_closure(context)) return scope_of(context->getParent()) + "{lambda}::";
  if (const auto* record = llvm::dyn_cast<clang::RecordDecl>(context)) {
    const std::string name = record_piece(record);
    return scope_of(context->getParent()) + (name.empty() ? "" : name + "::");
  }
  return scope_of(context->getParent());
}

clang::PrintingPolicy written_policy(const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.Bool = true;
  policy.AnonymousTagLocations = false;
  return policy;
}

/// auto and decltype say nothing elsewhere.
clang::QualType spelled_out(clang::QualType type) {
  const bool deduced = type->getContainedDeducedType() != nullptr ||
                       llvm::isa<clang::DecltypeType>(type.getTypePtr());
  return deduced ? type.getCanonicalType() : type;
}

bool in_function(const clang::Decl* decl) {
  return decl->getParentFunctionOrMethod() != nullptr;
}

bool can_be_named(clang::QualType type) {
  const auto* tag = type->getAsTagDecl();
  if (tag == nullptr) return true;
  const bool has_name = tag->getIdentifier() != nullptr || tag->getTypedefNameForAnonDecl();
  return has_name && !in_function(tag);
}

}  // namespace

std::string explained_name(const clang::NamedDecl* decl) {
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl))
    return function_text(function);
  std::string name = scope_of(decl->getDeclContext()) + decl->getNameAsString();
  if (const auto* special = llvm::dyn_cast<clang::VarTemplateSpecializationDecl>(decl)) {
    name += arguments_text(special->getTemplateArgs().asArray(), decl->getASTContext());
  }
  return name;
}

std::string written_type(clang::QualType type, const clang::ASTContext& context) {
  clang::QualType inner = type;
  while (const auto* array = context.getAsArrayType(inner)) inner = array->getElementType();
  if (inner->isPointerType() || inner->isReferenceType()) inner = inner->getPointeeType();
  if (!can_be_named(inner)) return "";
  std::string text = clang::TypeName::getFullyQualifiedName(spelled_out(type), context,
                                                            written_policy(context), true);
  replace_all(text, kAnonymous, "");
  replace_all(text, " *", "*");
  replace_all(text, " &", "&");
  return text;
}

std::string written_name(const clang::NamedDecl* decl) {
  if (in_function(decl) || decl->getIdentifier() == nullptr) return "";
  const auto& context = decl->getASTContext();
  std::string scope;
  if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(decl->getDeclContext())) {
    scope = written_type(context.getRecordType(record), context);
    if (scope.empty()) return "";
  } else {
    scope = "::" + scope_of(decl->getDeclContext());
    scope.resize(scope.size() - 2);
  }
  std::string name = scope + "::" + decl->getNameAsString();
  if (const auto* special = llvm::dyn_cast<clang::VarTemplateSpecializationDecl>(decl)) {
    name += arguments_text(special->getTemplateArgs().asArray(), context);
  }
  return name;
}

}  // namespace gordian::facts
