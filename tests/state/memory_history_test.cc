// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/memory_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <string>

#include "state/memory_diff.h"

namespace gordian {
namespace {

constexpr std::size_t kPage = 4096;

/// A process that was forked from one that waits, and takes a step when it is told to.
class Stepping {
 public:
  explicit Stepping(const std::function<void(int)>& step) {
    if (pipe(go_) != 0 || pipe(done_) != 0 || pipe(born_) != 0) throw std::runtime_error("pipe");
    origin_ = fork();
    if (origin_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      const pid_t child = fork();
      if (child == 0) run(step);
      // It changes nothing of its own from here on.
      if (write(born_[1], &child, sizeof child) != sizeof child) _exit(1);
      for (;;) pause();
    }
    char byte;
    answer(born_, &pid_, sizeof pid_);
    answer(done_, &byte, 1);
    wait_until_asleep(origin_);
    wait_until_asleep(pid_);
  }
  ~Stepping() {
    kill(pid_, SIGKILL);
    kill(origin_, SIGKILL);
    waitpid(origin_, nullptr, 0);
    for (int fd : {go_[0], go_[1], done_[0], done_[1], born_[0], born_[1]}) close(fd);
  }
  Stepping(const Stepping&) = delete;

  void step() {
    char byte = 'x';
    if (write(go_[1], &byte, 1) != 1) ADD_FAILURE();
    answer(done_, &byte, 1);
    wait_until_asleep(pid_);
  }
  pid_t pid() const { return pid_; }
  pid_t origin() const { return origin_; }

 private:
  [[noreturn]] void run(const std::function<void(int)>& step) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    char byte = 'x';
    for (int i = 0; write(done_[1], &byte, 1) == 1 && read(go_[0], &byte, 1) == 1; ++i) step(i);
    _exit(0);
  }
  /// Somebody who has answered is not yet at rest.
  static void wait_until_asleep(pid_t pid) {
    for (char state = 0; state != 'S'; usleep(100)) {
      std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
      std::string text;
      std::getline(stat, text);
      const std::size_t behind = text.rfind(')');
      if (behind == std::string::npos) throw std::runtime_error("it is gone");
      state = text.at(behind + 2);
    }
  }
  static void answer(const int* pipe, void* to, std::size_t size) {
    pollfd ready{pipe[0], POLLIN, 0};
    if (poll(&ready, 1, 20'000) != 1) throw std::runtime_error("it is gone");
    if (read(pipe[0], to, size) != static_cast<ssize_t>(size)) ADD_FAILURE() << "it is gone";
  }

  int go_[2], done_[2], born_[2];
  pid_t origin_ = 0, pid_ = 0;
};

/// The slow way: all memory that can be written is copied and compared.
class Copying {
 public:
  RangeSet advance(pid_t pid, std::span<const Mapping> mappings) {
    auto now = std::make_unique<ProcessImage>(pid);
    now->keep(writable_ranges(mappings));
    now->detach();
    std::vector<Mapping> both;
    for (const Mapping& mapping : mappings) {
      const std::uint64_t begin = mapping.begin.value();
      if (mapping.writable && was_.touches({begin, mapping.end.value() - begin})) {
        both.push_back(mapping);
      }
    }
    RangeSet changed = before_ ? changed_ranges(*before_, *now, both) : RangeSet();
    was_ = RangeSet(writable_ranges(mappings));
    before_ = std::move(now);
    return changed;
  }

 private:
  std::unique_ptr<ProcessImage> before_;
  RangeSet was_;
};

std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs(const RangeSet& set) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
  for (const ByteRange& range : set.ranges()) all.emplace_back(range.begin, range.size);
  return all;
}

char* pages(std::size_t count, int sharing = MAP_PRIVATE) {
  void* at = mmap(nullptr, count * kPage, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
  return static_cast<char*>(at);
}

/// Both ways see the same at every step.
void expect_same(const std::function<void(int)>& step, int steps) {
  Stepping process(step);
  MemoryHistory history;
  Copying reference;
  for (int i = 0; i <= steps; ++i) {
    if (i > 0) process.step();
    const auto mappings = program_mappings(process.pid());
    history.advance(process.pid(), process.origin(), mappings, false);
    const RangeSet expected = reference.advance(process.pid(), mappings);
    EXPECT_EQ(pairs(history.changed()), pairs(expected)) << "step " << i;
  }
}

TEST(MemoryHistory, SeesWhatACopySees) {
  char* old = pages(64);
  std::memset(old, 1, 64 * kPage);
  expect_same(
      [old](int i) {
        old[i * 100] = static_cast<char>(i + 2);
        if (i == 1) std::memset(old + 10 * kPage, 7, 3 * kPage);
        if (i == 2) std::memset(old + 10 * kPage, 1, kPage);  // as before the first
        if (i == 3) std::memset(old + 11 * kPage, 7, kPage);  // as it is
      },
      5);
}

// Suites of their own: what runs before in the same process is a part of what they see.
TEST(MappedMemoryHistory, SeesMemoryComeAndGo) {
  char* old = pages(16);
  std::memset(old, 1, 16 * kPage);
  char* fresh = nullptr;
  expect_same(
      [&](int i) {
        if (i == 0) fresh = pages(8);
        if (i == 1) fresh[5 * kPage] = 1;
        if (i == 2) munmap(old + 4 * kPage, 4 * kPage);
        if (i == 3) madvise(old, kPage, MADV_DONTNEED);
        if (i == 4) fresh[5 * kPage] = 2;
        if (i == 5) munmap(fresh, 8 * kPage);
        if (i == 6) old[8 * kPage] = 3;
      },
      7);
}

TEST(SharedMemoryHistory, SeesSharedMemory) {
  char* shared = pages(2, MAP_SHARED);
  expect_same([shared](int i) { shared[kPage + 8 * i] = 1; }, 3);
}

TEST(MemoryHistory, ReadsOnlyWhatWasWritten) {
  constexpr std::size_t kMany = 4096;
  char* old = pages(kMany);
  for (std::size_t i = 0; i < kMany; ++i) old[i * kPage] = 1;
  Stepping process([old](int) { old[17 * kPage] = 2; });
  MemoryHistory history;
  for (int i = 0; i < 3; ++i) {
    if (i > 0) process.step();
    // Not by a copy besides: whoever reads a page in this way makes the kernel part it.
    history.advance(process.pid(), process.origin(), program_mappings(process.pid()), false);
    EXPECT_LT(history.pages_read(), kMany / 4);
    const bool seen = history.changed().contains(reinterpret_cast<std::uint64_t>(old) + 17 * kPage);
    EXPECT_EQ(seen, i == 1);
  }
}

TEST(MemoryHistory, ShowsBothMoments) {
  char* old = pages(2);
  std::memcpy(old, "before", 7);
  std::memcpy(old + kPage, "stays", 6);
  Stepping process([old](int) { std::memcpy(old, "behind", 7); });
  MemoryHistory history;
  for (int i = 0; i < 2; ++i) {
    if (i > 0) process.step();
    history.advance(process.pid(), process.origin(), program_mappings(process.pid()), false);
  }
  const auto at = reinterpret_cast<std::uint64_t>(old);
  EXPECT_EQ(history.before().c_string(at), "before");
  EXPECT_EQ(history.now().c_string(at), "behind");
  EXPECT_EQ(history.before().c_string(at + kPage), "stays");
  EXPECT_EQ(history.now().c_string(at + kPage), "stays");
}

TEST(MemoryHistory, WithoutAnOriginAllIsRead) {
  char* old = pages(4);
  Stepping process([old](int i) { old[kPage * static_cast<std::size_t>(i)] = 1; });
  MemoryHistory history;
  for (int i = 0; i < 3; ++i) {
    if (i > 0) process.step();
    history.advance(process.pid(), -1, program_mappings(process.pid()), false);
  }
  EXPECT_TRUE(history.changed().contains(reinterpret_cast<std::uint64_t>(old) + kPage));
}

}  // namespace
}  // namespace gordian
