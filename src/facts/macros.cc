// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "facts/macros.h"

#include <algorithm>
#include <array>

namespace gordian::facts {
namespace {

bool any_prefix(llvm::StringRef text, llvm::ArrayRef<llvm::StringRef> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](llvm::StringRef prefix) { return text.starts_with(prefix); });
}

bool is_check_name(llvm::StringRef name) {
  constexpr std::array<llvm::StringRef, 15> kBegins = {
      "EXPECT_",     "ASSERT_",  "GTEST_FAIL", "GTEST_SUCCEED", "GTEST_SKIP",
      "ADD_FAILURE", "REQUIRE",  "CHECK",      "WARN",          "BOOST_",
      "CATCH_",      "DOCTEST_", "STATIC_",    "FAIL",          "SUCCEED"};
  constexpr std::array<llvm::StringRef, 8> kEnds = {
      "_EQUAL", "_EQUALS", "_EQUAL_TEXT", "_FALSE", "_TRUE", "_COMPARE", "SKIP", "_CONTAINS"};
  return any_prefix(name, kBegins) ||
         std::any_of(kEnds.begin(), kEnds.end(), [&](auto end) { return name.ends_with(end); });
}

/// Names such as CHECK mean something else in other libraries.
bool is_frameworks_file(llvm::StringRef file) {
  constexpr std::array<llvm::StringRef, 6> kParts = {"/gtest/",  "/gmock/",      "/catch",
                                                     "/doctest", "/boost/test/", "/CppUTest/"};
  return std::any_of(kParts.begin(), kParts.end(), [&](auto part) { return file.contains(part); });
}

}  // namespace

class CheckRecorder : public clang::PPCallbacks {
 public:
  CheckRecorder(Checks& checks, const clang::SourceManager& manager)
      : checks_(checks), manager_(manager) {}

  void MacroExpands(const clang::Token& token, const clang::MacroDefinition& definition,
                    clang::SourceRange, const clang::MacroArgs*) override {
    const auto* name = token.getIdentifierInfo();
    const auto* macro = definition.getMacroInfo();
    if (name == nullptr || macro == nullptr || !is_check_name(name->getName())) return;
    if (!is_frameworks_file(manager_.getFilename(macro->getDefinitionLoc()))) return;
    const auto [file, offset] = manager_.getDecomposedExpansionLoc(token.getLocation());
    checks_.offsets_[file].insert(offset);
  }

 private:
  Checks& checks_;
  const clang::SourceManager& manager_;
};

bool Checks::any_in(clang::FileID file, unsigned begin, unsigned end) const {
  const auto found = offsets_.find(file);
  if (found == offsets_.end()) return false;
  const auto first = found->second.lower_bound(begin);
  return first != found->second.end() && *first < end;
}

std::unique_ptr<clang::PPCallbacks> Checks::recorder(const clang::SourceManager& manager) {
  return std::make_unique<CheckRecorder>(*this, manager);
}

namespace {

/// Past the string or character literal that begins here.
std::size_t skip_literal(llvm::StringRef text, std::size_t at) {
  const char quote = text[at];
  if (quote == '"' && at > 0 && text[at - 1] == 'R') {
    const std::size_t open = text.find('(', at);
    if (open == llvm::StringRef::npos) return text.size();
    const std::string close = ")" + text.slice(at + 1, open).str() + "\"";
    const std::size_t end = text.find(close, open);
    return end == llvm::StringRef::npos ? text.size() : end + close.size();
  }
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

char unescaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case '0':
      return '\0';
    default:
      return c;
  }
}

}  // namespace

std::vector<std::string> macro_words(llvm::StringRef call) {
  std::vector<std::string> words;
  const std::size_t open = call.find('(');
  words.push_back(call.substr(0, open).trim().str());
  if (open == llvm::StringRef::npos) return words;
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t at = open; at < call.size();) {
    const char c = call[at];
    if (c == '"' || c == '\'') {
      at = skip_literal(call, at);
      continue;
    }
    depth += c == '(' || c == '{' || c == '[';
    depth -= c == ')' || c == '}' || c == ']';
    if ((c == ',' && depth == 1) || depth == 0) {
      words.push_back(call.slice(begin, at).trim().str());
      begin = at + 1;
      if (depth == 0) break;
    }
    ++at;
  }
  return words;
}

std::string literal_value(llvm::StringRef literal) {
  std::string value;
  bool found = false;
  for (std::size_t at = 0; at < literal.size();) {
    if (literal[at] != '"') {
      ++at;
      continue;
    }
    found = true;
    const std::size_t end = skip_literal(literal, at);
    const bool raw = at > 0 && literal[at - 1] == 'R';
    if (raw) {
      const std::size_t open = literal.find('(', at);
      const std::size_t tail = open - at + 1;  // ")delimiter\""
      value += literal.slice(open + 1, end - tail).str();
    } else {
      for (std::size_t i = at + 1; i + 1 < end; ++i) {
        value += literal[i] == '\\' && i + 2 < end ? unescaped(literal[++i]) : literal[i];
      }
    }
    at = end;
  }
  return found ? value : literal.str();
}

}  // namespace gordian::facts
