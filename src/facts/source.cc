// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/source.h"

#include <clang/Index/USRGeneration.h>
#include <clang/Lex/Lexer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>

namespace gordian::facts {
namespace {

bool is_below(llvm::StringRef path, llvm::StringRef root) {
  return path.starts_with(root) &&
         (path.size() == root.size() || root.ends_with("/") || path[root.size()] == '/');
}

/// Of one unit alone: its name in another one means something else.
bool is_internal(const clang::Decl* decl) {
  const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl);
  return named != nullptr && !named->isExternallyVisible();
}

}  // namespace

Source::Source(clang::ASTContext& context, const std::vector<std::string>& roots)
    : context_(context), manager_(context.getSourceManager()), roots_(roots) {}

std::string Source::absolute(llvm::StringRef path) const {
  llvm::SmallString<256> result(path);
  manager_.getFileManager().getVirtualFileSystem().makeAbsolute(result);
  llvm::sys::path::remove_dots(result, true);
  return std::string(result.str());
}

std::string Source::file_of(clang::SourceLocation location) const {
  if (location.isInvalid()) return "";
  const llvm::StringRef name = manager_.getFilename(manager_.getFileLoc(location));
  return name.empty() ? "" : absolute(name);
}

int Source::line_of(clang::SourceLocation location) const {
  if (location.isInvalid()) return 0;
  return static_cast<int>(manager_.getSpellingLineNumber(manager_.getFileLoc(location)));
}

bool Source::in_main_file(clang::SourceLocation location) const {
  return location.isValid() && manager_.isInMainFile(manager_.getFileLoc(location));
}

Range Source::range(clang::SourceLocation first, clang::SourceLocation last) const {
  if (first.isInvalid() || last.isInvalid()) return {};
  const auto begin = manager_.getExpansionLoc(first);
  auto end = manager_.getExpansionRange(last).getEnd();
  end = clang::Lexer::getLocForEndOfToken(end, 0, manager_, context_.getLangOpts());
  const auto [begin_file, begin_offset] = manager_.getDecomposedLoc(begin);
  const auto [end_file, end_offset] = manager_.getDecomposedLoc(end);
  if (begin_file != end_file || end_offset < begin_offset) return {};
  return {file_of(begin), begin_offset, end_offset, line_of(begin)};
}

llvm::StringRef Source::contents(clang::SourceLocation location) const {
  return manager_.getBufferData(manager_.getFileID(manager_.getExpansionLoc(location)));
}

std::string Source::text(const Range& range) const {
  if (range.empty()) return "";
  auto file = manager_.getFileManager().getFileRef(range.file);
  if (!file) {
    llvm::consumeError(file.takeError());
    return "";
  }
  const llvm::StringRef all = manager_.getBufferData(manager_.translateFile(*file));
  return all.slice(range.begin, range.end).str();
}

bool Source::is_users(clang::SourceLocation location) const {
  if (location.isInvalid()) return false;
  const auto place = manager_.getFileLoc(location);
  if (manager_.isInSystemHeader(place)) return false;
  const std::string file = file_of(place);
  if (file.empty()) return false;
  return roots_.empty() || std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) {
           return is_below(file, root);
         });
}
std::string id_of(const clang::Decl* decl) {
  llvm::SmallString<128> id;
  if (clang::index::generateUSRForDecl(decl, id)) return "";
  std::string result(id.str());
  if (!is_internal(decl)) return result;
  // Clang adds the last part of the file's name, or nothing.
  const auto& manager = decl->getASTContext().getSourceManager();
  const auto main = manager.getFileEntryRefForID(manager.getMainFileID());
  return main ? result + "@" + main->getName().str() : result;
}

}  // namespace gordian::facts
