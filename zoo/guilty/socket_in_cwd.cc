// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A socket is bound to a name in the working directory and stays there.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cstring>

int bind_here() {
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::strcpy(name.sun_path, "zoo_socket");
  const int bound = bind(listener, reinterpret_cast<sockaddr*>(&name), sizeof name);  // WRITE
  close(listener);
  return bound;
}

TEST(Socket, NameIsFree) {
  EXPECT_NE(access("zoo_socket", F_OK), 0);  // READ
}

TEST(Socket, NameIsShort) {
  EXPECT_LT(std::strlen("zoo_socket"), sizeof(sockaddr_un::sun_path));
}

TEST(Socket, CanBeBound) {
  const int bound = bind_here();
  EXPECT_TRUE(bound == 0 || errno == EADDRINUSE);
}
