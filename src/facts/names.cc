// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <algorithm>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/QualTypeNames.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/raw_ostream.h>

#include "facts/source.h"

namespace gordian::facts {
namespace {

constexpr llvm::StringRef kAnonymous = "(anonymous namespace)::";

void replace_all(std::string& text, llvm::StringRef from, llvm::StringRef to) {
  for (std::size_t at = 0; (at = text.find(from.data(), at, from.size())) != std::string::npos;) {
    text.replace(at, from.size(), to.str());
    at += to.size();
  }
}

std::string tidy(std::string text) {
  replace_all(text, kAnonymous, "");
  replace_all(text, " *", "*");
  replace_all(text, " &", "&");
  return text;
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
  return tidy(std::move(text));
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

constexpr int kDeepest = 6;

const clang::ClassTemplateSpecializationDecl* std_template(const clang::CXXRecordDecl* record) {
  if (record == nullptr || !record->isInStdNamespace()) return nullptr;
  return llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
}

template <class Predicate>
bool any_argument(const clang::ClassTemplateSpecializationDecl* record, Predicate predicate) {
  const auto test = [&](const clang::TemplateArgument& argument) {
    return argument.getKind() == clang::TemplateArgument::Type && predicate(argument.getAsType());
  };
  for (const auto& argument : record->getTemplateArgs().asArray()) {
    if (test(argument)) return true;
    if (argument.getKind() != clang::TemplateArgument::Pack) continue;
    for (const auto& packed : argument.pack_elements()) {
      if (test(packed)) return true;
    }
  }
  return false;
}

bool is_usable(const clang::CXXMethodDecl* method) {
  return !method->isDeleted() && method->getAccess() == clang::AS_public;
}

bool declares_copying(const clang::CXXRecordDecl* record) {
  bool constructs =
      record->needsImplicitCopyConstructor() && !record->defaultedCopyConstructorIsDeleted();
  bool assigns = record->needsImplicitCopyAssignment();
  for (const auto* constructor : record->ctors()) {
    if (constructor->isCopyConstructor()) constructs |= is_usable(constructor);
  }
  for (const auto* method : record->methods()) {
    if (method->isCopyAssignmentOperator()) assigns |= is_usable(method);
  }
  return constructs && assigns;
}

bool copyable(clang::QualType type, const clang::ASTContext& context, int depth);

/// Containers declare copying whatever they hold. An allocator holds nothing: that of a map is for
/// pairs with a constant key, which cannot be assigned.
bool holds_copyable(const clang::ClassTemplateSpecializationDecl* record,
                    const clang::ASTContext& context, int depth) {
  const bool whatever = llvm::StringSwitch<bool>(record->getName())
                            .Cases("shared_ptr", "function", "allocator", true)
                            .Default(false);
  if (whatever) return true;
  return !any_argument(record, [&](clang::QualType argument) {
    return class_of(argument) != nullptr && !copyable(argument, context, depth + 1);
  });
}

bool parts_are_copyable(const clang::CXXRecordDecl* record, const clang::ASTContext& context,
                        int depth) {
  // A copy assignment of the user's own knows how to deal with const and reference members.
  const bool by_user = record->hasUserDeclaredCopyAssignment();
  for (const auto* field : record->fields()) {
    const bool fixed = field->getType()->isReferenceType() || field->getType().isConstQualified();
    if (by_user) continue;
    if (fixed || !copyable(field->getType(), context, depth + 1)) return false;
  }
  return by_user || std::all_of(record->bases_begin(), record->bases_end(), [&](const auto& base) {
           return copyable(base.getType(), context, depth + 1);
         });
}

bool copyable(clang::QualType type, const clang::ASTContext& context, int depth) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isReferenceType()) return false;
  if (const auto* array = context.getAsConstantArrayType(type)) {
    return copyable(array->getElementType(), context, depth);
  }
  const auto* record = class_of(type);
  if (record == nullptr) return type->isScalarType();
  if (record->getName() == "atomic" && record->isInStdNamespace()) return false;
  if (!declares_copying(record)) return false;
  if (depth > kDeepest) return true;
  if (const auto* special = std_template(record)) return holds_copyable(special, context, depth);
  return record->isInStdNamespace() || parts_are_copyable(record, context, depth);
}

bool shallow(clang::QualType type, int depth) {
  type = type.getCanonicalType();
  if (type->isPointerType()) {
    return !type->getPointeeType()->isFunctionType() && !type->getPointeeType().isConstQualified();
  }
  if (const auto* array = type->getAsArrayTypeUnsafe()) {
    return shallow(array->getElementType(), depth + 1);
  }
  const auto* record = class_of(type);
  if (record == nullptr || depth > kDeepest) return false;
  if (const auto* special = std_template(record)) {
    const bool shares = llvm::StringSwitch<bool>(record->getName())
                            .Cases("shared_ptr", "weak_ptr", "reference_wrapper", true)
                            .Cases("basic_string_view", "span", true)
                            .Default(false);
    return shares || any_argument(special, [&](clang::QualType argument) {
             return shallow(argument, depth + 1);
           });
  }
  if (record->isInStdNamespace()) return false;
  // Whoever writes his own copy constructor copies what his pointers lead to.
  if (record->hasUserDeclaredCopyConstructor()) return false;
  return std::any_of(record->field_begin(), record->field_end(),
                     [&](const auto* field) { return shallow(field->getType(), depth + 1); });
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
  clang::QualType inner = context.getBaseElementType(type);
  if (inner->isPointerType() || inner->isReferenceType()) inner = inner->getPointeeType();
  if (!can_be_named(inner)) return "";
  std::string text = clang::TypeName::getFullyQualifiedName(spelled_out(type), context,
                                                            written_policy(context), true);
  return tidy(std::move(text));
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

const clang::CXXRecordDecl* class_of(clang::QualType type) {
  if (type.isNull()) return nullptr;
  const auto* record = type->getAsCXXRecordDecl();
  return record != nullptr && record->hasDefinition() ? record->getDefinition() : nullptr;
}

bool is_copyable(clang::QualType type, const clang::ASTContext& context) {
  return copyable(type, context, 0);
}

bool is_default_constructible(clang::QualType type, const clang::ASTContext& context) {
  type = type.getCanonicalType();
  while (const auto* array = context.getAsArrayType(type)) type = array->getElementType();
  const auto* record = class_of(type);
  if (record == nullptr) return type->isScalarType();
  if (record->isAbstract()) return false;
  if (record->needsImplicitDefaultConstructor()) return !record->hasUninitializedReferenceMember();
  return std::any_of(record->ctor_begin(), record->ctor_end(), [](const auto* constructor) {
    return constructor->isDefaultConstructor() && is_usable(constructor);
  });
}

bool is_shallow(clang::QualType type) {
  return shallow(type, 0);
}

clang::QualType pointee_of(clang::QualType type) {
  if (type->isPointerType()) {
    return type->getPointeeType()->isFunctionType() ? clang::QualType() : type->getPointeeType();
  }
  const auto* special = std_template(class_of(type));
  if (special == nullptr) return {};
  if (special->getName() != "unique_ptr" && special->getName() != "shared_ptr") return {};
  const auto arguments = special->getTemplateArgs().asArray();
  if (arguments.empty() || arguments[0].getKind() != clang::TemplateArgument::Type) return {};
  return arguments[0].getAsType();
}

bool is_frozen(clang::QualType type, const clang::ASTContext& context) {
  while (const auto* array = context.getAsArrayType(type)) type = array->getElementType();
  if (!type.isConstQualified()) return false;
  const auto* record = class_of(type);
  return record == nullptr || !record->hasMutableFields();
}

}  // namespace gordian::facts
