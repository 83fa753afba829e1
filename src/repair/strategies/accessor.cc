// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A function added beside a state that nothing reaches, so that a guard can: at the end of the file
// for a variable of internal linkage; around the variable for one inside of a function.
#include <optional>

#include "repair/strategies/guard.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

struct Accessor {
  std::string qualified;    ///< "app::events_for_test"
  std::string declaration;  ///< for another file
  std::vector<Edit> edits;
};

std::optional<Accessor> for_global(const Scene& scene, const StateFact& state) {
  const std::string name = display_name(state.name), last = last_of(name);
  const std::string spaces = scope_of(name);
  const std::string signature = plain_type(state.type) + "& " + last + "_for_test()";
  Accessor accessor;
  accessor.qualified = (spaces.empty() ? "" : spaces + "::") + last + "_for_test";
  accessor.declaration =
      in_namespaces(spaces, signature + ";", " ") + "  // in " + file_name_of(state.file);
  const std::string function = in_namespaces(spaces, signature + " { return " + last + "; }", "\n");
  accessor.edits.push_back(
      {state.file, scene.content(state.file).size(), 0, "\n" + function + "\n"});
  return accessor;
}

/// Braces that are open at an offset, with the text in front of each.
struct OpenBrace {
  std::size_t at = 0, header = 0;  ///< where its header begins
  std::string text;
};

std::vector<OpenBrace> open_braces(const std::string& content, std::size_t offset) {
  std::vector<OpenBrace> open;
  std::size_t header = 0;
  for (std::size_t i = 0; i < offset && i < content.size();) {
    const std::size_t next = past_token(content, i);
    const bool directive = content[i] == '#';
    const bool comment = content[i] == '/' && next > i + 1;
    if (directive) {
      i = header = std::min(content.find('\n', i), content.size());
      continue;
    }
    if (comment && trimmed(std::string_view(content).substr(header, i - header)).empty())
      header = next;
    if (content[i] == '{') {
      while (header < i && std::isspace(static_cast<unsigned char>(content[header])) != 0) ++header;
      open.push_back({i, header, trimmed(std::string_view(content).substr(header, i - header))});
    }
    if (content[i] == '}' && !open.empty()) open.pop_back();
    if (content[i] == '{' || content[i] == '}' || content[i] == ';') header = next;
    i = next;
  }
  return open;
}

struct Function {
  std::string name;        ///< "sequence"
  std::string namespaces;  ///< "app"; with "" for an anonymous one: internal
  bool internal = false;
  std::size_t begin = 0;
};

/// The function of a namespace around an offset; no member, no template.
std::optional<Function> function_around(const std::string& content, std::size_t offset) {
  Function function;
  for (const OpenBrace& brace : open_braces(content, offset)) {
    if (has_word(brace.text, "namespace")) {
      const std::string name = trimmed(brace.text.substr(brace.text.rfind("namespace") + 9));
      function.internal = function.internal || name.empty();
      if (!name.empty()) function.namespaces += (function.namespaces.empty() ? "" : "::") + name;
      continue;
    }
    const std::size_t open = brace.text.find('(');
    if (open == std::string::npos || brace.text.starts_with("template")) return std::nullopt;
    std::size_t begin = open;
    while (begin > 0 && (is_word_char(brace.text[begin - 1]) || brace.text[begin - 1] == ':'))
      --begin;
    function.name = brace.text.substr(begin, open - begin);
    function.internal = function.internal || has_word(brace.text, "static");
    function.begin = brace.header;
    if (function.name.empty() || function.name.find("::") != std::string::npos) return std::nullopt;
    return function;
  }
  return std::nullopt;
}

/// [begin, end) of "static int n = 0;" on the line of the state.
std::optional<std::pair<std::size_t, std::size_t>> declaration_of(const std::string& content,
                                                                  const StateFact& state) {
  const std::size_t line = offset_of_line(content, state.line);
  if (line == std::string::npos) return std::nullopt;
  const std::size_t begin = content.find("static ", line), end = content.find(';', begin);
  if (begin == std::string::npos || end == std::string::npos) return std::nullopt;
  if (begin > content.find('\n', line)) return std::nullopt;
  return std::pair{begin, end + 1};
}

std::optional<Accessor> for_local(const Scene& scene, const StateFact& state) {
  const std::string& content = scene.content(state.file);
  const auto range = declaration_of(content, state);
  if (!range) return std::nullopt;
  const auto function = function_around(content, range->first);
  if (!function) return std::nullopt;
  const std::string last = last_of(display_name(state.name));
  const std::string name = function->name + "_" + last + "_for_test";
  const std::string declared = content.substr(range->first, range->second - range->first);
  const std::string storage = function->internal ? "static " : "";
  Accessor accessor;
  accessor.edits.push_back({state.file, function->begin, 0,
                            storage + plain_type(state.type) + "& " + name + "() {\n  " + declared +
                                "\n  return " + last + ";\n}\n\n"});
  accessor.edits.push_back({state.file, range->first, range->second - range->first,
                            plain_type(state.type) + "& " + last + " = " + name + "();"});
  const std::string prefix = function->namespaces.empty() ? "" : function->namespaces + "::";
  accessor.qualified = prefix + name;
  if (!function->internal) {
    accessor.declaration =
        in_namespaces(function->namespaces, plain_type(state.type) + "& " + name + "();", " ") +
        "  // in " + file_name_of(state.file);
  }
  return accessor;
}

}  // namespace

Guards accessor_guards(const Scene& scene, const Subject& subject, const Place& place) {
  if (subject.state == nullptr) return {{}, why_no_variable(subject)};
  const StateFact& state = *subject.state;
  const std::string name = display_name(state.name);
  if (!reach(scene, state, place).ways.empty()) {
    return {{}, name + " can be reached without one"};
  }
  if (state.kind == StateKind::class_static || state.is_const || subject.behind_pointer() ||
      state.type.empty() || state.type.find_first_of("([") != std::string::npos) {
    return {{}, "a function that hands out " + name + " cannot be written for it"};
  }
  if (const std::string why = scene.why_untouchable(state.file); !why.empty()) return {{}, why};
  const bool here = state.file == place.file;
  if (!here && !scene.task().options.allow_product_code) {
    return {{}, "it changes more than tests; --allow-product-code lets it try"};
  }
  const auto accessor =
      state.kind == StateKind::local_static ? for_local(scene, state) : for_global(scene, state);
  if (!accessor) return {{}, "a function that hands out " + name + " cannot be written for it"};
  if (!here && accessor->declaration.empty())
    return {{}, name + " belongs to an internal function"};
  Reach way;
  way.expression = accessor->qualified + "()";
  way.type = state.type;
  if (!here) way.scope.push_back(accessor->declaration);
  Guard guard = guard_on("ScopedRestore", way, way.expression, way.type);
  guard.variable = guard_variable("restore", name);
  guard.does = "puts " + name + " back, through a function added for it,";
  guard.product.edits = accessor->edits;
  return {{std::move(guard)}, ""};
}

}  // namespace gordian::strategies
