// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A Redis server, on the port $ZOO_REDIS_PORT, that all tests share: one test leaves a key in it.
#include <gtest/gtest.h>
#include <hiredis/hiredis.h>

#include <cstdlib>

namespace {

class Counter : public testing::Test {
 protected:
  void SetUp() override {
    const char* port = std::getenv("ZOO_REDIS_PORT");
    connection_ = redisConnect("127.0.0.1", port ? std::atoi(port) : 6379);
    ASSERT_TRUE(connection_ && !connection_->err) << "no server";
  }
  void TearDown() override { redisFree(connection_); }

  long long ask(const char* command) {
    auto* reply = static_cast<redisReply*>(redisCommand(connection_, command));
    long long answer = reply && reply->type == REDIS_REPLY_INTEGER ? reply->integer : -1;
    freeReplyObject(reply);
    return answer;
  }

  redisContext* connection_ = nullptr;
};

TEST_F(Counter, IsNotThereAtFirst) {
  EXPECT_EQ(ask("EXISTS visits"), 0);
}

TEST_F(Counter, CanBeRaised) {
  EXPECT_GT(ask("INCR visits"), 0);
}

TEST_F(Counter, CanBeRemoved) {
  EXPECT_GE(ask("DEL visits"), 0);
}

TEST(Sum, NeedsNoServer) {
  EXPECT_EQ(1 + 1, 2);
}

}  // namespace
