// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/debug_facts.h"

#include <iterator>
#include <set>

#include "repair/debug_states.h"
#include "repair/lexer.h"
#include "repair/placing.h"

namespace gordian {
namespace {

template <class Value>
void append(std::vector<Value>& to, std::vector<Value> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// "app::f()::count" -> "count".
std::string last_part(const std::string& name) {
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

/// Where the semicolon or comma is that ends an initializer which begins at token `at`.
std::size_t end_of_initializer(const Code& code, std::size_t at) {
  while (at < code.size() && code.text(at) != ";" && code.text(at) != ",") {
    const std::size_t partner = code.partner(at);
    at = partner != Code::kNone && partner > at ? partner + 1 : at + 1;
  }
  return at;
}

}  // namespace

std::string lex_initializer(const std::string& content, int line, const std::string& name) {
  const Code code(content);
  std::size_t at = 0;
  while (at < code.size() && (code[at].line < line || code.text(at) != name)) ++at;
  if (at >= code.size() || code[at].line != line) return "";
  ++at;
  while (code.text(at) == "[" && code.partner(at) != Code::kNone) at = code.partner(at) + 1;
  const std::string_view sign = code.text(at);
  if (sign != "=" && sign != "{" && sign != "(") return "";
  const std::size_t end = end_of_initializer(code, at);
  if (sign == "=") ++at;
  if (end >= code.size() || end <= at) return "";
  return content.substr(code[at].begin, code[end - 1].end - code[at].begin);
}

Result<SourceFacts> debug_facts(const std::vector<std::string>& files,
                                const std::filesystem::path& binary,
                                const std::optional<std::filesystem::path>& cache_dir,
                                const ReadSource& read) {
  auto states = read_debug_states(binary, cache_dir);
  if (!states.ok()) return states.error();
  SourceFacts facts;
  facts.states = std::move(states->states);
  facts.accessors = std::move(states->accessors);
  facts.resets = std::move(states->resets);
  for (const std::string& file : std::set<std::string>(files.begin(), files.end())) {
    const auto content = read(file);
    if (!content) {
      facts.notices.push_back(file + " cannot be read");
      continue;
    }
    facts.units.push_back({file, 0, ""});
    append(facts.tests, lex_tests(file, *content));
    append(facts.fixtures, lex_classes(file, *content));
    for (StateFact& state : facts.states) {
      if (state.file == file)
        state.initializer = lex_initializer(*content, state.line, last_part(state.name));
    }
  }
  return facts;
}

}  // namespace gordian
