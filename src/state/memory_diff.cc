// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/memory_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "frameworks/framework_traits.h"
#include "runtime/native/wire_memory.h"
#include "state/process_image.h"
#include "state/type_shape.h"

namespace gordian {
namespace {

constexpr std::uint64_t kComparedPage = 4096, kGranule = 8;
constexpr std::uint64_t kAtOnce = 256 * 1024;
constexpr std::uint64_t kReservedSpan = std::uint64_t{4} << 30;
constexpr std::uint64_t kLargestConstants = 64 << 20;

/// A buffer of bytes may be the storage of an object that only a pointer knows the type of.
bool may_be_storage(const LiveVariable& live) {
  if (live.type == nullptr) return true;
  const Type* type = live.type;
  if (type->kind == TypeKind::union_type) return true;
  if (type->kind != TypeKind::array) return false;
  const Type* element = type->target();
  return element == nullptr || (element->size == 1 && element->kind == TypeKind::character);
}

RangeSet roots_of(std::span<const LiveVariable> variables) {
  std::vector<ByteRange> roots;
  for (const LiveVariable& live : variables) {
    if (!may_be_storage(live)) roots.push_back({live.address, live.size()});
  }
  return RangeSet(std::move(roots));
}

bool initialised_since(const LiveVariable& live, const MemoryView& before,
                       const MemoryView& after) {
  if (live.guard == 0) return false;
  const auto was = before.memory->value<unsigned char>(live.guard);
  const auto is = after.memory->value<unsigned char>(live.guard);
  return was == 0 && is && *is != 0;
}

StateChange change_of(const LiveVariable& live, Difference difference, bool first_use) {
  StateChange change;
  Carrier& carrier = change.carrier;
  const bool of_thread = live.variable.thread_local_storage;
  const CarrierKind kind = difference.on_heap ? CarrierKind::heap
                           : of_thread        ? CarrierKind::thread_local_variable
                                              : CarrierKind::variable;
  carrier.key = {kind, NameKey{std::move(difference.name)}};
  carrier.type = std::move(difference.type);
  if (!first_use) carrier.old_value = std::move(difference.old_text);
  carrier.new_value = std::move(difference.new_text);
  carrier.file = live.variable.file;
  carrier.line = live.variable.line;
  change.root = {live.address, live.size()};
  change.words = std::move(difference.words);
  change.old_words = std::move(difference.old_words);
  change.object = difference.object;
  change.old_object = difference.old_object;
  change.bare = difference.bare;
  change.first_use = first_use;
  return change;
}

/// What was first used in between, as a whole with its guard: put back, it is made anew. Its
/// members alone cannot be, since they had no value before.
StateChange first_use_of(const LiveVariable& live, const std::vector<Difference>& found) {
  constexpr std::uint64_t kGuardSize = 8;
  StateChange change;
  Carrier& carrier = change.carrier;
  const bool of_thread = live.variable.thread_local_storage;
  carrier.key = {of_thread ? CarrierKind::thread_local_variable : CarrierKind::variable,
                 NameKey{common_name(live.variable.name)}};
  carrier.type = live.type != nullptr ? live.type->name : "";
  change.bare = live.type == nullptr || live.type->kind == TypeKind::array;
  carrier.new_value = "initialised";
  carrier.file = live.variable.file;
  carrier.line = live.variable.line;
  change.root = change.object = change.old_object = {live.address, live.size()};
  for (const Difference& difference : found) {
    for (const ByteRange& word : difference.words) {
      const bool inside =
          word.begin >= live.address && word.begin + word.size <= live.address + change.root.size;
      if (inside) change.words.push_back(word);
    }
  }
  change.words.push_back(change.root);
  change.words.push_back({live.guard, kGuardSize});
  change.old_words = change.words;
  change.first_use = true;
  return change;
}

std::uint64_t bytes_of(const StateChange& change) {
  std::uint64_t bytes = 0;
  for (const ByteRange& range : change.words) bytes += range.size;
  return bytes;
}

bool likelier(const StateChange& a, const StateChange& b) {
  if (a.first_use != b.first_use) return b.first_use;
  return bytes_of(a) < bytes_of(b);
}

/// Walks the variables of one owner, each address once.
class Walk {
 public:
  Walk(MemoryView before, MemoryView after, const ProgramNames& names, CompareOptions options)
      : before_(before), after_(after), comparer_(before, after, names, std::move(options)) {}

  void add(const LiveVariable& live, std::vector<StateChange>& to) {
    const std::uint64_t size = live.size(), at = live.address;
    if (size == 0 || !seen_.insert(at).second) return;
    const std::string name = common_name(live.variable.name);
    auto found = live.type != nullptr ? comparer_.differences(name, *live.type, at, at)
                                      : comparer_.untyped_differences(name, size, at, at);
    if (found.empty()) return;
    const bool first_use = initialised_since(live, before_, after_);
    std::optional<StateChange> whole;
    if (first_use && size > kGranule) whole = first_use_of(live, found);
    for (Difference& difference : found) {
      const auto& object = difference.object;
      const bool known = !reported_.insert(object.begin ^ (object.size << 48)).second;
      if (!known) to.push_back(change_of(live, std::move(difference), first_use));
    }
    if (whole) to.push_back(std::move(*whole));
  }

  bool truncated() const { return comparer_.truncated(); }

 private:
  MemoryView before_, after_;
  ValueComparer comparer_;
  std::unordered_set<std::uint64_t> seen_, reported_;
};

/// Notes what is read of another image.
class NotingImage : public MemoryImage {
 public:
  explicit NotingImage(const MemoryImage& image) : image_(image) {}
  bool read(std::uint64_t address, void* to, std::size_t size) const override {
    if (!ranges_.empty() && ranges_.back().end() == address) {
      ranges_.back().size += size;
    } else if (ranges_.empty() || ranges_.back().begin > address ||
               ranges_.back().end() < address + size) {
      ranges_.push_back({address, size});
    }
    return image_.read(address, to, size);
  }
  std::vector<ByteRange> take() { return std::move(ranges_); }

 private:
  const MemoryImage& image_;
  mutable std::vector<ByteRange> ranges_;
};

/// Memory that tests can have changed: also constants, which somebody may have made writable for a
/// while.
bool may_change(const Mapping& mapping) {
  const std::uint64_t size = range_of(mapping).size;
  if (mapping.writable) return !mapping.path.empty() || size <= kReservedSpan;
  return mapping.readable && !mapping.executable && !mapping.path.empty() &&
         mapping.path[0] == '/' && size <= kLargestConstants;
}

/// Adds the granules that differ between two buffers that begin at `at`.
void add_granules(const std::vector<unsigned char>& a, const std::vector<unsigned char>& b,
                  std::uint64_t at, std::vector<ByteRange>& to) {
  for (std::size_t i = 0; i < a.size(); i += kGranule) {
    const std::size_t part = std::min<std::size_t>(kGranule, a.size() - i);
    if (std::memcmp(&a[i], &b[i], part) == 0) continue;
    if (!to.empty() && to.back().end() == at + i) {
      to.back().size += part;
    } else {
      to.push_back({at + i, part});
    }
  }
}

void add_changed(const MemoryImage& before, const MemoryImage& after, ByteRange range,
                 std::vector<ByteRange>& to) {
  std::vector<unsigned char> a(range.size), b(range.size);
  const bool there = before.read(range.begin, a.data(), range.size);
  const bool still = after.read(range.begin, b.data(), range.size);
  if (there && still) {
    if (std::memcmp(a.data(), b.data(), range.size) != 0) add_granules(a, b, range.begin, to);
  } else if (range.size > kComparedPage) {
    for (std::uint64_t at = range.begin; at < range.end(); at += kComparedPage) {
      add_changed(before, after, {at, std::min(kComparedPage, range.end() - at)}, to);
    }
  } else if (there != still) {
    to.push_back(range);
  }
}

/// In the order of the variables.
MemoryDiff walk_all(std::span<const LiveVariable> variables, MemoryView before, MemoryView after,
                    const ProgramNames& names, CompareOptions options) {
  MemoryDiff diff;
  Walk program(before, after, names, options);
  options.enter_framework = true;
  Walk others(before, after, names, options);
  for (const LiveVariable& live : variables) {
    const bool own = live.variable.owner == Owner::program;
    (own ? program : others).add(live, own ? diff.program : diff.others);
  }
  diff.truncated = program.truncated() || others.truncated();
  return diff;
}

}  // namespace

MemoryDiff state_changes(std::span<const LiveVariable> variables, MemoryView before,
                         MemoryView after, const RangeSet& changed, const ProgramNames& names,
                         const CompareLimits& limits) {
  if (changed.empty()) return {};
  const RangeSet roots = roots_of(variables);
  MemoryDiff diff = walk_all(variables, before, after, names, {limits, &changed, &roots, false});
  std::stable_sort(diff.program.begin(), diff.program.end(), likelier);
  return diff;
}

std::optional<RangeSet> reached_bytes(std::span<const LiveVariable> variables, MemoryView view,
                                      const ProgramNames& names, const CompareLimits& limits) {
  const RangeSet roots = roots_of(variables);
  NotingImage memory(*view.memory);
  HeapBlocks heap = *view.heap;
  std::vector<ByteRange> fields;
  heap.note_fields(&fields);
  const MemoryView noting{&memory, &heap};
  // Without `changed`: what is passed over because it did not change is not read.
  const CompareOptions options{limits, nullptr, &roots, false};
  if (walk_all(variables, noting, noting, names, options).truncated) return std::nullopt;
  std::vector<ByteRange> reached = memory.take();
  reached.insert(reached.end(), fields.begin(), fields.end());
  return RangeSet(std::move(reached));
}

std::vector<Mapping> program_mappings(pid_t pid) {
  std::vector<Mapping> mappings = read_mappings(pid);
  const std::string channel = fmt::format("/memfd:{}", kWireFile);
  std::erase_if(mappings, [&](const Mapping& m) { return m.path.starts_with(channel); });
  return mappings;
}

std::vector<ByteRange> writable_ranges(std::span<const Mapping> mappings) {
  std::vector<ByteRange> ranges;
  for (const Mapping& mapping : mappings) {
    if (!mapping.readable || !mapping.writable) continue;
    ranges.push_back(range_of(mapping));
  }
  return ranges;
}

RangeSet changed_ranges(const MemoryImage& before, const MemoryImage& after,
                        std::span<const Mapping> mappings) {
  std::vector<ByteRange> ranges;
  for (const Mapping& mapping : mappings) {
    const std::uint64_t end = mapping.end.value();
    if (mapping.end <= mapping.begin || !may_change(mapping)) continue;
    for (std::uint64_t at = mapping.begin.value(); at < end; at += kAtOnce) {
      add_changed(before, after, {at, std::min(kAtOnce, end - at)}, ranges);
    }
  }
  return RangeSet(std::move(ranges));
}

bool is_bookkeeping(std::string_view name) {
  return any_framework([name](const FrameworkTraits& traits) {
    return std::any_of(traits.bookkeeping.begin(), traits.bookkeeping.end(),
                       [name](std::string_view part) { return name.find(part) != name.npos; });
  });
}

void call_flag_by_name(Carrier& carrier) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    const std::string_view prefix = traits->flag_prefix;
    const std::string& variable = carrier.key.name();
    if (prefix.empty() || !variable.starts_with(prefix)) continue;
    carrier.key = {CarrierKind::flag, NameKey{variable.substr(prefix.size())}};
    return;
  }
}

}  // namespace gordian
