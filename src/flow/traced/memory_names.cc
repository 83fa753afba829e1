// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/traced/memory_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "state/type_shape.h"
#include "state/value_text.h"

namespace gordian {
namespace {

constexpr int kDepth = 40;
constexpr std::size_t kNamedElements = 32;

bool holds(std::uint64_t begin, std::uint64_t size, std::uint64_t address) {
  return address >= begin && address - begin < size;
}

/// Parts that lie inside of the object itself.
bool has_parts(Form form) {
  return form == Form::record || form == Form::tuple || form == Form::maybe ||
         form == Form::choice || form == Form::same;
}

/// Where the next member begins, or the object ends; 0 when its members are not known.
std::uint64_t padding_end(const Contents& contents, const Element& object, std::uint64_t address) {
  if (contents.form != Form::record || contents.elements.empty()) return 0;
  if (!std_class(*object.type).empty()) return 0;  // what its members hide is its own
  std::uint64_t end = object.address + object.type->size;
  for (const Element& element : contents.elements) {
    if (element.address > address) end = std::min(end, element.address);
  }
  return end;
}

/// Bytes that mean nothing.
MemoryNames::Name nobodys(std::uint64_t begin, std::uint64_t end) {
  MemoryNames::Name name;
  name.owner = Owner::library;
  name.range = {begin, end - begin};
  return name;
}

}  // namespace

MemoryNames::MemoryNames(ProgramMemory& program, MemoryView view, std::span<const Mapping> mappings)
    : program_(program), view_(view) {
  for (const Mapping& mapping : mappings) {
    const std::uint64_t begin = mapping.begin.value();
    if (!mapping.writable || !program.is_library_data(begin)) continue;
    LiveVariable data;
    data.variable.name = program.module_of(begin);
    data.variable.size = mapping.end.value() - begin;
    data.variable.owner = Owner::library;
    data.address = begin;
    libraries_.push_back(std::move(data));
  }
  for (const LiveVariable& live : program.variables()) {
    if (live.size() != 0) variables_.push_back(&live);
  }
  std::stable_sort(variables_.begin(), variables_.end(),
                   [](const auto* a, const auto* b) { return a->address < b->address; });
}

const LiveVariable* MemoryNames::variable_at(std::uint64_t address) const {
  auto after = std::upper_bound(variables_.begin(), variables_.end(), address,
                                [](std::uint64_t at, const auto* v) { return at < v->address; });
  for (int steps = 0; after != variables_.begin() && steps < 8; ++steps) {
    --after;
    if (holds((*after)->address, (*after)->size(), address)) return *after;
  }
  return nullptr;
}

MemoryNames::Name MemoryNames::name_of(const LiveVariable& root, std::string text, const Type* type,
                                       ByteRange range, bool heap) const {
  Name name;
  name.owner = root.variable.owner;
  name.range = range;
  const CarrierKind kind = heap                                 ? CarrierKind::heap
                           : root.variable.thread_local_storage ? CarrierKind::thread_local_variable
                                                                : CarrierKind::variable;
  name.state.key = {kind, NameKey{std::move(text)}};
  if (type != nullptr) name.state.type = type_text(*type);
  name.state.file = root.variable.file;
  name.state.line = root.variable.line;
  return name;
}

MemoryNames::Part MemoryNames::part_at(Element object, std::uint64_t address) {
  Part part{object, {}};
  for (int depth = 0; depth < kDepth; ++depth) {
    const Contents contents =
        contents_of(*view_.memory, *part.element.type, part.element.address, kNamedElements);
    if (contents.in_a_row() && contents.fixed && contents.stride != 0) {
      const std::uint64_t index = (address - contents.base) / contents.stride;
      if (index >= contents.total || contents.form == Form::text) return part;
      part.element = contents.at(index);
      part.suffix += fmt::format("[{}]", index);
      continue;
    }
    if (!has_parts(contents.form)) return part;
    const auto inner = std::find_if(
        contents.elements.begin(), contents.elements.end(), [&](const Element& element) {
          return element.type != nullptr && holds(element.address, element.type->size, address);
        });
    if (inner == contents.elements.end()) {
      part.padding = padding_end(contents, part.element, address);
      return part;
    }
    const bool named = inner->member != nullptr && !inner->member->name.empty() &&
                       !inner->member->is_base && !is_vptr(*inner->member);
    if (named) part.suffix += "." + inner->member->name;
    part.element = *inner;
  }
  return part;
}

std::optional<MemoryNames::Name> MemoryNames::variable_name(std::uint64_t address) {
  const LiveVariable* live = variable_at(address);
  if (live == nullptr) return std::nullopt;
  const ByteRange all{live->address, live->size()};
  if (live->type == nullptr) return name_of(*live, live->variable.name, nullptr, all, false);
  const Part part = part_at({live->type, live->address}, address);
  if (part.padding > address) return nobodys(address, part.padding);
  const ByteRange range{part.element.address, std::max<std::uint64_t>(part.element.type->size, 1)};
  return name_of(*live, live->variable.name + part.suffix, part.element.type, range, false);
}

/// Of several ranges around it the smallest.
std::optional<MemoryNames::Name> MemoryNames::heap_name(std::uint64_t address) {
  const Found* best = nullptr;
  ByteRange range;
  for (auto it = found_.upper_bound(address); it != found_.begin();) {
    --it;
    if (address - it->first > largest_) break;
    const std::uint64_t size = it->second.end - it->first;
    if (address >= it->second.end || (best != nullptr && size >= range.size)) continue;
    best = &it->second;
    range = {it->first, size};
  }
  if (best == nullptr) return std::nullopt;
  if (best->type == nullptr) {
    return name_of(*best->root, best->name, nullptr, range, best->on_heap);
  }
  const Part part = part_at({best->type, range.begin}, address);
  if (part.padding > address) return nobodys(address, part.padding);
  range = {part.element.address, std::max<std::uint64_t>(part.element.type->size, 1)};
  std::string text = best->name + part.suffix;
  if (!part.suffix.empty() && part.suffix[0] == '.' && text.starts_with('*')) {
    text = best->name.substr(1) + "->" + part.suffix.substr(1);
  }
  return name_of(*best->root, std::move(text), part.element.type, range, best->on_heap);
}

std::optional<MemoryNames::Name> MemoryNames::at(std::uint64_t address) {
  if (auto name = variable_name(address)) return name;
  if (!program_.module_of(address).empty()) {  // of a library, or between variables
    return nobodys(address, (address | 7) + 1);
  }
  return heap_name(address);
}

}  // namespace gordian
