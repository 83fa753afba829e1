// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Memory that a test makes up.
#pragma once

#include <cstring>
#include <vector>

#include "symbols/process_memory.h"

namespace gordian::explain_test {

class FakeImage : public MemoryImage {
 public:
  FakeImage(std::uint64_t base, std::size_t size) : base_(base), bytes_(size) {}

  bool read(std::uint64_t address, void* to, std::size_t size) const override {
    if (address < base_ || address - base_ > bytes_.size()) return false;
    if (size > bytes_.size() - (address - base_)) return false;
    std::memcpy(to, bytes_.data() + (address - base_), size);
    return true;
  }
  void put(std::uint64_t address, std::uint64_t word) {
    std::memcpy(&bytes_[address - base_], &word, sizeof word);
  }
  std::vector<unsigned char>& bytes() { return bytes_; }

 private:
  std::uint64_t base_;
  std::vector<unsigned char> bytes_;
};

}  // namespace gordian::explain_test
