// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A global environment builds shared state before all tests and removes it after them.
#include <gtest/gtest.h>

#include <memory>

std::unique_ptr<int> g_server;

class Server : public testing::Environment {
 public:
  void SetUp() override { g_server = std::make_unique<int>(8080); }
  void TearDown() override { g_server.reset(); }
};

testing::Environment* const g_environment = testing::AddGlobalTestEnvironment(new Server);

TEST(ServerTest, IsUp) {
  ASSERT_NE(g_server, nullptr);
}

TEST(ServerTest, HasItsPort) {
  EXPECT_EQ(*g_server, 8080);
}

TEST(Client, FindsTheServer) {
  EXPECT_GT(*g_server, 1024);
}
