// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/type_shape.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gordian {
namespace {

/// How far a question may go: types that contain themselves by value exist in damaged files.
struct Bounds {
  int depth = 24;
  int* steps;
  bool exhausted() const { return depth == 0 || --*steps < 0; }
  Bounds deeper() const { return {depth - 1, steps}; }
};
constexpr int kSteps = 4096;

constexpr std::size_t kLongestName = 4096;

Field find_member(const Type& type, std::string_view name, Bounds bounds) {
  if (bounds.exhausted()) return {};
  for (const Member& member : type.members) {
    if (member.type != nullptr && member.name == name && !member.is_base) {
      return {member.type, member.offset};
    }
  }
  for (const Member& member : type.members) {
    if (member.type == nullptr || (!member.is_base && !member.name.empty())) continue;
    Field inner = find_member(*member.type, name, bounds.deeper());
    if (inner) return {inner.type, inner.offset + member.offset};
  }
  return {};
}

bool has_vptr(const Type& type, Bounds bounds) {
  if (bounds.exhausted()) return false;
  for (const Member& member : type.members) {
    if (member.offset != 0 || member.type == nullptr) continue;
    if (is_vptr(member) || (member.is_base && has_vptr(*member.type, bounds.deeper()))) return true;
  }
  return false;
}

std::uint64_t alignment_of(const Type& type, Bounds bounds) {
  if (bounds.exhausted()) return 1;
  if (type.kind == TypeKind::array) {
    const Type* element = type.target();
    return element == nullptr ? 1 : alignment_of(*element, bounds.deeper());
  }
  if (type.kind == TypeKind::structure || type.kind == TypeKind::union_type) {
    std::uint64_t most = 1;
    for (const Member& member : type.members) {
      if (member.type) most = std::max(most, alignment_of(*member.type, bounds.deeper()));
    }
    return most;
  }
  for (std::uint64_t power : {16, 8, 4, 2}) {
    if (type.size != 0 && type.size % power == 0) return power;
  }
  return 1;
}

/// Behind the bracket that closes the one at `open`; npos when there is none.
std::size_t behind_bracket(std::string_view text, std::size_t open) {
  int level = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '<' || text[at] == '(') ++level;
    if ((text[at] == '>' || text[at] == ')') && --level == 0) return at + 1;
  }
  return std::string_view::npos;
}

/// Drops every template argument that begins with `begin` and is written by default.
void drop_argument(std::string& text, std::string_view begin) {
  for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at)) {
    std::size_t end = behind_bracket(text, at + begin.size() - 1);
    if (end == text.npos) return;
    text.erase(at, end - at);
  }
}

}  // namespace

Field find_field(const Type& type, std::string_view path) {
  Field field{&type, 0};
  while (field && !path.empty()) {
    const std::size_t dot = path.find('.');
    int steps = kSteps;
    const Field next = find_member(*field.type, path.substr(0, dot), {.steps = &steps});
    field = {next.type, field.offset + next.offset};
    path = dot == path.npos ? std::string_view() : path.substr(dot + 1);
  }
  return field;
}

std::string_view std_class(const Type& type) {
  std::string_view name = type.name;
  if (type.kind != TypeKind::structure || name.substr(0, 5) != "std::") return {};
  name.remove_prefix(5);
  name = name.substr(0, name.find('<'));
  for (std::string_view inner : {"__cxx11::", "__1::", "__cxx1998::", "_V2::"}) {
    if (name.substr(0, inner.size()) == inner) name.remove_prefix(inner.size());
  }
  return name;
}

bool has_vptr(const Type& type) {
  int steps = kSteps;
  return has_vptr(type, {.steps = &steps});
}

bool is_vptr(const Member& member) {
  return member.name.compare(0, 5, "_vptr") == 0 && member.type != nullptr &&
         member.type->kind == TypeKind::pointer;
}

bool is_plain(const Type& type) {
  switch (type.kind) {
    case TypeKind::boolean:
    case TypeKind::character:
    case TypeKind::integer:
    case TypeKind::natural:
    case TypeKind::enumeration:
      return type.size > 0 && type.size <= 16;
    case TypeKind::floating:
      return type.size > 0 && type.size <= 8;  // a long double has padding
    default:
      return false;
  }
}

bool is_char(const Type& type) {
  return type.kind == TypeKind::character && type.size == 1 && type.name != "signed char" &&
         type.name != "unsigned char";
}

std::uint64_t alignment_of(const Type& type) {
  int steps = kSteps;
  return alignment_of(type, {.steps = &steps});
}

std::string type_text(const Type& type) {
  return common_name(type.name);
}

std::string common_name(std::string text) {
  if (text.size() > kLongestName) return text.substr(0, kLongestName) + "...";
  replace_all(text, "__cxx11::", "");
  replace_all(text, "std::__1::", "std::");
  for (std::string_view argument : {", std::char_traits<", ", std::allocator<", ", std::less<",
                                    ", std::hash<", ", std::equal_to<", ", std::default_delete<"}) {
    drop_argument(text, argument);
  }
  replace_all(text, "std::basic_string_view<char>", "std::string_view");
  replace_all(text, "std::basic_string_view<char >", "std::string_view");
  replace_all(text, "std::basic_string<char>", "std::string");
  replace_all(text, "std::basic_string<char >", "std::string");
  replace_all(text, "std::basic_ostream<char>", "std::ostream");
  replace_all(text, "std::basic_istream<char>", "std::istream");
  while (text.find(" >") != text.npos) replace_all(text, " >", ">");
  return text;
}

bool is_framework_type(const Type& type) {
  return type.name.compare(0, 9, "testing::") == 0;
}

}  // namespace gordian
