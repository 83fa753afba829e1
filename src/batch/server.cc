// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "batch/server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "batch/rendezvous.h"
#include "runtime/interrupt.h"

namespace gordian::batch {
namespace {

using Clock = std::chrono::steady_clock;

class Server {
 public:
  Server(const Service& service, ServerOptions options)
      : service_(service),
        options_(std::move(options)),
        unservable_(service.unservable),
        ctest_(static_cast<int>(::syscall(SYS_pidfd_open, options_.ctest.pid, 0))) {}

  void run();

 private:
  struct Member {
    pid_t pid;
    UniqueFd channel;
    bool busy = true;
    bool gone = false;
  };
  bool ctest_is_gone() const;
  bool is_at_rest() const;
  bool wait();
  void accept_clients();
  void hear(Member& member);
  void assign();
  bool start_worker();
  void refuse(const UniqueFd& client) const;
  void end_workers();

  const Service& service_;
  ServerOptions options_;
  std::string unservable_;  ///< why no test of this binary can be run here; empty: it can
  UniqueFd ctest_;          ///< readable once it has ended
  std::deque<UniqueFd> waiting_;
  std::vector<Member> workers_;
  Clock::time_point last_work_ = Clock::now();
};

bool Server::ctest_is_gone() const {
  if (!ctest_.valid()) return !is_alive(options_.ctest);
  pollfd watch{ctest_.get(), POLLIN, 0};
  return ::poll(&watch, 1, 0) > 0 || !is_alive(options_.ctest);
}

bool Server::is_at_rest() const {
  return waiting_.empty() &&
         std::none_of(workers_.begin(), workers_.end(), [](const Member& m) { return m.busy; });
}

/// Sleeps until something has happened. False: it is time to end.
bool Server::wait() {
  std::vector<pollfd> fds = {{options_.listener.get(), POLLIN, 0}};
  if (ctest_.valid()) fds.push_back({ctest_.get(), POLLIN, 0});
  for (const Member& member : workers_) fds.push_back({member.channel.get(), POLLIN, 0});
  constexpr auto kLook = std::chrono::milliseconds(500);
  ::poll(fds.data(), fds.size(), static_cast<int>(std::min(kLook, options_.idle).count()));
  if (interrupted() || ctest_is_gone()) return false;
  if (!is_at_rest()) last_work_ = Clock::now();
  return Clock::now() - last_work_ < options_.idle || (fds[0].revents & POLLIN) != 0;
}

void Server::accept_clients() {
  for (;;) {
    UniqueFd client(::accept4(options_.listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client.valid()) return;
    if (!is_same_user(client.get())) continue;  // nobody else's tests run as us
    last_work_ = Clock::now();
    waiting_.push_back(std::move(client));
  }
}

void Server::hear(Member& member) {
  char report[4096];
  ssize_t n = ::recv(member.channel.get(), report, sizeof report, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {
    member.gone = true;  // its client sees that too, and helps itself
    return;
  }
  member.busy = false;
  last_work_ = Clock::now();
  if (report[0] == kUnservable) unservable_.assign(report + 1, static_cast<std::size_t>(n - 1));
}

void Server::refuse(const UniqueFd& client) const {
  Reply reply;
  reply.kind = Reply::Kind::refused;
  reply.text = unservable_;
  send_frame(client.get(), reply.packed());
  ::shutdown(client.get(), SHUT_WR);
}

bool Server::start_worker() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  UniqueFd ours(ends[0]), theirs(ends[1]);
  const pid_t server = ::getpid();
  pid_t pid = ::fork();
  if (pid < 0) return false;
  if (pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != server) ::_exit(0);
    ours.reset();  // what stays open here would not be seen to close
    options_.listener.reset();
    waiting_.clear();
    workers_.clear();
    { Worker(service_, std::move(theirs)).serve(); }
    ::_exit(0);
  }
  workers_.push_back({pid, std::move(ours)});
  return true;
}

/// Each waiting connection goes to a free worker, or to a new one.
void Server::assign() {
  while (!waiting_.empty()) {
    if (!unservable_.empty()) {
      refuse(waiting_.front());
      waiting_.pop_front();
      continue;
    }
    auto free = std::find_if(workers_.begin(), workers_.end(),
                             [](const Member& m) { return !m.busy && !m.gone; });
    if (free == workers_.end()) {
      if (static_cast<int>(workers_.size()) >= options_.most_workers || !start_worker()) return;
      free = workers_.end() - 1;
    }
    free->busy = true;
    if (send_connection(free->channel.get(), waiting_.front().get())) {
      waiting_.pop_front();
    } else {
      free->gone = true;
    }
  }
}

void Server::run() {
  ::fcntl(options_.listener.get(), F_SETFL, O_NONBLOCK);
  do {
    accept_clients();
    for (Member& member : workers_) hear(member);
    std::erase_if(workers_, [](const Member& m) {
      if (m.gone) ::waitpid(m.pid, nullptr, 0);
      return m.gone;
    });
    assign();
  } while (wait());
  ::unlink(log_path(options_.socket_path).c_str());
  ::unlink(options_.socket_path.c_str());
  options_.listener.reset();  // who has connected by now sees it close, and starts a new server
  waiting_.clear();
  end_workers();
}

/// They end their programs by themselves; the framework's tear-down may take a while.
void Server::end_workers() {
  const auto deadline = Clock::now() + std::chrono::seconds(8);
  for (Member& member : workers_) member.channel.reset();
  for (Member& member : workers_) {
    while (::waitpid(member.pid, nullptr, WNOHANG) == 0) {
      if (Clock::now() > deadline) ::kill(member.pid, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
}

}  // namespace

void serve_batch(const Service& service, ServerOptions options) {
  Server(service, std::move(options)).run();
}

}  // namespace gordian::batch
