// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Filters its own system calls for good: some calls end the process, others are refused.
#include <errno.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <thread>
#include <vector>

namespace {

/// From now on this is what comes of these calls.
void filter(const std::vector<unsigned>& calls, unsigned action) {
  std::vector<sock_filter> code = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (unsigned call : calls) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, action));
  }
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  sock_fprog program = {static_cast<unsigned short>(code.size()), code.data()};
  ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

}  // namespace

TEST(Hostile, ForbidsWhatItDoesNotNeed) {
  filter({SYS_getppid, SYS_rt_sigreturn}, SECCOMP_RET_KILL_PROCESS);
}

TEST(Hostile, RefusesWhatItDoesNotNeed) {
  filter({SYS_getppid, SYS_rt_sigreturn}, SECCOMP_RET_ERRNO | EPERM);
}

TEST(Hostile, ForbidsAfterAThread) {
  std::thread([] {}).join();
  filter({SYS_getppid}, SECCOMP_RET_KILL_PROCESS);
}

TEST(Harmless, Passes) {
  SUCCEED();
}

TEST(Harmless, StillAdds) {
  EXPECT_EQ(1 + 1, 2);
}
