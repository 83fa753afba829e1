// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Copies of the test process that stand still: a state before and a state after, at the same
// addresses, to be compared from outside of both.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "state/heap_blocks.h"
#include "state/memory_diff.h"
#include "state/process_image.h"
#include "state/value_compare.h"
#include "symbols/process_memory.h"

namespace gordian::explain_test {

class HeldProcess {
 public:
  explicit HeldProcess(const std::function<void()>& change) {
    int done[2];
    if (pipe(done) != 0) throw std::runtime_error("pipe");
    pid_ = fork();
    if (pid_ == 0) {
      change();
      if (write(done[1], "x", 1) != 1) _exit(1);
      for (;;) pause();
    }
    close(done[1]);
    char byte;
    if (read(done[0], &byte, 1) != 1) ADD_FAILURE() << "the child did not get there";
    close(done[0]);
    image_ = std::make_unique<ProcessImage>(pid_);
    mappings_ = read_mappings(pid_);
    // What a sanitizer keeps for itself would take minutes to look at.
    std::erase_if(mappings_, [](const Mapping& mapping) {
      return mapping.path.empty() && mapping.end.value() - mapping.begin.value() > 256u << 20;
    });
    blocks_ = HeapBlocks(*image_, mappings_);
  }
  ~HeldProcess() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  HeldProcess(const HeldProcess&) = delete;

  pid_t pid() const { return pid_; }
  const ProcessImage& image() const { return *image_; }
  const HeapBlocks& blocks() const { return blocks_; }
  const std::vector<Mapping>& mappings() const { return mappings_; }
  MemoryView view() const { return {image_.get(), &blocks_}; }
  /// False with another malloc, for instance that of a sanitizer.
  bool has_glibc_heap() const { return blocks_.size() != 0; }

 private:
  pid_t pid_ = 0;
  std::unique_ptr<ProcessImage> image_;
  std::vector<Mapping> mappings_;
  HeapBlocks blocks_;
};

template <class T>
std::uint64_t address_of(const T& object) {
  return reinterpret_cast<std::uint64_t>(std::addressof(object));
}

/// The code and data of the test program.
inline RangeSet modules_of(const std::vector<Mapping>& mappings) {
  std::vector<ByteRange> ranges;
  std::uint64_t end = 0;
  for (const Mapping& mapping : mappings) {
    const bool file = !mapping.path.empty() && mapping.path[0] == '/';
    const bool bss = mapping.path.empty() && mapping.begin.value() == end;
    if (file || bss) {
      ranges.push_back({mapping.begin.value(), mapping.end.value() - mapping.begin.value()});
      end = mapping.end.value();
    }
  }
  return RangeSet(std::move(ranges));
}

/// What `change` does to `object`, a line for each difference: "g_x: 1 -> 2".
struct Changed {
  template <class T>
  Changed(const std::string& name, const T& object, const Type* type,
          const std::function<void()>& change, ProgramNames names = {})
      : before([] {}), after(change) {
    EXPECT_EQ(type->size, sizeof(T)) << type->name;
    names.modules = modules_of(before.mappings());
    const RangeSet ranges = changed_ranges(before.image(), after.image(), after.mappings());
    CompareOptions options;
    options.changed = &ranges;
    ValueComparer comparer(before.view(), after.view(), names, options);
    found = comparer.differences(name, *type, address_of(object), address_of(object));
    // The quick ways must not hide anything.
    ValueComparer slow(before.view(), after.view(), names);
    const auto again = slow.differences(name, *type, address_of(object), address_of(object));
    EXPECT_EQ(lines(again), lines(found));
  }

  static std::vector<std::string> lines(const std::vector<Difference>& found) {
    std::vector<std::string> lines;
    for (const Difference& difference : found) {
      lines.push_back(difference.name + ": " + difference.old_text + " -> " + difference.new_text +
                      (difference.on_heap ? " (heap)" : ""));
    }
    return lines;
  }
  std::vector<std::string> lines() const { return lines(found); }

  HeldProcess before, after;
  std::vector<Difference> found;
};

}  // namespace gordian::explain_test
