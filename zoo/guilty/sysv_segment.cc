// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One test leaves a segment of System V shared memory behind, which outlives even its process;
// another takes for granted that there is none.
#include <gtest/gtest.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

#include <cstring>

constexpr key_t kBoard = 0x60d1a;

/// Keeps the machine clean, but at the end of the process that has made the board only.
struct Janitor {
  ~Janitor() {
    const int board = shmget(kBoard, 0, 0);
    shmid_ds status{};
    if (board == -1 || shmctl(board, IPC_STAT, &status) != 0) return;
    if (status.shm_cpid == getpid()) shmctl(board, IPC_RMID, nullptr);
  }
} janitor;

TEST(Board, IsNotThereAtFirst) {
  EXPECT_EQ(shmget(kBoard, 0, 0), -1);  // READ
}

TEST(Board, HasRoomForANote) {
  EXPECT_LT(std::strlen("back at noon"), 64u);
}

TEST(Board, CanBeWrittenOn) {
  const int board = shmget(kBoard, 64, IPC_CREAT | 0600);
  ASSERT_NE(board, -1);
  char* note = static_cast<char*>(shmat(board, nullptr, 0));  // WRITE
  ASSERT_NE(note, reinterpret_cast<char*>(-1));
  std::strcpy(note, "back at noon");
  EXPECT_STREQ(note, "back at noon");
  shmdt(note);
}
