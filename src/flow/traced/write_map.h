// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which test wrote the bytes of memory last, and what they were called then. Later writes replace
// what was there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "model/data_flow.h"

namespace gordian {

class WriteMap {
 public:
  struct Write {
    std::size_t position = 0;
    std::optional<StateId> state;  ///< nullopt: not the program's own
  };

  void assign(std::uint64_t begin, std::uint64_t end, Write write) {
    if (begin >= end) return;
    cut(begin);
    cut(end);
    pieces_.erase(pieces_.lower_bound(begin), pieces_.lower_bound(end));
    pieces_.emplace(begin, Piece{end, write});
  }

  const Write* find(std::uint64_t address) const {
    auto after = pieces_.upper_bound(address);
    if (after == pieces_.begin()) return nullptr;
    const Piece& piece = std::prev(after)->second;
    return address < piece.end ? &piece.write : nullptr;
  }

 private:
  struct Piece {
    std::uint64_t end;
    Write write;
  };
  /// No piece goes over `at`.
  void cut(std::uint64_t at) {
    auto after = pieces_.lower_bound(at);
    if (after == pieces_.begin()) return;
    Piece& piece = std::prev(after)->second;
    if (piece.end <= at) return;
    const Piece rest = piece;
    piece.end = at;
    pieces_.emplace(at, rest);
  }

  std::map<std::uint64_t, Piece> pieces_;  ///< by begin
};

}  // namespace gordian
