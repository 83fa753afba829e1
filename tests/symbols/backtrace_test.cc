// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/backtrace.h"

#include <arpa/inet.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "base/unique_fd.h"
#include "tests/symbols/fixture_paths.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;

/// The `stacks` program, standing where it was told to.
class Held {
 public:
  explicit Held(const char* what, const std::string& program = "stacks") {
    int fds[2];
    if (::pipe(fds) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(fds[1], STDOUT_FILENO);
      ::execl(fixture(program).c_str(), program.c_str(), what, nullptr);
      ::_exit(127);
    }
    ::close(fds[1]);
    char letter = 0;
    EXPECT_EQ(::read(fds[0], &letter, 1), 1);
    ::close(fds[0]);
    std::this_thread::sleep_for(20ms);  // from the letter to the place
  }
  ~Held() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

  std::string status(std::string_view field) const {
    std::ifstream file("/proc/" + std::to_string(pid_) + "/status");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with(field)) return line.substr(line.find_first_not_of(":\t", field.size()));
    }
    return "";
  }

  /// Its state letter, once it is the wanted one: a thread let go needs a moment to settle.
  std::string state_within(std::chrono::seconds patience, std::string_view wanted) const {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
      const std::string state = status("State").substr(0, 1);
      if (state == wanted || std::chrono::steady_clock::now() >= deadline) return state;
      std::this_thread::sleep_for(1ms);
    }
  }

 private:
  pid_t pid_ = -1;
};

/// The number of the line in stacks.cc that carries this comment.
int line_of(std::string_view comment) {
  std::ifstream file(GORDIAN_STACKS_SOURCE);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with(comment)) return number;
  }
  return -1;
}

std::string names(const std::vector<StackFrame>& frames) {
  std::ostringstream out;
  for (const StackFrame& frame : frames) out << frame.function << "@" << frame.module << "\n";
  return out.str();
}

int index_of(const std::vector<StackFrame>& frames, std::string_view function) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (frames[i].function.find(function) != std::string::npos) return static_cast<int>(i);
  }
  return -1;
}

TEST(ReadStack, ACrashHeldByTheAgentStartsWhereItHappened) {
  Held held("agent");
  auto frames = read_stack(held.pid(), held.pid());
  ASSERT_TRUE(frames.ok()) << frames.error().message;
  ASSERT_EQ(index_of(*frames, "fixture::crash_here"), 0) << names(*frames);
  const StackFrame& top = frames->front();
  EXPECT_EQ(std::filesystem::path(top.file).filename(), "stacks.cc");
  EXPECT_EQ(top.line, line_of("// line of the crash"));
  EXPECT_EQ(top.module, "stacks");
  EXPECT_GT(index_of(*frames, "main"), 0);
}

TEST(ReadStack, TheAgentsFramesAreThereWhenAskedFor) {
  Held held("agent");
  auto frames = read_stack(held.pid(), held.pid(), 64, false);
  ASSERT_TRUE(frames.ok()) << frames.error().message;
  const int handler = index_of(*frames, "hold_in_agent");
  EXPECT_GE(handler, 0) << names(*frames);
  EXPECT_GT(index_of(*frames, "fixture::crash_here"), handler);
}

TEST(ReadStack, AHandlerOfTheProgramItselfIsKept) {
  Held held("own");
  auto frames = read_stack(held.pid(), held.pid());
  ASSERT_TRUE(frames.ok()) << frames.error().message;
  const int handler = index_of(*frames, "fixture::hold_in_program");
  EXPECT_GE(handler, 0) << names(*frames);
  EXPECT_GT(index_of(*frames, "fixture::crash_here"), handler) << names(*frames);
}

TEST(ReadStack, ASpinningFunctionShowsWithWhatIsInlinedInIt) {
  Held held("spin");
  auto frames = read_stack(held.pid(), held.pid());
  ASSERT_TRUE(frames.ok()) << frames.error().message;
  ASSERT_GE(frames->size(), 4u) << names(*frames);
  EXPECT_EQ(index_of(*frames, "fixture::(anonymous namespace)::inlined_spin"), 0) << names(*frames);
  EXPECT_EQ(frames->at(0).line, line_of("// line of the spin"));
  EXPECT_EQ(index_of(*frames, "fixture::inlined_twice"), 1) << names(*frames);
  EXPECT_EQ(frames->at(1).line, line_of("// line of the inner call"));
  EXPECT_EQ(index_of(*frames, "fixture::spin_here"), 2) << names(*frames);
  EXPECT_EQ(frames->at(2).line, line_of("// line of the inlined call"));
}

std::vector<std::string> relative_stacks() {
  std::istringstream words(GORDIAN_RELATIVE_STACKS);
  return {std::istream_iterator<std::string>(words), {}};
}

class RelativeStack : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Compilers, RelativeStack, testing::ValuesIn(relative_stacks()),
                         [](const auto& build) { return build.param; });

TEST_P(RelativeStack, FilesAreNamedFromWhereTheCompilerRan) {
  Held held("spin", GetParam());
  auto frames = read_stack(held.pid(), held.pid());
  ASSERT_TRUE(frames.ok()) << frames.error().message;
  for (std::string_view function : {"inlined_spin", "inlined_twice", "spin_here", "main"}) {
    const int index = index_of(*frames, function);
    ASSERT_GE(index, 0) << function << " in " << names(*frames);
    const StackFrame& frame = frames->at(static_cast<std::size_t>(index));
    EXPECT_GT(frame.line, 0) << function;
    std::error_code failed;
    EXPECT_TRUE(std::filesystem::equivalent(frame.file, GORDIAN_STACKS_SOURCE, failed))
        << function << " in " << frame.file;
  }
  EXPECT_EQ(frames->at(0).line, line_of("// line of the spin"));
}

TEST(ReadStack, TheDepthIsLimited) {
  Held held("deep");
  auto some = read_stack(held.pid(), held.pid(), 10);
  ASSERT_TRUE(some.ok()) << some.error().message;
  EXPECT_EQ(some->size(), 10u);
  auto all = read_stack(held.pid(), held.pid(), 1000);
  ASSERT_TRUE(all.ok()) << all.error().message;
  EXPECT_GT(all->size(), 200u);
}

TEST(ReadStack, TheProcessGoesOnAsBefore) {
  Held held("spin");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(read_stack(held.pid(), held.pid()).ok());
  EXPECT_EQ(held.status("TracerPid"), "0");
  EXPECT_EQ(held.state_within(5s, "R"), "R");

  ::kill(held.pid(), SIGSTOP);
  ::waitpid(held.pid(), nullptr, WUNTRACED);
  ASSERT_TRUE(read_stack(held.pid(), held.pid()).ok());
  EXPECT_EQ(held.status("TracerPid"), "0");
  EXPECT_EQ(held.state_within(5s, "T"), "T") << "it was stopped, and still is";
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(held.state_within(0s, "T"), "T");
}

TEST(ReadStack, AProcessThatIsGoneIsAnError) {
  pid_t pid = -1;
  {
    Held held("spin");
    pid = held.pid();
  }
  auto frames = read_stack(pid, pid);
  ASSERT_FALSE(frames.ok());
  EXPECT_EQ(frames.error().kind, ErrorKind::target);
}

using ReadStackInScratch = ScratchDir;

TEST_F(ReadStackInScratch, NoServerIsAskedForDebugInformation) {
  UniqueFd server(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(server.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(server.get(), 4), 0);
  ASSERT_EQ(::getsockname(server.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  const std::string url = "http://127.0.0.1:" + std::to_string(::ntohs(address.sin_port));
  ::setenv("DEBUGINFOD_URLS", url.c_str(), 1);
  ::setenv("DEBUGINFOD_TIMEOUT", "1", 1);
  ::setenv("DEBUGINFOD_CACHE_PATH", dir_.c_str(), 1);  // an old answer must not hide a question
  Held held("agent");
  auto frames = read_stack(held.pid(), held.pid(), 64, false);
  ::unsetenv("DEBUGINFOD_URLS");
  ::unsetenv("DEBUGINFOD_TIMEOUT");
  ::unsetenv("DEBUGINFOD_CACHE_PATH");
  ASSERT_TRUE(frames.ok()) << frames.error().message;
  EXPECT_LT(::accept(server.get(), nullptr, nullptr), 0) << "somebody called";
}

}  // namespace
}  // namespace gordian
