// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Tests that share a real Redis server are found to, by its address.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/unique_fd.h"
#include "flow/external/external_recorder.h"
#include "runtime/native/children.h"
#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "runtime/native/syscall_watch.h"
#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int free_port() {
  UniqueFd fd(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size) != 0) return 0;
  ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

/// A server of our own, on a port of its own; it ends with this object, and with us.
class RedisServer {
 public:
  explicit RedisServer(const std::string& directory) : port_(free_port()) {
    const std::string port = std::to_string(port_);
    pid_ = ::fork();
    if (pid_ > 0) register_child(pid_);  // the engine ends children that it does not know
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, 1);
    ::dup2(null, 2);
    ::execlp("redis-server", "redis-server", "--port", port.c_str(), "--bind", "127.0.0.1",
             "--save", "", "--appendonly", "no", "--dir", directory.c_str(), nullptr);
    ::_exit(127);
  }
  ~RedisServer() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    unregister_child(pid_);
  }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  int port() const { return port_; }
  bool answers() const {
    for (int i = 0; i < 500; ++i) {
      UniqueFd fd(::socket(AF_INET, SOCK_STREAM, 0));
      sockaddr_in address = loopback(port_);
      if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

 private:
  int port_;
  pid_t pid_;
};

bool have_redis() {
  return std::filesystem::exists("/usr/bin/redis-server") ||
         std::filesystem::exists("/usr/local/bin/redis-server");
}

class ServerTest : public ScratchDir {};

TEST_F(ServerTest, IsKnownByItsAddress) {
  const auto binary = std::filesystem::path(GORDIAN_ZOO_BINARIES) / "server" / "redis_counter";
  if (!have_redis()) GTEST_SKIP() << "redis-server is not installed";
  if (!std::filesystem::exists(binary)) GTEST_SKIP() << "libhiredis-dev was not there to build it";
  if (std::string why = watch_obstacle(); !why.empty()) GTEST_SKIP() << why;
  RedisServer server(dir_.string());
  ASSERT_TRUE(server.answers());

  Target target{binary, {}, dir_, {{"ZOO_REDIS_PORT", std::to_string(server.port())}}, ""};
  auto inspection = inspect(target);
  ASSERT_TRUE(inspection) << inspection.error().message;
  ExternalRecorder recorder;
  ExecutorOptions options;
  options.watch = &recorder;
  auto executor = Executor::open(target, inspection->elf, inspection->framework, options);
  ASSERT_TRUE(executor) << executor.error().message;
  Order order = (*executor)->suite().default_order();
  RunListener silent;
  auto runs = (*executor)->run_fresh({&order, 1}, silent);
  ASSERT_TRUE(runs);
  for (const TestRun& run : runs->front().runs) {
    EXPECT_EQ(run.outcome.kind, OutcomeKind::pass) << run.outcome.message;
  }

  FlowBuilder builder(FlowSource::watch, false);
  auto tests = recorder.take();
  for (std::size_t i = 0; i < order.size(); ++i) {
    builder.begin(order[i]);
    if (const ExternalTest* test = find_test(tests, i)) add_to(builder, *test);
  }
  DataFlow flow = builder.take();
  ASSERT_EQ(flow.states.size(), 1u);
  EXPECT_EQ(flow.states[0].key.kind(), CarrierKind::socket);
  EXPECT_EQ(flow.states[0].key.text(), "127.0.0.1:" + std::to_string(server.port()));
  ASSERT_EQ(flow.dependences.size(), 2u) << "the last test needs no server";
  EXPECT_EQ(flow.dependences[0].reader, order[1]);
  EXPECT_EQ(flow.dependences[0].writer, order[0]);
}

}  // namespace
}  // namespace gordian
