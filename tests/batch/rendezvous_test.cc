// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "batch/rendezvous.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "batch/server.h"
#include "runtime/interrupt.h"
#include "tests/model/scratch_dir.h"

namespace gordian::batch {
namespace {

constexpr uid_t kSomebody = 12345;

/// A meeting place that lets everybody in, as if its permissions had failed.
class Rendezvous : public ScratchDir {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to be somebody else";
    ASSERT_EQ(::chmod(dir_.c_str(), 0777), 0);
  }
  std::string socket_path() const { return (dir_ / "socket").string(); }

  sockaddr_un address() const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socket_path().copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
  }
  UniqueFd listener() const {
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un at = address();
    EXPECT_EQ(::bind(fd.get(), reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
    EXPECT_EQ(::listen(fd.get(), 5), 0);
    ::chmod(socket_path().c_str(), 0777);
    return fd;
  }
  UniqueFd connected() const {
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un at = address();
    if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) != 0) return UniqueFd();
    return fd;
  }
};

/// The exit code of `work`, done by another process.
int done_by(uid_t user, const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(::setresuid(user, user, user) == 0 ? work() : 99);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

TEST_F(Rendezvous, NobodyElsesServerIsAsked) {
  // Who listens is who called listen(), also after he has gone; the socket itself is inherited.
  UniqueFd theirs(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(done_by(kSomebody,
                    [&] {
                      sockaddr_un at = address();
                      return ::bind(theirs.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) +
                             ::listen(theirs.get(), 5);
                    }),
            0);
  auto met = meet_server(Batch{}, socket_path(), "/nonexistent");
  ASSERT_FALSE(met.ok());
  EXPECT_NE(met.error().message.find("another user listens"), std::string::npos);
}

TEST_F(Rendezvous, OnesOwnServerIsAsked) {
  UniqueFd ours = listener();
  EXPECT_TRUE(meet_server(Batch{}, socket_path(), "/nonexistent").ok());
}

TEST_F(Rendezvous, OnlyWhatNobodyHoldsIsSwept) {
  const auto make = [&](const std::string& name) {
    return UniqueFd(::open((dir_ / name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  };
  // Their numbers say nothing: they may be of another namespace.
  for (const char* name : {"999999-a.sock", "999999-b.sock", "999999-other"}) make(name);
  const UniqueFd held = make("999999-a.sock.log");
  ASSERT_EQ(::flock(held.get(), LOCK_EX), 0);
  make("999999-b.sock.log");
  sweep_crashed(dir_);
  for (const char* name : {"999999-a.sock", "999999-a.sock.log", "999999-other"}) {
    EXPECT_TRUE(std::filesystem::exists(dir_ / name)) << name;
  }
  for (const char* name : {"999999-b.sock", "999999-b.sock.log"}) {
    EXPECT_FALSE(std::filesystem::exists(dir_ / name)) << name;
  }
}

TEST_F(Rendezvous, NobodyElsesRequestIsHeard) {
  Service service;
  service.unservable = "it is not";  // the answer to whoever is heard
  ServerOptions options;
  options.listener = listener();
  options.socket_path = socket_path();
  options.idle = std::chrono::seconds(30);
  options.ctest = find_ctest();
  const pid_t server = ::fork();
  if (server == 0) {
    serve_batch(service, std::move(options));
    ::_exit(0);
  }
  const auto bytes_received = [&] {
    UniqueFd connection = connected();
    char byte = 0;
    return connection.valid() && ::recv(connection.get(), &byte, 1, 0) == 1 ? 1 : 0;
  };
  EXPECT_EQ(done_by(0, bytes_received), 1);
  EXPECT_EQ(done_by(kSomebody, bytes_received), 0);
  EXPECT_EQ(done_by(0, bytes_received), 1);
  ::kill(server, SIGKILL);
  ::waitpid(server, nullptr, 0);
}

}  // namespace
}  // namespace gordian::batch
