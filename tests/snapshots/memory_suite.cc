// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Every test first checks that all memory is as global set-up has left it, then damages it in its
// own way. Alone, each passes; in one process, only the first. Rounds, because a page that is
// damaged again is not the same case as one that never was.
//   MEMORY_SUITE=locked   memory is locked, as much as may be, before the first test
//   MEMORY_SUITE=short    hardly any address space is left
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kArenaPages = 64;
constexpr std::size_t kFrozenPages = 8;
constexpr std::size_t kSparse = std::size_t{1} << 27;

alignas(kPage) char in_data[4 * kPage] = {1, 2, 3};
alignas(kPage) char in_bss[64 * kPage];
char* arena;   // every page holds its number and something
char* sparse;  // one page in a great hole
char* frozen;  // filled, then protected
std::vector<int>* on_heap;
thread_local int in_tls = 7;

char content(std::size_t at) {
  return static_cast<char>(at / kPage * 7 + at % 251 + 1);
}

void set_up() {
  int rights = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
  arena = static_cast<char*>(mmap(nullptr, kArenaPages * kPage, rights, flags, -1, 0));
  for (std::size_t i = 0; i < kArenaPages * kPage; ++i) arena[i] = content(i);
  sparse = static_cast<char*>(mmap(nullptr, kSparse, rights, flags | MAP_NORESERVE, -1, 0));
  sparse[kSparse / 2] = 5;
  frozen = static_cast<char*>(mmap(nullptr, kFrozenPages * kPage, rights, flags, -1, 0));
  for (std::size_t i = 0; i < kFrozenPages * kPage; ++i) frozen[i] = content(i);
  mprotect(frozen, kFrozenPages * kPage, PROT_READ);
  on_heap = new std::vector<int>(100'000);
  std::iota(on_heap->begin(), on_heap->end(), 0);
  in_data[3 * kPage] = 9;  // differs from the file
  in_bss[5 * kPage] = 11;
}

template <class Expected>
std::size_t first_difference(const char* from, std::size_t size, Expected expected) {
  for (std::size_t i = 0; i < size; ++i) {
    if (from[i] != expected(i)) return i;
  }
  return size;
}

class Memory : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    ASSERT_EQ(first_difference(arena, kArenaPages * kPage, content), kArenaPages * kPage);
    ASSERT_EQ(first_difference(frozen, kFrozenPages * kPage, content), kFrozenPages * kPage);
    ASSERT_EQ(first_difference(in_data, sizeof in_data,
                               [](std::size_t i) {
                                 return static_cast<char>(i < 3 ? i + 1 : i == 3 * kPage ? 9 : 0);
                               }),
              sizeof in_data);
    ASSERT_EQ(
        first_difference(in_bss, sizeof in_bss,
                         [](std::size_t i) { return static_cast<char>(i == 5 * kPage ? 11 : 0); }),
        sizeof in_bss);
    ASSERT_EQ(sparse[kSparse / 2], 5);
    for (std::size_t page : {0, 1000, 2000, 32'767}) ASSERT_EQ(sparse[page * kPage], 0) << page;
    for (std::size_t i = 0; i < on_heap->size(); ++i) {
      ASSERT_EQ((*on_heap)[i], static_cast<int>(i));
    }
    ASSERT_EQ(in_tls, 7);
  }
};

void empty(char* page) {
  ASSERT_EQ(madvise(page, kPage, MADV_DONTNEED), 0);
}

TEST_P(Memory, IsWritten) {
  std::memset(arena + 3 * kPage, 1, 5 * kPage);
  in_data[0] = in_data[kPage] = 4;
  std::memset(in_bss, 2, 9 * kPage);
  (*on_heap)[50'000] = in_tls = 1;
}

TEST_P(Memory, IsEmptied) {
  empty(arena + 7 * kPage);
  empty(in_bss + 5 * kPage);
}

TEST_P(Memory, IsEmptiedAndRead) {
  empty(arena + 7 * kPage);
  EXPECT_EQ(arena[7 * kPage], 0);
}

TEST_P(Memory, IsEmptiedAndWritten) {
  empty(arena + 7 * kPage);
  arena[8 * kPage - 1] = 1;
}

TEST_P(Memory, IsEmptiedAmongManyCalls) {
  for (int i = 0; i < 1000; ++i) syscall(SYS_getppid);
  empty(arena + 9 * kPage);
  EXPECT_EQ(arena[9 * kPage], 0);
}

TEST_P(Memory, IsEmptiedByAThread) {
  std::thread([] {
    empty(arena + 11 * kPage);
    EXPECT_EQ(arena[11 * kPage], 0);
  }).join();
}

TEST_P(Memory, OfAFileIsEmptied) {
  empty(in_data + 3 * kPage);
  EXPECT_EQ(in_data[3 * kPage], 0);
}

TEST_P(Memory, IsReplacedByAThread) {
  std::thread([] {
    char* at = arena + 20 * kPage;
    ASSERT_EQ(munmap(at, kPage), 0);
    ASSERT_EQ(
        mmap(at, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
        at);
    EXPECT_EQ(*at, 0);
  }).join();
}

TEST_P(Memory, HolesAreRead) {
  char sum = 0;
  for (std::size_t page = 0; page < 3000; ++page)
    sum = static_cast<char>(sum + sparse[page * kPage]);
  EXPECT_EQ(sum, 0);
}

TEST_P(Memory, OfConstantsIsEmptied) {
  empty(frozen + 3 * kPage);
}

TEST_P(Memory, HolesAreWritten) {
  for (std::size_t page = 0; page < 3000; page += 10) sparse[page * kPage] = 1;
  sparse[kSparse - kPage] = 1;
}

TEST_P(Memory, IsWrittenByTheKernel) {
  int fd = open("/dev/zero", O_RDONLY);
  EXPECT_EQ(read(fd, arena + 30 * kPage, 3 * kPage), static_cast<ssize_t>(3 * kPage));
  close(fd);
}

int descend(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  frame[4095] = static_cast<char>(depth);
  return depth == 0 ? frame[0] : descend(depth - 1) + frame[4095];
}

TEST_P(Memory, OfConstantsIsEmptiedByAThread) {
  std::thread([] { empty(frozen + 5 * kPage); }).join();
}

TEST_P(Memory, OfTheStackGrows) {
  EXPECT_NE(descend(500), -1);
}

TEST_P(Memory, IsSharedWithAChild) {
  arena[40 * kPage] = 1;
  pid_t child = fork();
  if (child == 0) _exit(0);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
}

TEST_P(Memory, IsWrittenAndSharedWithAChildOfAThread) {
  arena[41 * kPage] = 1;
  std::thread([] {
    pid_t child = fork();
    if (child == 0) _exit(0);
    EXPECT_EQ(waitpid(child, nullptr, 0), child);
  }).join();
}

TEST_P(Memory, IsWatchedByTheTestItself) {
  int fd = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | 1));
  if (fd < 0) GTEST_SKIP() << "no userfaultfd here";
  uffdio_api api{};
  api.api = UFFD_API;
  ASSERT_EQ(ioctl(fd, UFFDIO_API, &api), 0);
  uffdio_register wish{};
  wish.range = {reinterpret_cast<std::uintptr_t>(arena), kArenaPages * kPage};
  wish.mode = UFFDIO_REGISTER_MODE_MISSING;
  EXPECT_EQ(ioctl(fd, UFFDIO_REGISTER, &wish), 0);
}

INSTANTIATE_TEST_SUITE_P(Round, Memory, testing::Range(0, 4));

/// So much more address space than is taken now.
void leave_only(std::size_t bytes) {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  file >> pages;
  rlimit limit{};
  limit.rlim_cur = limit.rlim_max = pages * kPage + bytes;
  setrlimit(RLIMIT_AS, &limit);
}

/// When the agent has what it needs to run tests at all.
class Shortage : public testing::Environment {
 public:
  void SetUp() override { leave_only(8u << 20); }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const char* value = std::getenv("MEMORY_SUITE");
  const std::string start = value == nullptr ? "" : value;
  set_up();
  if (start == "locked" && mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) != 0) {
    mlock(arena + 7 * kPage, kPage);  // so much is allowed to everybody
  }
  if (start == "short") testing::AddGlobalTestEnvironment(new Shortage);
  return RUN_ALL_TESTS();
}
