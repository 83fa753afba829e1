// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/scene.h"

#include <algorithm>
#include <cctype>

#include "repair/strategies/source_words.h"
#include "state/kinds/state_kinds.h"

namespace gordian::strategies {
namespace {

std::string without(std::string text, std::string_view part) {
  for (std::size_t at; (at = text.find(part)) != std::string::npos;) text.erase(at, part.size());
  return text;
}

/// What is in parentheses left out: two readers of debug information may spell parameters apart.
std::string without_parameters(std::string_view name) {
  std::string out;
  int depth = 0;
  for (const char c : name) {
    if (c == ')') --depth;
    if (depth == 0) out += c;
    if (c == '(') ++depth;
  }
  return out;
}

/// Length of `state` as the begin of `name`, with a path or nothing behind it; npos: it is not.
std::size_t match(const std::string& name, const std::string& state) {
  if (state.empty() || !name.starts_with(state)) return std::string::npos;
  if (name.size() == state.size()) return state.size();
  const char next = name[state.size()];
  const bool path = next == '.' || next == '[' || name.compare(state.size(), 2, "->") == 0;
  return path ? state.size() : std::string::npos;
}

/// The part of a path that a program can say: up to what belongs to the standard library.
std::string sayable(std::string_view path) {
  std::size_t at = 0;
  while (at < path.size()) {
    std::size_t next = at;
    if (path[at] == '[') {
      next = path.find(']', at);
      if (next == std::string_view::npos) break;
      const std::string_view index = path.substr(at + 1, next - at - 1);
      if (index.empty() || index.find_first_not_of("0123456789") != std::string_view::npos) break;
      ++next;
    } else {
      next += path[at] == '.' ? 1 : 2;
      if (path[at] != '.' && path.substr(at, 2) != "->") break;
      const std::size_t word = next;
      while (next < path.size() && is_word_char(path[next])) ++next;
      const std::string_view member = path.substr(word, next - word);
      const bool reserved =
          member.starts_with("__") || (member.size() > 1 && member[0] == '_' &&
                                       std::isupper(static_cast<unsigned char>(member[1])) != 0);
      if (member.empty() || reserved) break;
    }
    at = next;
  }
  return std::string(path.substr(0, at));
}

const StateFact* longest(const std::string& name, const SourceFacts& facts, std::size_t& length) {
  const StateFact* best = nullptr;
  for (const StateFact& state : facts.states) {
    const std::size_t size = match(name, display_name(state.name));
    if (size == std::string::npos || (best != nullptr && size <= length)) continue;
    best = &state;
    length = size;
  }
  return best;
}

const StateFact* by_place(const Carrier& carrier, const SourceFacts& facts) {
  if (carrier.line == 0 || carrier.file.empty()) return nullptr;
  for (const StateFact& state : facts.states) {
    if (state.line == carrier.line && state.file.ends_with(carrier.file)) return &state;
  }
  return nullptr;
}

/// A plain variable that the facts do not have: the explanation says enough to try.
const StateFact* make_up(const Carrier& carrier, const std::string& name,
                         std::deque<StateFact>& invented, std::size_t& length) {
  length = 0;
  while (length < name.size() && (is_word_char(name[length]) || name[length] == ':')) ++length;
  if (length == 0 || name.compare(0, 5, "std::") == 0 || carrier.file.empty()) return nullptr;
  if (match(name, name.substr(0, length)) == std::string::npos) return nullptr;
  StateFact& state = invented.emplace_back();
  state.name = name.substr(0, length);
  state.expression = "::" + state.name;
  if (length == name.size()) state.type = carrier.type;
  state.file = carrier.file;
  state.line = carrier.line;
  state.is_thread_local = carrier.key.kind() == CarrierKind::thread_local_variable;
  return &state;
}

}  // namespace

bool Subject::behind_pointer() const {
  return pointee || path.find("->") != std::string::npos ||
         (carrier->key.kind() == CarrierKind::heap && path.empty());
}

bool any_frame_in(const Site& site, const std::string& file, int first, int last) {
  return std::any_of(site.stack.begin(), site.stack.end(), [&](const StackFrame& frame) {
    return !frame.file.empty() && file.ends_with(frame.file) && frame.line >= first &&
           frame.line <= last;
  });
}

bool is_variable(CarrierKind kind) {
  return row_of(kind).memory;
}

std::string display_name(std::string_view name) {
  return without(without(without(std::string(name), "(anonymous namespace)::"), "{anonymous}::"),
                 "[abi:cxx11]");
}

Subject find_subject(const Carrier& carrier, const SourceFacts& facts,
                     std::deque<StateFact>& invented) {
  Subject subject;
  subject.carrier = &carrier;
  if (!is_variable(carrier.key.kind())) return subject;
  std::string name = display_name(carrier.key.name());
  if (name.starts_with("*")) {
    subject.pointee = true;
    name.erase(0, 1);
  }
  std::size_t length = 0;
  subject.state = longest(name, facts, length);
  if (subject.state == nullptr) {
    const std::string plain = without_parameters(name);
    for (const StateFact& state : facts.states) {
      const std::size_t size = match(plain, without_parameters(display_name(state.name)));
      if (size == std::string::npos) continue;
      subject.state = &state;
      name = plain;
      length = size;
    }
  }
  if (subject.state == nullptr && (subject.state = by_place(carrier, facts)) != nullptr) {
    const std::size_t path =
        name.find_first_of(".[-", name.rfind("::") == std::string::npos ? 0 : name.rfind("::"));
    length = path == std::string::npos ? name.size() : path;
  }
  if (subject.state == nullptr) subject.state = make_up(carrier, name, invented, length);
  if (subject.state != nullptr) subject.path = sayable(std::string_view(name).substr(length));
  return subject;
}

}  // namespace gordian::strategies
