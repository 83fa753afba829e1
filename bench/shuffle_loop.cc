// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What people do today to find dependent tests: GoogleTest's own shuffle, over and over, and a look
// at what fails.
//
//   bench_shuffle_loop fresh|repeat JOBS SECONDS WANTED BINARY
//
// fresh: a new process for each seed 1, 2, 3, ...; repeat: JOBS processes that run all tests in a
// new order again and again (--gtest_repeat), with whatever state the last round left. Ends after
// SECONDS, or as soon as WANTED different tests have failed (0: never). Prints
// {"seconds", "orders", "found": [{"test", "seconds"}]}, in the order of their first failure.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Child {
  pid_t pid = -1;
  int output = -1;
  std::string line;  ///< as far as it has come
};

class Loop {
 public:
  Loop(bool repeat, int jobs, double seconds, std::size_t wanted, std::string binary)
      : repeat_(repeat), jobs_(jobs), seconds_(seconds), wanted_(wanted), binary_(binary) {}

  bool run() {
    while (!done()) {
      while (children_.size() < static_cast<std::size_t>(jobs_)) {
        if (!start()) return false;
      }
      read_some();
    }
    took_ = elapsed();
    for (Child& child : children_) kill(child.pid, SIGKILL);
    for (Child& child : children_) end(child);
    return true;
  }

  void print() const {
    std::printf("{\"seconds\": %.6f, \"orders\": %zu, \"found\": [", took_, orders_);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      std::printf("%s{\"test\": \"%s\", \"seconds\": %.6f}", i == 0 ? "" : ", ",
                  found_[i].first.c_str(), found_[i].second);
    }
    std::printf("]}\n");
  }

 private:
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  bool done() const { return elapsed() >= seconds_ || (wanted_ > 0 && found_.size() >= wanted_); }

  /// The rounds of a repeating process count their seed up; the processes must not meet.
  int next_seed() {
    constexpr int kSeeds = 99999, kApart = 10000;
    return repeat_ ? 1 + kApart * started_++ : 1 + started_++ % kSeeds;
  }

  bool start() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    std::vector<std::string> words = {binary_, "--gtest_shuffle", "--gtest_brief=1",
                                      "--gtest_color=no",
                                      "--gtest_random_seed=" + std::to_string(next_seed())};
    if (repeat_) words.push_back("--gtest_repeat=-1");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    Child child;
    int problem = posix_spawn(&child.pid, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    child.output = ends[0];
    if (problem == 0) children_.push_back(child);
    return problem == 0;
  }

  void read_some() {
    std::vector<pollfd> waiting;
    for (const Child& child : children_) waiting.push_back({child.output, POLLIN, 0});
    constexpr int kTickMs = 100;
    if (poll(waiting.data(), waiting.size(), kTickMs) <= 0) return;
    for (std::size_t i = waiting.size(); i-- > 0;) {
      if (waiting[i].revents == 0 || read_from(children_[i])) continue;
      end(children_[i]);
      children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  /// False at the end of its output.
  bool read_from(Child& child) {
    char buffer[65536];
    const ssize_t size = read(child.output, buffer, sizeof buffer);
    for (ssize_t i = 0; i < size; ++i) {
      if (buffer[i] != '\n') {
        child.line += buffer[i];
        continue;
      }
      look_at(child.line);
      child.line.clear();
    }
    return size > 0;
  }

  /// "[  FAILED  ] Suite.Test (0 ms)" right behind the test; a summary names it again.
  void look_at(std::string_view line) {
    constexpr std::string_view kFailed = "[  FAILED  ] ", kRan = "[==========] ";
    // Every round ends with one such line when output is brief.
    if (line.substr(0, kRan.size()) == kRan && line.find(" ran.") != line.npos) ++orders_;
    if (line.substr(0, kFailed.size()) != kFailed) return;
    line.remove_prefix(kFailed.size());
    line = line.substr(0, line.find_first_of(" ,"));
    if (line.find('.') == line.npos) return;  // "3 tests, listed below:"
    if (names_.insert(std::string(line)).second) found_.emplace_back(line, elapsed());
  }

  static void end(Child& child) {
    close(child.output);
    waitpid(child.pid, nullptr, 0);
  }

  bool repeat_;
  int jobs_, started_ = 0;
  double seconds_, took_ = 0;
  std::size_t wanted_, orders_ = 0;
  std::string binary_;
  Clock::time_point begin_ = Clock::now();
  std::vector<Child> children_;
  std::set<std::string> names_;
  std::vector<std::pair<std::string, double>> found_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc == 6 ? argv[1] : "";
  if (how != "fresh" && how != "repeat") {
    std::fputs("usage: bench_shuffle_loop fresh|repeat JOBS SECONDS WANTED BINARY\n", stderr);
    return 2;
  }
  Loop loop(how == "repeat", std::max(1, std::atoi(argv[2])), std::atof(argv[3]),
            static_cast<std::size_t>(std::atoi(argv[4])), argv[5]);
  if (!loop.run()) {
    std::fputs("bench_shuffle_loop: cannot start the binary\n", stderr);
    return 1;
  }
  loop.print();
}
