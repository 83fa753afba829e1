// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What makes one measured suite different from another; the tests themselves are the same object
// files in all of them. Compiled once per kind with
//   WORK_ROUNDS    burn() rounds in each test
//   START_ROUNDS   burn() rounds before main()
//   HEAP_MB        touched heap before main(), in blocks of 4,000 bytes
//   DIRTY_PAGES    pages that each test writes to: a byte each, of memory touched before main()
//   WRITES_FILE    1: each test writes a file into the working directory
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "burn.h"

namespace {

using Blocks = std::vector<std::unique_ptr<char[]>>;

Blocks fill_heap() {
  constexpr std::size_t kBlock = 4000;
  Blocks blocks(std::size_t{HEAP_MB} * 1024 * 1024 / kBlock);
  for (auto& block : blocks) {
    block.reset(new char[kBlock]);
    std::memset(block.get(), 1, kBlock);
  }
  return blocks;
}

const Blocks heap = fill_heap();

constexpr std::size_t kPage = 4096;
std::vector<char> pages(std::size_t{DIRTY_PAGES} * kPage, 1);

void write_pages(unsigned test) {
  for (std::size_t at = 0; at < pages.size(); at += kPage) pages[at] = static_cast<char>(test);
}

void write_file() {
  if (std::FILE* file = std::fopen("left-by-a-test.txt", "w")) {
    std::fputs("something\n", file);
    std::fclose(file);
  }
}

volatile std::uint64_t start = burn(heap.size(), START_ROUNDS);

}  // namespace

/// Called by every test: returns its argument, after the work.
unsigned unit_of_work(unsigned test) {
  [[maybe_unused]] volatile std::uint64_t kept = burn(test, WORK_ROUNDS);
  if (WRITES_FILE) write_file();
  if (DIRTY_PAGES != 0) write_pages(test);
  return test;
}
