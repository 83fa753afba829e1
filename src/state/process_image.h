// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The memory of a live process that is held still by somebody else for as long as it is read.
// Pages are fetched in runs and kept, so that following pointers costs few system calls. keep()
// and detach() turn it into a copy that outlives the moment. Single-threaded.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "state/range_set.h"
#include "symbols/process_memory.h"

namespace gordian {

class ProcessImage : public MemoryImage {
 public:
  explicit ProcessImage(pid_t pid) : pid_(pid) {}

  bool read(std::uint64_t address, void* to, std::size_t size) const override;

  /// Fetches what can be read of `ranges` with as few system calls as possible.
  void keep(std::span<const ByteRange> ranges);
  /// From now on only what was fetched so far can be read; the process may go on.
  void detach() { attached_ = false; }
  /// Likewise, but what was not kept is read from another process, which has the same there: for
  /// constants, which are many.
  void lean_on(pid_t other) { pid_ = other, leaning_ = true; }
  /// Forgets everything: for a process that went on and is held still again.
  void forget() {
    pages_.clear();
    chunks_.clear();
  }

  std::size_t cached_bytes() const { return pages_.size() * kPage; }

 private:
  static constexpr std::size_t kPage = 4096;
  using Page = std::array<unsigned char, kPage>;

  const Page* page(std::uint64_t number) const;
  std::size_t fetch(std::uint64_t number, std::size_t count) const;
  bool read_directly(std::uint64_t address, void* to, std::size_t size) const;

  pid_t pid_;
  bool attached_ = true, leaning_ = false;
  /// Null: not readable.
  mutable std::unordered_map<std::uint64_t, const Page*> pages_;
  mutable std::vector<std::unique_ptr<Page[]>> chunks_;  ///< where they are
};

/// The one that holds the address; null: there is none. REQUIRES: sorted, as read_mappings() does.
inline const Mapping* mapping_at(std::span<const Mapping> mappings, std::uint64_t address) {
  auto next = std::upper_bound(
      mappings.begin(), mappings.end(), address,
      [](std::uint64_t at, const Mapping& mapping) { return at < mapping.begin.value(); });
  if (next == mappings.begin()) return nullptr;
  const Mapping& found = *std::prev(next);
  return address < found.end.value() ? &found : nullptr;
}

inline ByteRange range_of(const Mapping& mapping) {
  return {mapping.begin.value(), mapping.end.value() - mapping.begin.value()};
}

/// nullopt: not all of them can be read, or there are more than 64 MiB.
std::optional<std::string> bytes_at(const MemoryImage& image, ByteRange range);
/// Writes it where it is read, also into what the process itself may not write.
bool write_memory(pid_t pid, std::uint64_t address, std::string_view bytes);

}  // namespace gordian
