// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The program of tests/runtime/native/fixtures/traced.cc, started and waiting for its letter.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace gordian {

class TracedProgram {
 public:
  TracedProgram(const std::string& level, const char* what) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      const std::string path = GORDIAN_TRACED_FIXTURES "/traced_" + level;
      ::execl(path.c_str(), "traced", what, nullptr);
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_.reset(in[1]);
    from_.reset(out[0]);
    read_addresses();
  }
  TracedProgram(const TracedProgram&) = delete;
  TracedProgram& operator=(const TracedProgram&) = delete;
  ~TracedProgram() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  pid_t pid() const { return pid_; }
  std::uint64_t value = 0, copied = 0, source = 0, function = 0, callee = 0;

  /// Lets it go on by one letter.
  void release() { EXPECT_EQ(::write(to_.get(), "!", 1), 1); }
  /// True when it has done what it was told.
  bool done() const {
    pollfd fd{from_.get(), POLLIN, 0};
    return ::poll(&fd, 1, 0) == 1 && (fd.revents & POLLIN) != 0;
  }
  /// Its wait status, once it has ended.
  int wait() {
    int status = -1;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }
  /// The last letter, the end, and its exit code or -signal.
  int finish() {
    release();
    const int status = wait();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  std::string status_field(std::string_view name) const {
    std::ifstream file("/proc/" + std::to_string(pid_) + "/status");
    for (std::string word; file >> word;) {
      if (word == name && file >> word) return word;
    }
    return "";
  }

 private:
  void read_addresses() {
    std::string line;
    for (char letter = 0; ::read(from_.get(), &letter, 1) == 1 && letter != '\n';) line += letter;
    unsigned long at[5] = {};
    EXPECT_EQ(
        std::sscanf(line.c_str(), "%lx %lx %lx %lx %lx", &at[0], &at[1], &at[2], &at[3], &at[4]),
        5);
    value = at[0], copied = at[1], source = at[2], function = at[3], callee = at[4];
  }

  pid_t pid_ = -1;
  UniqueFd to_, from_;
};

/// The number of the line in traced.cc that ends with "// line: NAME".
inline int traced_line(std::string_view name) {
  std::ifstream file(GORDIAN_TRACED_SOURCE);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with("// line: " + std::string(name))) return number;
  }
  ADD_FAILURE() << "no line " << name;
  return -1;
}

}  // namespace gordian
