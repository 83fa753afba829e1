// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A segment of System V shared memory is made and removed by the same test.
#include <gtest/gtest.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include <cstring>

constexpr key_t kBoard = 0x60d1b;

TEST(Board, IsNotThereAtFirst) {
  EXPECT_EQ(shmget(kBoard, 0, 0), -1);
}

TEST(Board, CanBeWrittenOn) {
  const int board = shmget(kBoard, 64, IPC_CREAT | 0600);
  ASSERT_NE(board, -1);
  char* note = static_cast<char*>(shmat(board, nullptr, 0));
  ASSERT_NE(note, reinterpret_cast<char*>(-1));
  std::strcpy(note, "back at noon");
  EXPECT_STREQ(note, "back at noon");
  shmdt(note);
  shmctl(board, IPC_RMID, nullptr);
}

TEST(Board, IsNotThereLater) {
  EXPECT_EQ(shmget(kBoard, 0, 0), -1);
}
