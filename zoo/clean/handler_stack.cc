// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Measures how much of the stack that it was given a signal handler uses.
#include <gtest/gtest.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

namespace {

constexpr int kRoom = 65536, kWork = 1000;
constexpr char kUntouched = 0x55;

void idle(int) {}
void work(int) {
  volatile char buffer[kWork];
  for (int i = 0; i < kWork; ++i) buffer[i] = static_cast<char>(i);
  static_cast<void>(buffer[0]);
}
void ask(int) {
  getppid();
}

class HandlerStack : public testing::Test {
 protected:
  HandlerStack() {
    ask(0);  // the linker's first look for a function needs room, too
    stack_t mine = {};
    mine.ss_sp = room_;
    mine.ss_size = kRoom;
    sigaltstack(&mine, &before_);
  }
  ~HandlerStack() override {
    signal(SIGUSR1, SIG_DFL);
    sigaltstack(&before_, nullptr);
  }
  int used_by(void (*handler)(int)) {
    memset(room_, kUntouched, kRoom);
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, nullptr);
    kill(getpid(), SIGUSR1);
    int free = 0;
    while (free < kRoom && room_[free] == kUntouched) ++free;
    return kRoom - free;
  }

  char room_[kRoom];
  stack_t before_;
};

}  // namespace

TEST_F(HandlerStack, GrowsWithTheWork) {
  const int least = used_by(idle);
  EXPECT_GE(used_by(work) - least, kWork / 2);
}

TEST_F(HandlerStack, QuestionsNeedNone) {
  const int least = used_by(idle);
  EXPECT_LE(used_by(ask) - least, 512);
}

TEST_F(HandlerStack, IsTheSameEachTime) {
  const int first = used_by(work);
  EXPECT_EQ(used_by(work), first);
}
