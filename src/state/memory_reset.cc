// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/memory_reset.h"

#include <cstring>
#include <deque>
#include <map>

#include "state/process_image.h"

namespace gordian {
namespace {

constexpr std::size_t kMostResets = 20'000;
constexpr std::uint64_t kMostBytes = 64 << 20;

using Graph = std::map<std::uint64_t, std::string>;  ///< heap blocks by address, with contents

template <class Visit>
void each_word(std::uint64_t address, const std::string& bytes, Visit visit) {
  for (std::size_t at = (8 - address % 8) % 8; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    visit(at, word);
  }
}

/// The heap blocks reachable from some bytes, by whatever looks like a pointer.
std::optional<Graph> reachable(std::span<const ByteRange> roots, const MemoryMoment& moment) {
  Graph graph;
  std::deque<std::pair<std::uint64_t, std::string>> open;
  for (const ByteRange& range : roots) {
    auto bytes = bytes_at(moment.image, range);
    if (!bytes) return std::nullopt;
    open.emplace_back(range.begin, std::move(*bytes));
  }
  std::uint64_t total = 0;
  while (!open.empty()) {
    auto [address, bytes] = std::move(open.front());
    open.pop_front();
    each_word(address, bytes, [&](std::size_t, std::uint64_t word) {
      auto block = moment.block_of(word);
      if (!block || graph.contains(block->begin)) return;
      auto content = bytes_at(moment.image, *block);
      if (!content) return;
      total += content->size();
      graph.emplace(block->begin, *content);
      open.emplace_back(block->begin, std::move(*content));
    });
    if (graph.size() > kMostResets || total > kMostBytes) return std::nullopt;
  }
  return graph;
}

/// The program allocates; answers where each block to be made anew went.
std::optional<std::map<std::uint64_t, ByteRange>> make_blocks(const MemoryReset& reset,
                                                              HeldProcess& held) {
  std::map<std::uint64_t, ByteRange> made;
  for (const MemoryReset::Piece& piece : reset.pieces) {
    if (!piece.made_anew) continue;
    auto size = static_cast<std::int64_t>(piece.bytes.size());
    std::int64_t address = held.request(gordian_wire::kAllocate, size);
    if (address <= 0) return std::nullopt;
    made[piece.address] = {static_cast<std::uint64_t>(address), piece.bytes.size()};
  }
  return made;
}

/// Points what leads into an old block to the new one.
std::string redirected(const MemoryReset::Piece& piece,
                       const std::map<std::uint64_t, ByteRange>& made) {
  std::string bytes = piece.bytes;
  each_word(piece.address, piece.bytes, [&](std::size_t at, std::uint64_t word) {
    auto behind = made.upper_bound(word);
    if (behind == made.begin()) return;
    const auto& [old_begin, block] = *std::prev(behind);
    if (word - old_begin > block.size) return;
    const std::uint64_t now = block.begin + (word - old_begin);
    std::memcpy(bytes.data() + at, &now, 8);
  });
  return bytes;
}

}  // namespace

std::optional<MemoryReset> plan_reset(std::span<const ByteRange> was, std::span<const ByteRange> is,
                                      const MemoryMoment& before, const MemoryMoment& after) {
  auto old_graph = reachable(was, before), new_graph = reachable(is, after);
  if (!old_graph || !new_graph || was.size() != is.size()) return std::nullopt;
  MemoryReset reset;
  for (std::size_t i = 0; i < was.size(); ++i) {
    auto bytes = bytes_at(before.image, was[i]);
    if (!bytes || was[i].size != is[i].size) return std::nullopt;
    reset.pieces.push_back({is[i].begin, std::move(*bytes), false});
  }
  for (auto& [address, content] : *old_graph) {
    auto now = bytes_at(after.image, {address, content.size()});
    if (now && *now == content) continue;
    auto kept = new_graph->find(address);
    bool alive = kept != new_graph->end() && kept->second.size() == content.size();
    reset.pieces.push_back({address, std::move(content), !alive});
  }
  return reset;
}

bool apply(const MemoryReset& reset, HeldProcess& held) {
  auto made = make_blocks(reset, held);
  if (!made) return false;
  for (const MemoryReset::Piece& piece : reset.pieces) {
    auto moved = made->find(piece.address);
    std::uint64_t to = piece.made_anew ? moved->second.begin : piece.address;
    if (!write_memory(held.pid(), to, redirected(piece, *made))) return false;
  }
  return true;
}

}  // namespace gordian
