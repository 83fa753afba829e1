// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "batch/messages.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <thread>

#include "base/unique_fd.h"

namespace gordian::batch {
namespace {

struct Sockets {
  Sockets() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    a.reset(ends[0]);
    b.reset(ends[1]);
  }
  UniqueFd a, b;
};

TEST(Messages, RequestsReadBack) {
  Request request{std::string("id\0entity", 9), "A/B.C/0", ""};
  auto read = Request::unpack(request.packed());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->identity, request.identity);
  EXPECT_EQ(read->test, "A/B.C/0");
  EXPECT_EQ(read->xml, "");
}

TEST(Messages, RepliesReadBack) {
  Reply reply{Reply::Kind::result, 1, 11, "text\n"};
  auto read = Reply::unpack(reply.packed());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, Reply::Kind::result);
  EXPECT_EQ(read->exit_code, 1);
  EXPECT_EQ(read->signal, 11);
  EXPECT_EQ(read->text, "text\n");
}

TEST(Messages, EveryCutIsNoticed) {
  const std::string whole = Reply{Reply::Kind::refused, 0, 0, "why"}.packed();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(Reply::unpack(whole.substr(0, size))) << size;
  }
  EXPECT_FALSE(Reply::unpack(whole + "x"));
  EXPECT_FALSE(Request::unpack(whole));
}

TEST(Messages, EndingsThatNoProcessHasAreNoReply) {
  EXPECT_TRUE(Reply::unpack(Reply{Reply::Kind::result, 255, 127, ""}.packed()));
  EXPECT_FALSE(Reply::unpack(Reply{Reply::Kind::result, 256, 0, ""}.packed()));
  EXPECT_FALSE(Reply::unpack(Reply{Reply::Kind::result, -1, 0, ""}.packed()));
  EXPECT_FALSE(Reply::unpack(Reply{Reply::Kind::result, 0, 128, ""}.packed()));
  EXPECT_FALSE(Reply::unpack(Reply{Reply::Kind::result, 0, -9, ""}.packed()));
}

TEST(Messages, LargeFramesArriveWhole) {
  Sockets sockets;
  const std::string sent(3 << 20, 'x');
  std::thread writer([&] { EXPECT_TRUE(send_frame(sockets.a.get(), sent)); });
  auto received = receive_frame(sockets.b.get());
  writer.join();
  ASSERT_TRUE(received);
  EXPECT_EQ(received->size(), sent.size());
}

TEST(Messages, AnEndIsNoFrame) {
  Sockets sockets;
  sockets.a.reset();
  EXPECT_FALSE(receive_frame(sockets.b.get()));
  EXPECT_FALSE(send_frame(sockets.b.get(), "to nobody"));
}

}  // namespace
}  // namespace gordian::batch
