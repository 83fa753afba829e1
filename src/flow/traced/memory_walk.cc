// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// MemoryNames: the way to objects on the heap. Breadth first from each variable, the program's own
// before all others: of several ways the first one found gives the name.
#include <algorithm>
#include <vector>

#include "flow/traced/memory_names.h"
#include "state/type_shape.h"
#include "state/value_text.h"

namespace gordian {
namespace {

constexpr int kWalkDepth = 40;
constexpr std::size_t kMostObjects = 400'000;  // of all variables together
constexpr std::size_t kMostElements = 50'000, kWalkedElements = 32;
constexpr std::uint64_t kLargestScan = 1 << 20;

}  // namespace

void MemoryNames::find_heap(const RangeSet& wanted) {
  wanted_ = &wanted;
  left_ = kMostObjects;
  for (Owner owner : {Owner::program, Owner::framework, Owner::library}) {
    for (const LiveVariable* live : variables_) {
      if (live->variable.owner == owner) walk(*live);
    }
  }
  for (const LiveVariable& data : libraries_) walk(data);
  wanted_ = nullptr;
}

void MemoryNames::walk(const LiveVariable& root) {
  root_ = &root;
  const ValuePaths::Id path = paths_.start(root.variable.name);
  queue_.assign(1, {root.type, root.address, root.size(), path, false});
  while (!queue_.empty() && left_ > 0) {
    const Object next = queue_.front();
    queue_.pop_front();
    visit(next, 0);
  }
  queue_.clear();
}

void MemoryNames::add(ByteRange range, const Object& object) {
  if (wanted_ == nullptr || !wanted_->touches(range)) return;
  found_.emplace(range.begin,
                 Found{range.end(), paths_.text(object.path), object.type, root_, object.on_heap});
  largest_ = std::max(largest_, range.size);
}

/// The block of the heap that a part of a container lies in is the container's.
void MemoryNames::own_block(std::uint64_t address, const Object& by) {
  const auto block = view_.heap->block_of(address);
  if (!block) return;
  Object untyped = by;
  untyped.type = nullptr;
  add(*block, untyped);
}

void MemoryNames::visit(const Object& object, int depth) {
  if (left_ == 0 || depth > kWalkDepth) return;
  --left_;
  if (object.type == nullptr) return visit_words(object);
  const Contents contents = contents_of(*view_.memory, *object.type, object.address, kMostElements);
  switch (contents.form) {
    case Form::plain:
      return;
    case Form::pointer:
      return follow(object, contents);
    case Form::callable:
    case Form::stream:
    case Form::unknown:
    case Form::damaged:
      return visit_words({nullptr, object.address, object.type->size, object.path, object.on_heap});
    case Form::bits:
      return own_block(contents.base, object);
    default:
      break;
  }
  if (contents.in_a_row()) return visit_row(object, contents, depth);
  visit_parts(object, contents, depth);
}

void MemoryNames::visit_row(const Object& object, const Contents& contents, int depth) {
  const bool inside = contents.base >= object.address &&
                      contents.base < object.address + std::max<std::uint64_t>(object.size, 1);
  if (!inside) own_block(contents.base, object);
  if (contents.form == Form::text || is_plain(*contents.row_type)) return;
  const bool named = contents.total <= kWalkedElements;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(contents.total, kMostElements); ++i) {
    const Element element = contents.at(i);
    const ValuePaths::Id path = named ? paths_.index(object.path, i) : object.path;
    const Object part{element.type, element.address, element.type->size, path,
                      object.on_heap || !inside};
    if (!inside && named) add({part.address, part.size}, part);
    visit(part, depth + 1);
  }
}

void MemoryNames::visit_parts(const Object& object, const Contents& contents, int depth) {
  const bool container = contents.form == Form::sequence || contents.form == Form::set ||
                         contents.form == Form::mapping;
  const bool named = contents.elements.size() <= kWalkedElements;
  for (std::size_t i = 0; i < contents.elements.size(); ++i) {
    const Element& element = contents.elements[i];
    if (element.type == nullptr) continue;
    Object part{element.type, element.address, element.type->size, object.path,
                object.on_heap || container};
    if (contents.form == Form::mapping && named && element.key_type != nullptr) {
      part.path = paths_.key(
          object.path, value_text(view_, program_.names(), *element.key_type, element.key_address));
    } else if (contents.form == Form::sequence && named) {
      part.path = paths_.index(object.path, i);
    } else if (element.member != nullptr && !element.member->is_base &&
               !element.member->name.empty()) {
      part.path = paths_.member(object.path, element.member->name);
    }
    if (container) {
      own_block(element.address, object);
      if (named && contents.form != Form::set) add({part.address, part.size}, part);
    }
    visit(part, depth + 1);
  }
}

void MemoryNames::follow(const Object& pointer, const Contents& contents) {
  if (contents.target == 0 || contents.expired) return;
  const auto block = view_.heap->block_of(contents.target);
  if (!block || !seen_.insert(block->begin).second) return;
  Object target{nullptr, block->begin, block->size, paths_.target(pointer.path), true};
  add(*block, target);
  const Type* type = contents.target_type;
  if (type != nullptr && type->size != 0 && type->kind != TypeKind::opaque &&
      type->kind != TypeKind::function) {
    const Element pointee = pointee_of(*view_.memory, program_.names(), *type, contents.target);
    const bool foreign = is_framework_type(*pointee.type);
    if (foreign && root_->variable.owner == Owner::program) {
      seen_.erase(block->begin);  // named from the framework's own variables, if at all
      return;
    }
    target = {pointee.type, pointee.address, pointee.type->size, target.path, true};
    add({target.address, target.size}, target);
  }
  queue_.push_back(target);
}

/// Bytes without a type: every word may be a pointer.
void MemoryNames::visit_words(const Object& object) {
  const std::uint64_t size = std::min(object.size, kLargestScan) & ~std::uint64_t{7};
  std::vector<std::uint64_t> words(size / 8);
  const std::uint64_t begin = (object.address + 7) & ~std::uint64_t{7};
  if (words.empty() || !view_.memory->read(begin, words.data(), words.size() * 8)) return;
  for (std::uint64_t word : words) {
    const auto block = view_.heap->block_of(word);
    if (!block || !seen_.insert(block->begin).second) continue;
    const Object target{nullptr, block->begin, block->size, object.path, true};
    add(*block, target);
    queue_.push_back(target);
  }
}

}  // namespace gordian
