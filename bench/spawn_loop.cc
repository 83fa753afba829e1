// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a user would write instead of `gordian run`: one fresh process per filter, started as
// cheaply as the system allows (posix_spawn, no shell, output to /dev/null).
//
//   bench_spawn_loop JOBS FILTER-FILE BINARY     one --gtest_filter a line
//
// Prints {"seconds", "processes", "failures"}; exits 1 when a process failed.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

std::vector<std::string> read_lines(const char* path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The three standard descriptors of every child: nothing to read, nowhere to write.
class NullStreams {
 public:
  NullStreams() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 2, "/dev/null", O_WRONLY, 0);
  }
  NullStreams(const NullStreams&) = delete;
  NullStreams& operator=(const NullStreams&) = delete;
  ~NullStreams() { posix_spawn_file_actions_destroy(&actions_); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

bool spawn(const char* binary, const std::string& filter, const NullStreams& streams) {
  std::string name = binary, flag = "--gtest_filter=" + filter;
  char* argv[] = {name.data(), flag.data(), nullptr};
  pid_t pid = -1;
  return posix_spawn(&pid, binary, streams.get(), nullptr, argv, environ) == 0;
}

/// Waits for one child. True when it exited with 0.
bool wait_for_one() {
  int status = 0;
  return wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Returns how many of the processes failed, or could not be started.
std::size_t run_all(const char* binary, const std::vector<std::string>& filters, int jobs) {
  const NullStreams streams;
  std::size_t failures = 0;
  int running = 0;
  for (const std::string& filter : filters) {
    if (running == jobs) {
      failures += wait_for_one() ? 0 : 1;
      --running;
    }
    if (spawn(binary, filter, streams)) {
      ++running;
    } else {
      ++failures;
    }
  }
  for (; running > 0; --running) failures += wait_for_one() ? 0 : 1;
  return failures;
}

}  // namespace

int main(int argc, char** argv) {
  const int jobs = argc == 4 ? std::atoi(argv[1]) : 0;
  const auto filters = jobs > 0 ? read_lines(argv[2]) : std::vector<std::string>();
  if (filters.empty()) {
    std::fputs("usage: bench_spawn_loop JOBS FILTER-FILE BINARY\n", stderr);
    return 2;
  }
  const auto begin = std::chrono::steady_clock::now();
  const std::size_t failures = run_all(argv[3], filters, jobs);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("{\"seconds\": %.6f, \"processes\": %zu, \"failures\": %zu}\n", took.count(),
              filters.size(), failures);
  return failures == 0 ? 0 : 1;
}
