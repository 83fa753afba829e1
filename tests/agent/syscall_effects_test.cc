// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "target/agent/snapshot/syscall_gate.h"

namespace gordian_agent {
namespace {

namespace wire = gordian_wire;

constexpr long kOld = 0x10'0000, kOldFile = 0x20'0000, kOldEnd = 0x21'0000, kNew = 0x90'0000;

/// A gate whose snapshot has anonymous memory at kOld, a file at kOldFile and the heap's end
/// behind.
class JudgeSyscall : public testing::Test {
 protected:
  JudgeSyscall() : space_(std::make_unique<AddressSpace>()) {
    space_->count = 2;
    space_->at[0] = mapping(kOld, kOldFile, 0);
    space_->at[1] = mapping(kOldFile, kOldEnd, 7);
    gate_.space = space_.get();
    gate_.heap_end = kOldEnd;
  }

  static Mapping mapping(std::uint64_t begin, std::uint64_t end, std::uint64_t inode) {
    Mapping m{};
    m.begin = begin;
    m.end = end;
    m.inode = inode;
    m.protection = PROT_READ | PROT_WRITE;
    return m;
  }

  Judgement judge(long number, std::initializer_list<long> given = {}) const {
    long arguments[6] = {};
    std::copy(given.begin(), given.end(), arguments);
    return judge_syscall(gate_, number, arguments);
  }
  void leaves(std::uint32_t effects, long number, std::initializer_list<long> given = {}) const {
    Judgement judgement = judge(number, given);
    EXPECT_EQ(judgement.effects, effects) << number;
    EXPECT_EQ(judgement.obstacle, wire::kNoObstacle) << number;
    EXPECT_FALSE(judgement.open_first) << number;
  }
  void stops(Obstacle obstacle, long number, std::initializer_list<long> given = {}) const {
    EXPECT_EQ(judge(number, given).obstacle, obstacle) << number;
  }
  void opens(Obstacle obstacle, long number, std::initializer_list<long> given = {}) const {
    Judgement judgement = judge(number, given);
    EXPECT_TRUE(judgement.open_first) << number;
    EXPECT_EQ(judgement.obstacle, obstacle) << number;
    EXPECT_EQ(judgement.effects, kEverything) << number;
  }

  std::unique_ptr<AddressSpace> space_;
  Gate gate_{};
};

long at(const void* pointer) {
  return reinterpret_cast<long>(pointer);
}

TEST_F(JudgeSyscall, WhatWeDoNotKnowIsAnObstacle) {
  for (long number :
       {100'000, -1, 0x4000'0000, SYS_io_setup, SYS_userfaultfd, SYS_mlock, SYS_personality,
        SYS_setpriority, SYS_timer_create, SYS_unshare, SYS_setuid, SYS_chroot, SYS_seccomp,
        SYS_shmat, SYS_arch_prctl, SYS_sched_setaffinity, SYS_setsid, SYS_ptrace, SYS_exit}) {
    stops(wire::kUnknownCall, number);
  }
}

TEST_F(JudgeSyscall, QuestionsLeaveNothing) {
  for (int number : {SYS_getpid, SYS_stat, SYS_futex, SYS_clock_gettime, SYS_getcwd, SYS_nanosleep,
                     SYS_getrusage, SYS_rt_sigpending, SYS_wait4}) {
    leaves(kNoEffect, number);
  }
}

TEST_F(JudgeSyscall, EachKindOfState) {
  leaves(kDescriptors, SYS_close, {5});
  leaves(kDescriptors, SYS_dup2, {5, 6});
  leaves(kDescriptors, SYS_lseek, {5});
  leaves(kDescriptors | kFiles, SYS_write, {5});
  leaves(kDescriptors | kFiles, SYS_bind, {5});
  leaves(kFiles, SYS_unlink);
  leaves(kMappings, SYS_mmap, {0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS});
  leaves(kHeapEnd, SYS_brk, {kOldEnd + 4096});
  leaves(kHeapEnd, SYS_brk, {0});
  leaves(kSignals, SYS_sigaltstack);
  leaves(kSignals, SYS_tgkill);
  leaves(kDirectory, SYS_chdir);
  leaves(kUmask, SYS_umask);
  leaves(kTimers | kSignals, SYS_alarm);
  leaves(kLimits, SYS_setrlimit);
  leaves(kLimits, SYS_prlimit64, {0, 0, 1});
  leaves(kNoEffect, SYS_prlimit64, {0, 0, 0});
  leaves(kName, SYS_prctl, {PR_SET_NAME});
}

TEST_F(JudgeSyscall, StandardStreamsHaveNoOffsetThatMatters) {
  leaves(kNoEffect, SYS_write, {1});
  leaves(kNoEffect, SYS_writev, {2});
  leaves(kNoEffect, SYS_read, {0});
  leaves(kDescriptors, SYS_close, {1});
}

TEST_F(JudgeSyscall, FilesAreOpenedForReadingOrWriting) {
  leaves(kDescriptors, SYS_openat, {AT_FDCWD, at("/etc/hosts"), O_RDONLY});
  for (int flags : {O_WRONLY, O_RDWR, O_RDONLY | O_CREAT, O_RDONLY | O_TRUNC}) {
    leaves(kDescriptors | kFiles, SYS_openat, {AT_FDCWD, at("results"), flags});
    leaves(kDescriptors | kFiles, SYS_open, {at("/procession"), flags});
    stops(wire::kUnknownCall, SYS_openat, {AT_FDCWD, at("/proc/self/comm"), flags});
    stops(wire::kUnknownCall, SYS_open, {at("/proc/self/comm"), flags});
  }
  leaves(kDescriptors, SYS_open, {at("/proc/self/comm"), O_RDONLY});
  stops(wire::kUnknownCall, SYS_creat, {at("/proc/self/comm")});
  leaves(kDescriptors | kFiles, SYS_open, {1, O_WRONLY});  // a path that is not there to be read
}

TEST_F(JudgeSyscall, LocksAndOwnersOfOpenFilesCannotBeUndone) {
  leaves(kDescriptors, SYS_fcntl, {5, F_SETFL});
  leaves(kDescriptors, SYS_fcntl, {5, F_SETLK});
  stops(wire::kUnknownCall, SYS_flock, {5});
  for (int command : {F_OFD_SETLK, F_SETLEASE, F_SETOWN, F_SETSIG, F_ADD_SEALS, F_SETPIPE_SZ}) {
    stops(wire::kUnknownCall, SYS_fcntl, {5, command});
  }
}

TEST_F(JudgeSyscall, OldMappingsMustStay) {
  for (int number : {SYS_munmap, SYS_mprotect, SYS_mremap}) {
    stops(wire::kOldMapping, number, {kOld, 4096});
    stops(wire::kOldMapping, number, {kOld - 4096, 8192});
    leaves(kMappings, number, {kNew, 4096});
    leaves(kMappings, number, {kOld - 4096, 4096});
    leaves(kMappings, number, {kOldEnd, 4096});
  }
  stops(wire::kOldMapping, SYS_mmap, {kOld, 4096, 0, MAP_FIXED});
  leaves(kMappings, SYS_mmap, {kNew, 4096, 0, MAP_FIXED});
  stops(wire::kOldMapping, SYS_brk, {kOldEnd - 4096});
}

TEST_F(JudgeSyscall, AdviceAboutOldMappings) {
  leaves(kNoEffect, SYS_madvise, {kOld, 4096, MADV_WILLNEED});
  leaves(kNoEffect, SYS_madvise, {kNew, 4096, MADV_DONTNEED});
  leaves(kEmptied, SYS_madvise, {kOld, 4096, MADV_DONTNEED});
  stops(wire::kOldMapping, SYS_madvise, {kOldFile, 4096, MADV_DONTNEED});
  stops(wire::kOldMapping, SYS_madvise, {kOldFile - 4096, 8192, MADV_DONTNEED});
  stops(wire::kOldMapping, SYS_madvise, {kOld, 4096, MADV_FREE});
  leaves(kMappings, SYS_madvise, {kNew, 4096, MADV_FREE});
}

TEST_F(JudgeSyscall, EmptiedPagesOfConstantsAreNotNoticedLater) {
  space_->at[0].protection = PROT_READ;
  stops(wire::kOldMapping, SYS_madvise, {kOld, 4096, MADV_DONTNEED});
}

TEST_F(JudgeSyscall, ProcessesAndThreads) {
  opens(wire::kStartedProcess, SYS_fork);
  opens(wire::kStartedProcess, SYS_vfork);
  opens(wire::kStartedProcess, SYS_execve);
  opens(wire::kStartedProcess, SYS_clone, {SIGCHLD});
  opens(wire::kNoObstacle, SYS_clone, {CLONE_VM | CLONE_THREAD | CLONE_SIGHAND});
  const std::uint64_t thread = CLONE_VM | CLONE_THREAD, process = CLONE_VM | CLONE_VFORK;
  opens(wire::kNoObstacle, SYS_clone3, {at(&thread)});
  opens(wire::kStartedProcess, SYS_clone3, {at(&process)});
}

TEST_F(JudgeSyscall, BlockingTheGatesSignalOpensIt) {
  const std::uint64_t all = ~0ull, others = ~kSigsysBit;
  opens(wire::kNoObstacle, SYS_rt_sigprocmask, {SIG_BLOCK, at(&all)});
  opens(wire::kNoObstacle, SYS_rt_sigprocmask, {SIG_SETMASK, at(&all)});
  leaves(kSignals, SYS_rt_sigprocmask, {SIG_UNBLOCK, at(&all)});
  leaves(kSignals, SYS_rt_sigprocmask, {SIG_BLOCK, at(&others)});
  leaves(kSignals, SYS_rt_sigprocmask, {SIG_BLOCK, 0});
  leaves(kSignals, SYS_rt_sigprocmask, {SIG_BLOCK, 1});  // a mask that is not there
}

TEST_F(JudgeSyscall, HandlersAndTheGatesSignal) {
  const KernelSigaction plain{1, 0, 0, 0}, blocking{1, 0, 0, kSigsysBit};
  leaves(kSignals, SYS_rt_sigaction, {SIGUSR1, at(&plain)});
  leaves(kSignals, SYS_rt_sigaction, {SIGUSR1, 0});
  opens(wire::kNoObstacle, SYS_rt_sigaction, {SIGUSR1, at(&blocking)});
  opens(wire::kNoObstacle, SYS_rt_sigaction, {SIGSYS, 0});
  opens(wire::kUnknownCall, SYS_rt_sigaction, {SIGSYS, at(&plain)});
}

TEST_F(JudgeSyscall, HandlersWithAStackOfTheirOwnDoNotMeetTheGate) {
  const KernelSigaction on_stack{2, SA_ONSTACK, 0, 0}, ignored{1, SA_ONSTACK, 0, 0};
  opens(wire::kNoObstacle, SYS_rt_sigaction, {SIGUSR1, at(&on_stack)});
  leaves(kSignals, SYS_rt_sigaction, {SIGUSR1, at(&ignored)});
  leaves(kSignals, SYS_rt_sigaction, {SIGSEGV, at(&on_stack)});  // as frameworks do for all tests
}

TEST_F(JudgeSyscall, ASignalForSuchAHandlerOpensTheGate) {
  struct sigaction action = {}, before;
  action.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGUSR2, &action, &before), 0);
  leaves(kSignals, SYS_kill, {getpid(), SIGUSR2});
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR2, &action, nullptr);
  opens(wire::kNoObstacle, SYS_kill, {getpid(), SIGUSR2});
  opens(wire::kNoObstacle, SYS_tgkill, {getpid(), getpid(), SIGUSR2});
  stops(wire::kSignalledOthers, SYS_kill, {getpid() + 1, SIGUSR2});
  sigaction(SIGUSR2, &before, nullptr);
}

TEST_F(JudgeSyscall, TracersAndFiltersDoNotMeetTheGate) {
  opens(wire::kUnknownCall, SYS_ptrace);
  opens(wire::kUnknownCall, SYS_seccomp);
  opens(wire::kUnknownCall, SYS_prctl, {PR_SET_SECCOMP});
}

TEST_F(JudgeSyscall, WaitingWithAMaskOpensTheGate) {
  leaves(kNoEffect, SYS_ppoll);
  opens(wire::kNoObstacle, SYS_ppoll, {0, 0, 0, 1});
  opens(wire::kNoObstacle, SYS_rt_sigsuspend);
}

TEST_F(JudgeSyscall, BarriersCanBeUsedButNotLeft) {
  leaves(kNoEffect, SYS_membarrier, {MEMBARRIER_CMD_QUERY});
  leaves(kNoEffect, SYS_membarrier, {MEMBARRIER_CMD_PRIVATE_EXPEDITED});
  stops(wire::kUnknownCall, SYS_membarrier, {MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED});
}

TEST_F(JudgeSyscall, OnlyKnownOptionsOfPrctl) {
  leaves(kNoEffect, SYS_prctl, {PR_GET_NAME});
  stops(wire::kUnknownCall, SYS_prctl, {PR_SET_DUMPABLE});
  stops(wire::kUnknownCall, SYS_prctl, {PR_SET_PDEATHSIG});
  stops(wire::kUnknownCall, SYS_prctl, {9999});
}

}  // namespace
}  // namespace gordian_agent
