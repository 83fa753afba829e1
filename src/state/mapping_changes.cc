// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/mapping_changes.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "state/external/external_kinds.h"
#include "state/process_image.h"
#include "state/type_shape.h"
#include "state/value_text.h"

namespace gordian {
namespace {

using changes::Text;

constexpr std::uint64_t kMostContent = 64 << 20;
constexpr std::uint64_t kReserved = std::uint64_t{4} << 30;
constexpr std::uint64_t kGap = 4096;  // changes that stand so close belong together
constexpr std::size_t kMostChanges = 40;

std::string size_text(std::uint64_t bytes) {
  if (bytes % (1 << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  return bytes % 1024 == 0 ? fmt::format("{} KiB", bytes >> 10) : fmt::format("{} bytes", bytes);
}

std::string rights_text(const Mapping& mapping) {
  std::string text;
  auto add = [&](bool has, const char* word) {
    if (has) text += (text.empty() ? "" : ", ") + std::string(word);
  };
  add(mapping.readable, "readable");
  add(mapping.writable, "writable");
  add(mapping.executable, "executable");
  return text.empty() ? "no access" : text;
}

int protection(const Mapping& mapping) {
  return (mapping.readable ? PROT_READ : 0) | (mapping.writable ? PROT_WRITE : 0) |
         (mapping.executable ? PROT_EXEC : 0);
}

/// Shared memory without a file has a name of the kernel's.
bool is_anonymous(const Mapping& mapping) {
  return mapping.path.empty() || mapping.path == "/dev/zero (deleted)";
}

bool same(const Mapping* a, const Mapping* b) {
  if (!a || !b) return a == b;
  return protection(*a) == protection(*b) && a->path == b->path && a->shared == b->shared;
}

std::string kind_text(const Mapping& mapping, std::uint64_t size) {
  std::string text = is_anonymous(mapping) ? "anonymous" : mapping.path;
  if (mapping.shared) text += ", shared";
  return text + ", " + size_text(size);
}

/// Memory with the same history.
struct Piece {
  ByteRange range;
  const Mapping *was = nullptr, *is = nullptr;
};

std::vector<Piece> pieces_that_differ(std::span<const Mapping> before,
                                      std::span<const Mapping> after) {
  std::set<std::uint64_t> ends;
  for (std::span<const Mapping> mappings : {before, after}) {
    for (const Mapping& mapping : mappings) {
      ends.insert({mapping.begin.value(), mapping.end.value()});
    }
  }
  std::vector<Piece> pieces;
  for (auto at = ends.begin(); at != ends.end() && std::next(at) != ends.end(); ++at) {
    const Piece piece{{*at, *std::next(at) - *at}, mapping_at(before, *at), mapping_at(after, *at)};
    if (same(piece.was, piece.is)) continue;
    const bool goes_on = !pieces.empty() && pieces.back().range.end() == *at &&
                         same(pieces.back().was, piece.was) && same(pieces.back().is, piece.is);
    if (goes_on) {
      pieces.back().range.size += piece.range.size;
    } else {
      pieces.push_back(piece);
    }
  }
  return pieces;
}

using Content = std::vector<std::pair<std::uint64_t, std::string>>;  ///< bytes by address

std::optional<Content> content_of(const MemoryImage& image, std::span<const ByteRange> ranges) {
  Content content;
  std::uint64_t total = 0;
  for (const ByteRange& range : ranges) {
    total += range.size;
    if (total > kMostContent) return std::nullopt;
    auto bytes = bytes_at(image, range);
    if (!bytes) return std::nullopt;
    content.emplace_back(range.begin, std::move(*bytes));
  }
  return content;
}

bool write_content(HeldProcess& held, const Content& content) {
  return std::all_of(content.begin(), content.end(), [&](const auto& piece) {
    return write_memory(held.pid(), piece.first, piece.second);
  });
}

std::int64_t number(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

bool remove(HeldProcess& held, ByteRange range) {
  return held.system_call(SYS_munmap, {number(range.begin), number(range.size)}) == 0;
}

/// Memory without a file can be made again; what a file was mapped at is not known.
bool make(HeldProcess& held, ByteRange range, const Mapping& as, const Content& content) {
  const int flags = MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | (as.shared ? MAP_SHARED : MAP_PRIVATE);
  const std::int64_t made =
      held.system_call(SYS_mmap, {number(range.begin), number(range.size), protection(as), flags,
                                  std::int64_t{-1}, std::int64_t{0}});
  return made == number(range.begin) && write_content(held, content);
}

bool protect(HeldProcess& held, ByteRange range, int rights) {
  return held.system_call(SYS_mprotect, {number(range.begin), number(range.size), rights}) == 0;
}

/// Modules come and go as a whole, with books that the loader keeps.
bool is_module(const Mapping& mapping, const MappingMoment& moment) {
  if (is_anonymous(mapping)) return false;
  return std::any_of(moment.mappings.begin(), moment.mappings.end(), [&](const Mapping& other) {
    return other.executable && other.path == mapping.path;
  });
}

class Finder {
 public:
  Finder(const MappingMoment& before, const MappingMoment& after, const RangeSet& changed,
         const MappingOwners& owners)
      : before_(before), after_(after), changed_(changed), owners_(owners) {}

  std::vector<ExternalChange> find() {
    for (const Piece& piece : pieces_that_differ(before_.mappings, after_.mappings)) {
      if (found_.size() < kMostChanges && may_be_programs(piece)) add(piece);
    }
    add_contents();
    std::stable_partition(found_.begin(), found_.end(), [](const ExternalChange& change) {
      return !change.carrier.file.empty();
    });
    return std::move(found_);
  }

 private:
  bool is_others(ByteRange range) const {
    return owners_.others.touches(range) ||
           (owners_.agents.touches(range) && !owners_.pointer_to(range));
  }

  bool may_be_programs(const Piece& piece) const {
    const Mapping& shown = piece.is ? *piece.is : *piece.was;
    if (is_others(piece.range) || piece.range.size > kReserved) return false;
    if (piece.was && piece.is) return same_but_rights(piece);
    // What malloc and the loader keep for later has no rights.
    if (protection(shown) == 0 || is_module(shown, piece.is ? after_ : before_)) return false;
    const HeapBlocks* heap = piece.is ? after_.view.heap : before_.view.heap;
    return !heap->has_block_in(piece.range);
  }

  static bool same_but_rights(const Piece& piece) {
    return piece.was->path == piece.is->path && piece.was->shared == piece.is->shared;
  }

  void add(const Piece& piece) {
    const ByteRange range = piece.range;
    const Mapping& shown = piece.is ? *piece.is : *piece.was;
    changes::Reset reset;
    if (!piece.was) {
      reset = [range](HeldProcess& held) { return remove(held, range); };
    } else if (piece.is) {
      reset = [range, rights = protection(*piece.was)](HeldProcess& held) {
        return protect(held, range, rights);
      };
    } else {
      auto content = content_of(*before_.view.memory, {&range, 1});
      if (!content || !is_anonymous(shown)) return;
      reset = [range, was = *piece.was, content = std::move(*content)](HeldProcess& held) {
        return make(held, range, was, content);
      };
    }
    StateEvents events{
        .writing_calls = {SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap},
        .reading_calls = {SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_mincore,
                          SYS_msync, SYS_mlock, SYS_read, SYS_write, SYS_pread64, SYS_pwrite64,
                          SYS_recvfrom, SYS_sendto},
        .memory = range};
    Text was = piece.was ? Text(rights_text(*piece.was)) : Text();
    Text is = piece.is ? Text(rights_text(*piece.is)) : Text();
    push(range, shown, std::move(was), std::move(is), std::move(reset), std::move(events), {});
  }

  void push(ByteRange range, const Mapping& mapping, Text was, Text is, changes::Reset reset,
            StateEvents events, std::vector<ByteRange> words) {
    const auto pointer = owners_.pointer_to(range);
    std::string name = pointer ? pointer->name : fmt::format("memory at {:#x}", range.begin);
    ExternalChange change =
        changes::changed({CarrierKind::mapping, NameKey{std::move(name)}}, std::move(was),
                         std::move(is), std::move(reset), std::move(events));
    change.carrier.type = kind_text(mapping, range.size);
    if (pointer) {
      change.carrier.file = pointer->file;
      change.carrier.line = pointer->line;
    }
    change.words = std::move(words);
    found_.push_back(std::move(change));
  }

  /// Where it is the same mapping as before, but holds something else.
  void add_contents() {
    std::vector<ByteRange> together;
    const Mapping* around = nullptr;
    for (const ByteRange& range : changed_.ranges()) {
      const Mapping* mapping = mapping_at(after_.mappings, range.begin);
      if (!holds_content(mapping, range)) continue;
      if (mapping != around || range.begin - together.back().end() > kGap) {
        add_content(around, together);
        together.clear();
      }
      around = mapping;
      together.push_back(range);
    }
    add_content(around, together);
  }

  bool holds_content(const Mapping* mapping, ByteRange range) const {
    if (!mapping || !mapping->writable || is_others(range)) return false;
    if (owners_.named.covers(range)) return false;
    if (!mapping->path.empty() && !mapping->shared) return false;
    if (after_.view.heap->has_block_in({range.begin & ~(kGap - 1), kGap})) return false;
    if (after_.view.heap->block_of(range.begin)) return false;
    return same(mapping_at(before_.mappings, range.begin), mapping);
  }

  void add_content(const Mapping* mapping, const std::vector<ByteRange>& ranges) {
    if (ranges.empty() || found_.size() >= kMostChanges) return;
    auto content = content_of(*before_.view.memory, ranges);
    if (!content) return;
    const ByteRange all{ranges.front().begin, ranges.back().end() - ranges.front().begin};
    push(
        all, *mapping, bytes_text(before_, ranges.front()), bytes_text(after_, ranges.front()),
        [content = std::move(*content)](HeldProcess& held) { return write_content(held, content); },
        {}, {{ranges.front().begin, std::min<std::uint64_t>(ranges.front().size, 8)}});
  }

  static std::string bytes_text(const MappingMoment& moment, ByteRange range) {
    constexpr std::uint64_t kShown = 8;
    std::string bytes(std::min(range.size, kShown), '\0');
    moment.view.memory->read(range.begin, bytes.data(), bytes.size());
    const bool text =
        std::all_of(bytes.begin(), bytes.end(), [](char c) { return c >= ' ' && c <= '~'; });
    std::string shown = text ? '"' + escaped(bytes, '"') + '"' : std::string();
    for (char c : bytes) {
      if (!text) shown += fmt::format("{}{:02x}", shown.empty() ? "" : " ", c & 0xff);
    }
    return range.size > kShown ? shown + "..." : shown;
  }

  const MappingMoment &before_, &after_;
  const RangeSet& changed_;
  const MappingOwners& owners_;
  std::vector<ExternalChange> found_;
};

bool overlap(ByteRange a, ByteRange b) {
  return a.begin < b.end() && b.begin < a.end();
}

/// Calls that do something to a mapping, or to what is in it. The kernel chooses the address of
/// most new ones: then their size has to tell.
bool uses_memory(const TraceEvent& event, ByteRange memory) {
  const auto& a = event.arguments;
  const std::uint64_t size = (a[1] + 4095) & ~std::uint64_t{4095};
  switch (event.syscall) {
    case SYS_mmap:
      return a[0] == 0 ? size == memory.size : overlap({a[0], size}, memory);
    case SYS_munmap:
    case SYS_mprotect:
    case SYS_mremap:
    case SYS_madvise:
    case SYS_mincore:
    case SYS_msync:
    case SYS_mlock:
      return overlap({a[0], size}, memory);
    default:
      return a[1] >= memory.begin && a[1] < memory.end();  // read() and its kin: the buffer
  }
}

bool uses_mapping(const TraceEvent& event, const StateEvents& events, const MemoryImage&) {
  return !events.memory || uses_memory(event, *events.memory);
}

constexpr std::uint64_t kLargestGuard = 64 * 1024;
constexpr std::uint64_t kLargestVariable = 64 * 1024;

bool has_no_access(const Mapping& mapping) {
  return !mapping.readable && !mapping.writable && !mapping.executable;
}

/// glibc puts a page without rights below the stack of a thread.
bool follows_guard(std::span<const Mapping> mappings, std::size_t i) {
  if (i == 0 || !mappings[i].path.empty()) return false;
  const Mapping& below = mappings[i - 1];
  return has_no_access(below) && below.end == mappings[i].begin &&
         range_of(below).size <= kLargestGuard;
}

/// Words in `data` that point into a mapping.
bool points_into(const std::string& data, ByteRange range) {
  for (std::size_t at = 0; at + 8 <= data.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data.data() + at, 8);
    if (word >= range.begin && word < range.end()) return true;
  }
  return false;
}

/// Everything of the agent's module that can be read, page by page.
std::string data_of(const MemoryImage& image, ByteRange agent) {
  constexpr std::uint64_t kSmallPage = 4096;
  std::string data;
  for (std::uint64_t at = agent.begin; at < agent.end(); at += kSmallPage) {
    data += bytes_at(image, {at, kSmallPage}).value_or("");
  }
  return data;
}

bool is_pointer(const LiveVariable& live) {
  return live.type != nullptr && live.type->kind == TypeKind::pointer;
}

}  // namespace

const ExternalKind kinds::mappings = {.kind = CarrierKind::mapping, .concerns = uses_mapping};

std::vector<ExternalChange> mapping_changes(const MappingMoment& before, const MappingMoment& after,
                                            const RangeSet& changed, const MappingOwners& owners) {
  return Finder(before, after, changed, owners).find();
}

std::optional<PointingVariable> pointer_into(ByteRange range,
                                             std::span<const LiveVariable> variables,
                                             const MemoryImage& image) {
  std::optional<PointingVariable> best;
  for (const LiveVariable& live : variables) {
    if (live.variable.owner != Owner::program || live.variable.size > kLargestVariable) continue;
    if (!points_into(bytes_at(image, {live.address, live.variable.size}).value_or(""), range))
      continue;
    const std::string name = common_name(live.variable.name);
    PointingVariable found{is_pointer(live) ? "*" + name : "memory that " + name + " points to",
                           live.variable.file, live.variable.line};
    if (is_pointer(live)) return found;
    if (!best) best = std::move(found);
  }
  return best;
}

std::vector<ByteRange> mappings_of_others(std::span<const Mapping> mappings) {
  std::vector<ByteRange> others;
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    const bool special = mappings[i].path.starts_with('[');
    if (special || follows_guard(mappings, i)) others.push_back(range_of(mappings[i]));
  }
  return others;
}

RangeSet mappings_of_agent(const MappingMoment& moment, ByteRange agent) {
  std::vector<ByteRange> ranges;
  const std::string data = data_of(*moment.view.memory, agent);
  for (const Mapping& mapping : moment.mappings) {
    if (points_into(data, range_of(mapping))) ranges.push_back(range_of(mapping));
  }
  return RangeSet(std::move(ranges));
}

}  // namespace gordian
