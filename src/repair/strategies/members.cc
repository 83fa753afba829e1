// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Member by member, where the whole cannot be copied or is private. Private members are reached by
// an explicit instantiation, in which access is not checked.
#include "repair/strategies/guard.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

const char* const kMembersReason =
    "It is private and the class has no way to reset it; a friend declaration or a reset function "
    "in the class would do as well.";

constexpr std::size_t kWidth = 100;

/// Lets code in the file name a private member; gives the tag to ask for it.
std::string expose(const std::string& of, const std::string& member, const std::string& type,
                   Guard& guard) {
  const std::string tag = camel_name(last_of(of)) + camel_name(plain_name(member)) + "Member";
  const std::string head = "GORDIAN_EXPOSE(" + tag + ", &" + of + "::" + member + ",";
  const bool fits = head.size() + type.size() + 3 <= kWidth;
  guard.scope.push_back(head + (fits ? " " : "\n               ") + type + ");");
  guard.parts.insert("Expose");
  return "expose(" + tag + "())";
}

std::string plain_class(const std::string& type) {
  std::string name = display_name(plain_type(type));
  for (const std::string_view word : {"class ", "struct ", "const "}) {
    if (name.starts_with(word)) name.erase(0, word.size());
  }
  return name;
}

Guards private_static(const Scene& scene, const StateFact& state, const Place& place) {
  if (state.type.find('(') != std::string::npos) {
    return {{}, display_name(state.name) + " has a type that a guard cannot spell"};
  }
  if (state.internal && state.file != place.file) {
    return {{},
            display_name(state.name) + " can be named in " + file_name_of(state.file) + " alone"};
  }
  Guard guard;
  const std::string owner = spelled(scene, "::" + display_name(state.owner), place);
  const std::string tag =
      expose(owner, last_of(display_name(state.name)), plain_type(state.type) + "*", guard);
  guard.name = "ScopedRestore";
  guard.type = plain_type(state.type);
  guard.variable = guard_variable("restore", display_name(state.name));
  guard.arguments = "*" + tag;
  guard.does = "puts " + display_name(state.name) + " back";
  guard.reason = kMembersReason;
  need_header(scene, state.header, owner, place, guard.includes);
  return {{std::move(guard)}, ""};
}

std::string changed_member(const Subject& subject) {
  std::string_view path = subject.path;
  while (!path.empty() && !is_word_char(path.front())) path.remove_prefix(1);
  return std::string(path.substr(0, path.find_first_of(".[-")));
}

/// "p->*", "(*smart).*" (which has no operator ->*) or "object.*".
std::string member_access(const Reach& way, const std::string& object) {
  if (!object.starts_with("*")) return object + ".*";
  const bool raw = way.is_pointee || way.type.ends_with("*");
  return raw ? object.substr(1) + "->*" : "(" + object + ").*";
}

Guard of_member(const Reach& way, const std::string& object, const std::string& class_name,
                const MemberFact& member) {
  Guard guard;
  guard.includes = way.includes;
  guard.scope = way.scope;
  guard.name = "ScopedRestore";
  guard.type = plain_type(member.type);
  guard.variable = guard_variable("restore", member.name);
  if (member.access == Access::open) {
    guard.arguments = with_path(object, "." + member.name);
  } else {
    const std::string tag =
        expose(class_name, member.name, plain_type(member.type) + " " + class_name + "::*", guard);
    guard.arguments = member_access(way, object) + tag;
  }
  guard.does = "puts " + member.name + " of " + object + " back";
  guard.reason =
      member.access == Access::open ? "The whole object cannot be copied." : kMembersReason;
  return guard;
}

}  // namespace

Guards member_guards(const Scene& scene, const Subject& subject, const Place& place) {
  if (std::string why = why_no_variable(subject); !why.empty()) return {{}, std::move(why)};
  const StateFact& state = *subject.state;
  const std::string name = display_name(state.name);
  const Reached reached = reach(scene, state, place);
  if (reached.ways.empty() && state.kind == StateKind::class_static &&
      state.access != Access::open && !subject.behind_pointer()) {
    return private_static(scene, state, place);
  }
  if (reached.ways.empty()) return {{}, reached.why_not};
  const std::string changed = changed_member(subject);
  if (changed.empty()) return {{}, "no single member of " + name + " is known to change"};
  Guards guards{{}, "the members of " + name + " are not known"};
  for (const Reach& way : reached.ways) {
    const bool behind = !way.is_pointee && subject.path.starts_with("->");
    const std::string object = behind ? "*" + way.expression : way.expression;
    const std::string class_name =
        spelled(scene, "::" + plain_class(behind ? state.pointee : way.type), place);
    for (const MemberFact& member : state.members) {
      if (member.name != changed) continue;
      if (member.copyable == Known::no && !plain_type(member.type).starts_with("std::atomic")) {
        guards.why_not = "the member " + member.name + " cannot be copied";
        continue;
      }
      guards.ways.push_back(of_member(way, object, class_name, member));
    }
  }
  return guards;
}

}  // namespace gordian::strategies
