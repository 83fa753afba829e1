// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/types.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "frameworks/framework_traits.h"
#include "model/stack.h"

namespace gordian {
namespace {

constexpr std::string_view kCall = "()";
constexpr std::string_view kOperator = "operator";
constexpr std::string_view kLambda = "{lambda";
/// Longer symbols are cut by nobody: the demangler may need exponential room for them.
constexpr std::size_t kLongestSymbol = 8192;

void erase_all(std::string& text, std::string_view part) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos;) {
    text.erase(at, part.size());
  }
}

/// How GCC's debug information spells integers, longest first, and how everybody else does.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kIntegers = {{
    {"long long unsigned int", "unsigned long long"},
    {"long unsigned int", "unsigned long"},
    {"short unsigned int", "unsigned short"},
    {"long long int", "long long"},
    {"long int", "long"},
    {"short int", "short"},
}};

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void replace_words(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
    const std::size_t end = at + from.size();
    const bool whole =
        (at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]));
    if (whole) text.replace(at, from.size(), to);
    at += whole ? to.size() : from.size();
  }
}

/// Where the bracket that opens at `open` closes; npos when it does not.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
    const bool arrow = c == '>' && at > 0 && text[at - 1] == '-';
    if ((c == ')' || c == '>' || c == '}' || c == ']') && !arrow && --depth == 0) return at;
  }
  return std::string_view::npos;
}

/// Copies a demangled name piece by piece and leaves out what the source does not show.
class Rewriter {
 public:
  explicit Rewriter(std::string_view text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (!step()) return std::string(text_);
    }
    return std::move(out_);
  }

 private:
  bool step() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with(kOperator)) return copy_operator();
    if (rest.starts_with(kLambda)) return replace_group("{lambda}");
    if (rest.starts_with("$_")) return replace_number("{lambda}");  // Clang's name for one
    switch (text_[at_]) {
      case '(':
        return replace_group(kCall) && drop_qualifiers();
      case '<':
      case '{':
        return copy_group();
      case '[':
        return replace_group("");
      case ' ':
        // What stands before a blank is a return type, or words like "guard variable for".
        out_.clear();
        ++at_;
        return true;
      default:
        out_ += text_[at_++];
        return true;
    }
  }

  bool replace_group(std::string_view by) {
    const std::size_t end = closing(text_, at_);
    if (end == std::string_view::npos) return false;
    out_ += by;
    at_ = end + 1;
    return true;
  }

  bool replace_number(std::string_view by) {
    out_ += by;
    at_ = std::min(text_.find_first_not_of("0123456789", at_ + 2), text_.size());
    return true;
  }

  bool copy_group() {
    const std::size_t end = closing(text_, at_);
    if (end == std::string_view::npos) return false;
    out_ += text_.substr(at_, end + 1 - at_);
    at_ = end + 1;
    return true;
  }

  /// "operator()", "operator<", "operator std::string": up to the parameters.
  bool copy_operator() {
    std::size_t end = at_ + kOperator.size();
    if (text_.substr(end).starts_with(kCall)) end += kCall.size();
    end = text_.find('(', end);
    if (end == std::string_view::npos) end = text_.size();
    const std::string_view name = text_.substr(at_, end - at_);
    if (name == "operator()" && out_.ends_with("{lambda}::")) {
      out_.resize(out_.size() - 2);  // what is called is the lambda
    } else {
      out_ += name;
    }
    at_ = end;
    return true;
  }

  bool drop_qualifiers() {
    constexpr std::array<std::string_view, 4> kQualifiers = {" const", " volatile", " &&", " &"};
    for (bool found = true; found;) {
      found = false;
      for (std::string_view word : kQualifiers) {
        if (!text_.substr(at_).starts_with(word)) continue;
        at_ += word.size();
        found = true;
      }
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool made_by_test_macro(std::string_view name) {
  auto all = all_frameworks();
  return std::any_of(all.begin(), all.end(), [name](const FrameworkTraits* f) {
    return f->made_by_macro != nullptr && f->made_by_macro(name);
  });
}

/// Reserved for compilers and their libraries: no program may use such a name.
bool is_reserved(std::string_view name) {
  if (name.size() < 2 || name[0] != '_') return false;
  return name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z');
}

}  // namespace

std::string common_spelling(std::string name) {
  if (name.find("anonymous") != std::string::npos) {
    erase_all(name, "(anonymous namespace)::");
    erase_all(name, "{anonymous}::");
  }
  if (name.find(" int") == std::string::npos) return name;
  for (const auto& [from, to] : kIntegers) replace_words(name, from, to);
  return name;
}

std::string source_name(std::string_view demangled) {
  const std::string named = common_spelling(std::string(demangled));
  return Rewriter(named).run();
}

std::string name_of_symbol(std::string_view mangled) {
  mangled = mangled.substr(0, mangled.find('@'));  // a version of it
  const std::size_t dot = mangled.rfind('.');
  if (dot != std::string_view::npos && dot > 0 && is_number(mangled.substr(dot + 1))) {
    mangled = mangled.substr(0, dot);
  }
  if (!mangled.starts_with("_Z") || mangled.size() > kLongestSymbol) return std::string(mangled);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, &status), &std::free);
  return text == nullptr ? std::string(mangled) : source_name(text.get());
}

bool is_system_path(std::string_view path) {
  constexpr std::array<std::string_view, 5> kFolders = {"/lib/", "/lib64/", "/usr/lib/",
                                                        "/usr/lib64/", "/usr/include/"};
  return starts_with_any(path, kFolders);
}

Owner owner_of(std::string_view name, std::string_view written_file) {
  // Clang finds system headers by way of its own directory: /usr/bin/../include.
  const std::string file = std::filesystem::path(written_file).lexically_normal().string();
  constexpr std::array<std::string_view, 4> kLibraries = {
      "std::", "__gnu_cxx::", "__cxxabiv1::", "__gnu_internal::"};
  if (made_by_test_macro(name) || is_in_framework_folder(file)) return Owner::framework;
  // Tests may stand in the framework's namespace, with variables of their own.
  const bool not_elsewhere = file.empty() || is_framework_source(file) || is_system_path(file);
  if (is_in_framework_namespace(name) && not_elsewhere) return Owner::framework;
  if (starts_with_any(name, kLibraries) || is_system_path(file)) return Owner::library;
  if (file.empty() && is_reserved(name)) return Owner::library;
  return Owner::program;
}

}  // namespace gordian
