// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/facts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "repair/debug_details.h"
#include "repair/lexer.h"
#include "repair/placing.h"
#include "repair/strategies/source_words.h"
#include "symbols/debug_info.h"

namespace gordian {
namespace {

/// Names of classes need their scope from outside; words of the language have none.
std::string written(const std::string& name) {
  constexpr std::array<std::string_view, 15> kWords = {
      "bool", "char",  "char8_t", "char16_t", "char32_t", "wchar_t", "short",   "int",
      "long", "float", "double",  "unsigned", "signed",   "void",    "decltype"};
  const std::string first = name.substr(0, name.find_first_of(" *&[(<"));
  const bool word = std::find(kWords.begin(), kWords.end(), first) != kWords.end();
  return name.empty() || word || first.starts_with("__") ? name : "::" + name;
}

bool is_scalar(const Type& type) {
  return type.kind != TypeKind::structure && type.kind != TypeKind::union_type &&
         type.kind != TypeKind::array && type.kind != TypeKind::opaque &&
         type.kind != TypeKind::function;
}

bool begins_with_any(const std::string& name, std::initializer_list<std::string_view> begins) {
  return std::any_of(begins.begin(), begins.end(),
                     [&](std::string_view begin) { return name.starts_with(begin); });
}

Known copyable(const Type& type) {
  if (type.kind == TypeKind::array) {
    const Type* element = type.target();
    return element == nullptr ? Known::unknown : copyable(*element);
  }
  if (is_scalar(type)) return type.is_reference ? Known::no : Known::yes;
  if (begins_with_any(type.name, {"std::atomic<", "std::mutex", "std::recursive_mutex",
                                  "std::unique_ptr<", "std::thread", "std::basic_ostream<"}))
    return Known::no;
  return Known::unknown;
}

/// What a raw or smart pointer leads to; null: no pointer.
const Type* pointee_of(const Type& type) {
  if (type.kind == TypeKind::pointer && !type.is_reference) {
    const Type* target = type.target();
    return target == nullptr || target->kind == TypeKind::function ? nullptr : target;
  }
  if (!begins_with_any(type.name, {"std::unique_ptr<", "std::shared_ptr<"})) return nullptr;
  return type.type_arguments.empty() ? nullptr : type.type_arguments.front();
}

class StatesReader {
 public:
  StatesReader(const DebugInfo& info, DebugDetails details)
      : info_(info), details_(std::move(details)) {}

  DebugStates read() {
    std::vector<ScoredReset> resets;
    for (const Variable& variable : info_.variables()) {
      if (variable.name.empty() || !seen_.insert(variable.name).second) continue;
      const StateFact& state = result_.states.emplace_back(state_of(variable));
      add_accessors(state, variable);
      add_resets(state, resets);
    }
    result_.resets = best_first(std::move(resets));
    return std::move(result_);
  }

 private:
  StateFact state_of(const Variable& variable) const {
    StateFact state;
    state.name = variable.name;
    state.is_thread_local = variable.thread_local_storage;
    state.file = variable.file;
    state.line = variable.line;
    if (variable.local_static) state.kind = StateKind::local_static;
    add_details(state);
    if (!variable.local_static) state.expression = "::" + variable.name;
    if (const Type* type = info_.type(variable.type_id)) add_type(state, *type);
    return state;
  }

  void add_details(StateFact& state) const {
    const auto found = details_.variables.find(state.name);
    if (found == details_.variables.end()) return;
    const VariableDetails& details = found->second;
    if (details.is_member) state.kind = StateKind::class_static;
    state.internal = !details.external && state.kind == StateKind::global;
    state.is_const = details.is_const;
    state.access = details.access;
    state.owner = details.owner;
    state.header = details.header;
  }

  void add_type(StateFact& state, const Type& type) const {
    state.type = written(type.name);
    state.copyable = copyable(type);
    const Type* pointee = pointee_of(type);
    state.shallow = type.kind == TypeKind::pointer || type.name.starts_with("std::shared_ptr<");
    if (pointee != nullptr) state.pointee = written(pointee->name);
    const Type& object = pointee == nullptr ? type : *pointee;
    if (is_scalar(object)) state.default_constructible = Known::yes;
    if (object.name.starts_with("std::")) return;
    const auto known = details_.classes.find(object.name);
    for (const Member& member : object.members) {
      if (member.is_base || member.name.empty() || member.type == nullptr) continue;
      MemberFact fact{member.name, written(member.type->name), Access::open,
                      copyable(*member.type)};
      if (known != details_.classes.end()) {
        const auto access = known->second.members.find(member.name);
        if (access != known->second.members.end()) fact.access = access->second;
      }
      state.members.push_back(std::move(fact));
    }
  }

  /// The function around a local static, and static members of its class that give such an object.
  void add_accessors(const StateFact& state, const Variable& variable) {
    const Type* type = info_.type(variable.type_id);
    if (type == nullptr || type->kind == TypeKind::opaque) return;
    const auto around = details_.functions.find(state.owner);
    if (state.kind == StateKind::local_static && around != details_.functions.end())
      add_accessor(state, *type, around->second);
    if (state.kind != StateKind::class_static) return;
    const std::string scope = state.owner + "::";
    for (auto it = details_.functions.lower_bound(scope);
         it != details_.functions.end() && it->first.starts_with(scope); ++it) {
      add_accessor(state, *type, it->second);
    }
  }

  void add_accessor(const StateFact& state, const Type& type, const GivingFunction& function) {
    const Type* pointee = pointee_of(type);
    const bool gives_pointee = pointee != nullptr && function.type == pointee->name;
    if (function.type != type.name && !gives_pointee) return;
    result_.accessors.push_back(
        {state.name, function.expression, function.access, false, gives_pointee, function.header});
  }

  void add_resets(const StateFact& state, std::vector<ScoredReset>& resets) const {
    const std::string& type = state.pointee.empty() ? state.type : state.pointee;
    const auto known = details_.classes.find(type.starts_with("::") ? type.substr(2) : type);
    if (known != details_.classes.end())
      add_reset_methods(state, known->second.reset_methods, result_.accessors, resets);
    const auto owner = details_.classes.find(state.owner);
    if (state.kind != StateKind::class_static || owner == details_.classes.end()) return;
    for (ScoredReset reset : owner->second.reset_functions) {
      reset.fact.state = state.name;
      resets.push_back(std::move(reset));
    }
  }

  const DebugInfo& info_;
  DebugDetails details_;
  DebugStates result_;
  std::set<std::string> seen_;
};

}  // namespace

Result<DebugStates> read_debug_states(const std::filesystem::path& binary,
                                      const std::optional<std::filesystem::path>& cache_dir) {
  DebugInfoOptions options;
  options.cache_dir = cache_dir;
  auto info = DebugInfo::open(binary, options);
  if (!info.ok()) return info.error();
  auto module = OpenElf::open(binary);
  if (!module.ok()) return module.error();
  auto debug =
      module->has_debug_info() ? std::move(module) : find_debug_file(*module, options.debug_root);
  if (!debug.ok()) {
    return target_error(binary.string() + " has no debug information",
                        "compile it with -g, or install gordian-facts");
  }
  auto details = read_debug_details(std::move(*debug));
  if (!details.ok()) return details.error();
  return StatesReader(*info, std::move(*details)).read();
}

std::string lex_initializer(const std::string& content, int line, const std::string& name) {
  const Code code(content);
  std::size_t at = 0;
  while (at < code.size() && (code[at].line < line || code.text(at) != name)) ++at;
  if (at >= code.size() || code[at].line != line) return "";
  ++at;
  while (code.text(at) == "[" && code.partner(at) != Code::kNone) at = code.partner(at) + 1;
  const std::string_view sign = code.text(at);
  if (sign != "=" && sign != "{" && sign != "(") return "";
  std::size_t end = at;
  while (end < code.size() && code.text(end) != ";" && code.text(end) != ",") end = code.past(end);
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
    std::ranges::move(lex_tests(file, *content), std::back_inserter(facts.tests));
    std::ranges::move(lex_classes(file, *content), std::back_inserter(facts.fixtures));
    for (StateFact& state : facts.states) {
      if (state.file == file)
        state.initializer = lex_initializer(*content, state.line, strategies::last_of(state.name));
    }
  }
  return facts;
}

}  // namespace gordian
