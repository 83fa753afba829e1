// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "batch/fresh_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/unique_fd.h"
#include "batch/messages.h"

namespace gordian::batch {
namespace {

std::vector<std::string> command(const Batch& batch, const std::string& test,
                                 const std::string& xml) {
  std::vector<std::string> words = {batch.binary};
  words.insert(words.end(), batch.args.begin(), batch.args.end());
  words.push_back("--gtest_filter=" + test);
  words.emplace_back("--gtest_also_run_disabled_tests");
  words.emplace_back("--gtest_color=no");  // the line about a skip must be plain
  if (!xml.empty()) words.push_back("--gtest_output=xml:" + xml);
  return words;
}

[[noreturn]] void become_test(char* const* argv, int output, int report, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(126);
  ::dup2(output, 1);
  ::execv(argv[0], argv);
  int why = errno;
  if (::write(report, &why, sizeof why) < 0) ::_exit(126);
  ::_exit(127);
}

void write_out(const char* bytes, std::size_t size) {
  while (size > 0) {
    ssize_t n = ::write(1, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    bytes += n;
    size -= static_cast<std::size_t>(n);
  }
}

/// Until all who could write are gone.
void copy_output(int from, OutputWatch& watch) {
  char buffer[16384];
  for (;;) {
    ssize_t n = ::read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    watch.take(buffer, static_cast<std::size_t>(n));
    write_out(buffer, static_cast<std::size_t>(n));
  }
  watch.take("\n", 1);
}

}  // namespace

void OutputWatch::end_line() {
  constexpr std::size_t kMark = 13;  // "[  SKIPPED ] "
  std::size_t end = kMark + test_.size();
  // Suite.Test (0 ms), or Suite.Test, where GetParam() = 3 (0 ms); not Suite.TestMore
  bool about_it = line_.size() >= end && line_.compare(kMark, test_.size(), test_) == 0 &&
                  (line_.size() == end || line_[end] == ' ' || line_[end] == ',');
  skipped_ = skipped_ || (about_it && line_.starts_with("[  SKIPPED ] "));
  passed_ = passed_ || (about_it && line_.starts_with("[       OK ] "));
  nothing_ = nothing_ || line_.starts_with("[==========] Running 0 tests ");
  line_.clear();
}

void OutputWatch::take(const char* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[i] == '\n') {
      end_line();
    } else if (line_.size() < test_.size() + 40) {
      line_ += bytes[i];  // the rest of a line does not matter
    }
  }
}

Result<FreshEnd> run_fresh_process(const Batch& batch, const std::string& test,
                                   const std::string& xml) {
  int output[2], report[2];
  if (::pipe2(output, O_CLOEXEC) != 0 || ::pipe2(report, O_CLOEXEC) != 0) {
    return internal_error(std::string("pipe: ") + std::strerror(errno));
  }
  UniqueFd out(output[0]), in(output[1]), told(report[0]), tell(report[1]);
  std::vector<std::string> words = command(batch, test, xml);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t us = ::getpid(), pid = ::fork();
  if (pid == 0) become_test(argv.data(), in.get(), tell.get(), us);
  if (pid < 0) return internal_error(std::string("fork: ") + std::strerror(errno));
  in.reset();
  tell.reset();
  OutputWatch watch(test);
  copy_output(out.get(), watch);
  int status = 0, why = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (::read(told.get(), &why, sizeof why) == sizeof why) {
    return target_error("cannot start " + batch.binary + ": " + std::strerror(why));
  }
  if (status == 0 && watch.found_nothing()) return usage_error(no_such_test(test));
  if (WIFSIGNALED(status)) return FreshEnd{0, WTERMSIG(status), false};
  return FreshEnd{WEXITSTATUS(status), 0, WEXITSTATUS(status) == 0 && watch.skipped()};
}

}  // namespace gordian::batch
