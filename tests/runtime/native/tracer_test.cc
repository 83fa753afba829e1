// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/tracer.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <sstream>
#include <thread>

#include "symbols/process_memory.h"
#include "tests/runtime/native/traced_test.h"

namespace gordian {
namespace {

using namespace std::chrono_literals;

std::string to_text(const std::vector<StackFrame>& frames) {
  std::ostringstream out;
  for (const StackFrame& frame : frames) {
    out << frame.function << " " << frame.file << ":" << frame.line << " " << frame.module << "\n";
  }
  return out.str();
}

const char* name_of(TraceKind kind) {
  constexpr const char* kNames[] = {"write",   "read",   "read_write", "function",
                                    "syscall", "exited", "timed_out",  "stopped"};
  return kNames[static_cast<int>(kind)];
}

/// An event with the line of the program that it belongs to.
struct Seen {
  TraceEvent event;
  std::string kind;
  int line = 0;
  std::string function;
  std::string stack;
};

class TracerTest : public TracedTest {
 protected:
  void watch(std::initializer_list<Watch> watches, KernelAccess kernel = KernelAccess::caught) {
    Status status = tracer_->watch_memory(std::vector<Watch>(watches), kernel);
    ASSERT_TRUE(status.ok()) << status.error().message;
  }
  TraceEvent next() {
    auto event = tracer_->next(Tracer::Clock::now() + 20s, [this] { return program_->done(); });
    EXPECT_TRUE(event.ok()) << event.error().message;
    return event.ok() ? *event : TraceEvent{.kind = TraceKind::exited};
  }
  /// Everything until the program has done its task, or has ended.
  std::vector<Seen> run() {
    program_->release();
    std::vector<Seen> all;
    for (TraceEvent event = next(); event.kind < TraceKind::exited; event = next()) {
      all.push_back(describe(event));
    }
    return all;
  }
  Seen describe(const TraceEvent& event) {
    Seen seen{event, name_of(event.kind), 0, "", ""};
    auto stack = tracer_->stack(event.tid);
    EXPECT_TRUE(stack.ok()) << stack.error().message;
    if (!stack.ok()) return seen;
    seen.stack = to_text(*stack);
    for (const StackFrame& frame : *stack) {
      if (!frame.file.ends_with("traced.cc")) continue;
      seen.line = frame.line;
      seen.function = frame.function;
      break;
    }
    return seen;
  }
  static std::string summary(const std::vector<Seen>& all) {
    std::ostringstream out;
    for (const Seen& seen : all) {
      out << seen.kind << "@" << seen.line << " " << seen.event.old_value << "->"
          << seen.event.new_value << "\n";
    }
    return out.str();
  }
  static std::string line(const char* kind, const char* name, long old_value, long new_value) {
    std::ostringstream out;
    out << kind << "@" << traced_line(name) << " " << old_value << "->" << new_value << "\n";
    return out.str();
  }
  int let_go() {
    Status detached = tracer_->detach();
    EXPECT_TRUE(detached.ok()) << detached.error().message;
    EXPECT_EQ(program_->status_field("TracerPid:"), "0");
    return program_->finish();
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, TracerTest, traced_levels(), level_name);

TEST_P(TracerTest, ReadsWritesAndBothAreToldApartAndHaveTheirLines) {
  start("plain");
  watch({{program_->value, 8, true}});
  const std::vector<Seen> all = run();
  EXPECT_EQ(summary(all), line("write", "write", 0, 5) + line("read", "read", 5, 5) +
                              line("read_write", "add", 5, 6) + line("write", "same", 6, 6));
  for (const Seen& seen : all) EXPECT_TRUE(seen.event.decoded) << seen.stack;
  EXPECT_EQ(let_go(), 42);
}

TEST_P(TracerTest, AWatchForWritesTellsNoReads) {
  start("plain");
  watch({{program_->value, 4, false}});
  EXPECT_EQ(summary(run()), line("write", "write", 0, 5) + line("read_write", "add", 5, 6) +
                                line("write", "same", 6, 6));
  EXPECT_EQ(let_go(), 42);
}

TEST_P(TracerTest, InlinedFunctionsAreFrames) {
  start("inlining");
  watch({{program_->value, 8, false}});
  program_->release();
  const TraceEvent event = next();
  ASSERT_EQ(event.kind, TraceKind::write);
  auto stack = tracer_->stack(event.tid);
  ASSERT_TRUE(stack.ok());
  ASSERT_GE(stack->size(), 3u);
  EXPECT_EQ(stack->at(0).line, traced_line("inlined")) << to_text(*stack);
  EXPECT_NE(stack->at(0).function.find("set_inlined"), std::string::npos);
  EXPECT_EQ(stack->at(1).line, traced_line("inlined call")) << to_text(*stack);
  EXPECT_NE(stack->at(1).function.find("inlining"), std::string::npos);
  EXPECT_EQ(let_go(), 42);
}

TEST_P(TracerTest, CopiesReadTheirSourceAndWriteTheirDestination) {
  for (const char* what : {"copying", "repeating"}) {
    SCOPED_TRACE(what);
    start(what);
    watch({{program_->copied + 80, 8, true}, {program_->source + 160, 8, true}});
    const std::vector<Seen> all = run();
    std::set<std::pair<std::size_t, std::string>> kinds;
    for (const Seen& seen : all) {
      kinds.emplace(seen.event.watch, seen.kind);
      EXPECT_EQ(seen.line, traced_line(what == std::string_view("copying") ? "memcpy" : "rep"))
          << seen.stack;
    }
    const std::set<std::pair<std::size_t, std::string>> expected = {{0, "write"}, {1, "read"}};
    EXPECT_EQ(kinds, expected) << summary(all);
    EXPECT_EQ(let_go(), 42);
  }
}

TEST_P(TracerTest, ACallThroughAWatchedPointerReadsItInTheCaller) {
  start("pointer");
  watch({{program_->function, 8, true}});
  const std::vector<Seen> all = run();
  ASSERT_EQ(all.size(), 1u) << summary(all);
  EXPECT_EQ(all[0].kind, "read");
  EXPECT_EQ(all[0].line, traced_line("pointer")) << all[0].stack;
  EXPECT_EQ(let_go(), 42);
}

TEST_P(TracerTest, OneInstructionThatHitsTwoWatchesIsToldTwice) {
  start("halves");
  watch({{program_->value, 4, false}, {program_->value + 4, 4, false}});
  const std::vector<Seen> all = run();
  ASSERT_EQ(all.size(), 2u) << summary(all);
  EXPECT_EQ(all[0].event.watch, 0u);
  EXPECT_EQ(all[0].event.new_value, 2u);
  EXPECT_EQ(all[1].event.watch, 1u);
  EXPECT_EQ(all[1].event.new_value, 1u);
  EXPECT_EQ(all[1].line, traced_line("halves")) << all[1].stack;
  EXPECT_EQ(let_go(), 42);
}

TEST_P(TracerTest, WhatTheKernelReadsAndWritesForTheProgramIsTold) {
  start("kernel");
  watch({{program_->value, 8, true}});
  const std::vector<Seen> all = run();
  EXPECT_EQ(summary(all), line("write", "kernel write", 0, 9) + line("read", "kernel read", 9, 9));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].event.syscall, SYS_read);
  EXPECT_EQ(all[1].event.syscall, SYS_write);
  EXPECT_EQ(let_go(), 42);
}

TEST_P(TracerTest, ThreadsThatStartLaterAreWatched) {
  start("threads");
  watch({{program_->value, 8, false}});
  const std::vector<Seen> all = run();
  ASSERT_EQ(all.size(), 4u) << summary(all);
  std::set<pid_t> tids;
  for (const Seen& seen : all) {
    tids.insert(seen.event.tid);
    EXPECT_EQ(seen.line, traced_line("thread")) << seen.stack;
  }
  EXPECT_EQ(tids.size(), 4u);
  EXPECT_FALSE(tids.contains(program_->pid()));
  EXPECT_EQ(let_go(), 42);
}

TEST_P(TracerTest, AFunctionIsStoppedAtBeforeItsFirstInstruction) {
  start("call");
  ASSERT_TRUE(tracer_->stop_at_functions(std::vector{program_->callee}).ok());
  const std::vector<Seen> all = run();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].event.instruction, program_->callee);
  EXPECT_EQ(all[0].event.arguments[0], 11u);
  EXPECT_EQ(all[0].event.arguments[1], 31u);
  EXPECT_NE(all[0].function.find("callee"), std::string::npos) << all[0].stack;
  EXPECT_NE(all[0].stack.find("main"), std::string::npos) << all[0].stack;
  EXPECT_EQ(let_go(), 42);
}

TEST_P(TracerTest, NoCallIsMissedWhenManyThreadsMakeThem) {
  start("calls");
  const auto code = read_memory(program_->pid(), TargetAddr{program_->callee}, 16);
  ASSERT_TRUE(tracer_->stop_at_functions(std::vector{program_->callee}).ok());
  program_->release();
  int calls = 0;
  for (TraceEvent event = next(); event.kind == TraceKind::function; event = next()) ++calls;
  EXPECT_EQ(calls, 200);
  ASSERT_TRUE(tracer_->stop_at_functions({}).ok());
  EXPECT_EQ(read_memory(program_->pid(), TargetAddr{program_->callee}, 16), code);
  EXPECT_EQ(let_go(), 42);
}

TEST_P(TracerTest, DetachingInTheMiddleOfManyCallsAndWritesHurtsNobody) {
  for (int stop_after : {1, 2, 3, 5, 8, 13, 21, 34}) {
    start("calls");
    ASSERT_TRUE(tracer_->stop_at_functions(std::vector{program_->callee}).ok());
    program_->release();
    for (int i = 0; i < stop_after; ++i) ASSERT_EQ(next().kind, TraceKind::function);
    EXPECT_EQ(let_go(), 42) << "after " << stop_after;
  }
}

TEST_P(TracerTest, OnlyTheSystemCallsAskedForAreTold) {
  start("umask");
  ASSERT_TRUE(tracer_->stop_at_syscalls(std::vector<long>{SYS_umask}).ok());
  const std::vector<Seen> all = run();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].kind, "syscall");
  EXPECT_EQ(all[0].event.syscall, SYS_umask);
  EXPECT_EQ(all[0].event.arguments[0], 022u);
  EXPECT_NE(all[0].stack.find("umask"), std::string::npos) << all[0].stack;
  EXPECT_EQ(let_go(), 42);
}

TEST_P(TracerTest, AForkedChildRunsOnWithoutOurBreakpoints) {
  start("fork");
  watch({{program_->value, 8, true}});
  ASSERT_TRUE(tracer_->stop_at_functions(std::vector{program_->callee}).ok());
  const std::vector<Seen> all = run();
  ASSERT_EQ(all.size(), 1u) << summary(all);  // the child's write and call are its own
  EXPECT_EQ(all[0].event.arguments[0], 2u);
  EXPECT_EQ(let_go(), 7);
}

TEST_P(TracerTest, EveryOneOfManyChildrenIsLetGo) {
  start("forks");
  EXPECT_TRUE(run().empty());
  EXPECT_EQ(tracer_->children_started(), 2000u);
  EXPECT_EQ(let_go(), 7);
}

TEST_P(TracerTest, ASpawnedProgramRunsAndBreakpointsStayForTheParent) {
  start("spawn");
  ASSERT_TRUE(tracer_->stop_at_functions(std::vector{program_->callee}).ok());
  const std::vector<Seen> all = run();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].event.arguments[0], 2u);
  EXPECT_EQ(let_go(), 1);
}

TEST_P(TracerTest, TheProgramsOwnSignalsTrapsAndStopsWork) {
  start("signals");
  watch({{program_->value, 8, false}});
  program_->release();
  EXPECT_EQ(next().new_value, 1u);
  EXPECT_EQ(next().new_value, 2u);
  auto quiet = tracer_->next(Tracer::Clock::now() + 300ms, nullptr);
  ASSERT_TRUE(quiet.ok());
  EXPECT_EQ(quiet->kind, TraceKind::timed_out) << "SIGSTOP must hold it";
  ::kill(program_->pid(), SIGCONT);
  EXPECT_EQ(next().new_value, 3u);
  EXPECT_EQ(next().kind, TraceKind::stopped);
  EXPECT_EQ(let_go(), 4);
}

TEST_P(TracerTest, AStoppedProcessStaysStoppedWhenLetGo) {
  start("signals");
  program_->release();
  ASSERT_EQ(tracer_->next(Tracer::Clock::now() + 300ms, nullptr)->kind, TraceKind::timed_out);
  ASSERT_TRUE(tracer_->detach().ok());
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(program_->status_field("State:"), "T");
  ::kill(program_->pid(), SIGCONT);
  EXPECT_EQ(program_->finish(), 4);
}

TEST_P(TracerTest, WatchesAreGoneAfterDetaching) {
  start("many");
  watch({{program_->value, 8, false}});
  program_->release();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(next().new_value, static_cast<unsigned>(i));
  EXPECT_EQ(let_go(), 42);
}

TEST_P(TracerTest, ADeadlineIsKept) {
  start("spin");
  program_->release();
  const auto before = Tracer::Clock::now();
  auto event = tracer_->next(before + 50ms, nullptr);
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(event->kind, TraceKind::timed_out);
  EXPECT_LT(Tracer::Clock::now() - before, 5s);
}

TEST_P(TracerTest, AProcessKilledWhileWeWaitHasExited) {
  start("spin");
  watch({{program_->value, 8, false}});
  program_->release();
  std::thread killer([pid = program_->pid()] {
    std::this_thread::sleep_for(50ms);
    ::kill(pid, SIGKILL);
  });
  const TraceEvent event = next();
  killer.join();
  EXPECT_EQ(event.kind, TraceKind::exited);
  EXPECT_EQ(event.signal, SIGKILL);
  EXPECT_EQ(next().kind, TraceKind::exited) << "and stays so";
  EXPECT_TRUE(WIFSIGNALED(program_->wait())) << "its status is its parent's";
}

TEST_P(TracerTest, KilledWhileItStandsStillEveryCallHasAnAnswer) {
  start("calls");
  watch({{program_->value, 8, false}});
  ASSERT_TRUE(tracer_->stop_at_functions(std::vector{program_->callee}).ok());
  program_->release();
  const TraceEvent event = next();
  ASSERT_EQ(event.kind, TraceKind::function);
  ::kill(program_->pid(), SIGKILL);
  (void)tracer_->stack(event.tid);
  (void)tracer_->watch_memory(std::vector<Watch>{{program_->value, 4, true}});
  (void)tracer_->stop_at_functions({});
  TraceEvent end = next();
  while (end.kind == TraceKind::function) end = next();
  EXPECT_EQ(end.kind, TraceKind::exited);
  EXPECT_TRUE(tracer_->detach().ok());
}

TEST_P(TracerTest, ExecEndsTheTrace) {
  start("exec");
  watch({{program_->value, 8, false}});
  program_->release();
  const TraceEvent event = next();
  EXPECT_EQ(event.kind, TraceKind::exited);
  EXPECT_TRUE(event.replaced);
  EXPECT_EQ(program_->wait(), 0);
}

TEST_P(TracerTest, TheEndOfTheProgramIsToldWithItsCode) {
  start("plain");
  program_->release();
  program_->release();
  auto event = tracer_->next(Tracer::Clock::now() + 20s, nullptr);
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(event->kind, TraceKind::exited);
  EXPECT_EQ(event->exit_code, 42);
  EXPECT_EQ(WEXITSTATUS(program_->wait()), 42);
}

TEST(TracerAttach, AProcessThatIsGoneIsAnError) {
  pid_t pid = 0;
  {
    TracedProgram program("O0", "plain");
    pid = program.pid();
  }
  auto attached = Tracer::attach(pid);
  ASSERT_FALSE(attached.ok());
  EXPECT_EQ(attached.error().kind, ErrorKind::target);
}

/// As the engine has it: the process is the child of a guard, which hears how it ended.
TEST(TracerAttach, AGrandchildsEndIsHeardByItsParent) {
  int fds[2];
  ASSERT_EQ(::pipe(fds), 0);
  const pid_t guard = ::fork();
  if (guard == 0) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::usleep(200'000);
      ::_exit(9);
    }
    (void)!::write(fds[1], &child, sizeof(child));
    int status = 0;
    ::waitpid(child, &status, 0);
    ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) + 1 : 1);
  }
  pid_t child = 0;
  ASSERT_EQ(::read(fds[0], &child, sizeof(child)), static_cast<ssize_t>(sizeof(child)));
  ::close(fds[0]);
  ::close(fds[1]);
  auto tracer = Tracer::attach(child);
  ASSERT_TRUE(tracer.ok()) << tracer.error().message;
  auto event = tracer->next(Tracer::Clock::now() + 20s, nullptr);
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(event->kind, TraceKind::exited);
  EXPECT_EQ(event->exit_code, 9);
  int status = 0;
  ASSERT_EQ(::waitpid(guard, &status, 0), guard);
  EXPECT_EQ(WEXITSTATUS(status), 10);
}

// As when a search is out of time while a test is watched: whoever waits for the test's parent must
// not wait for ever.
TEST(TracerAttach, AKilledGrandchildsEndIsPassedOnWhileItsTracerLooksElsewhere) {
  int told[2];
  ASSERT_EQ(::pipe(told), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) ::pause();
    }
    (void)!::write(told[1], &child, sizeof child);
    ::waitpid(child, nullptr, 0);
    ::_exit(7);
  }
  pid_t child = 0;
  ASSERT_EQ(::read(told[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  auto tracer = Tracer::attach(child);
  ASSERT_TRUE(tracer.ok()) << tracer.error().message;
  ::kill(child, SIGKILL);
  int status = 0;
  const auto deadline = Tracer::Clock::now() + std::chrono::seconds(20);
  while (::waitpid(parent, &status, WNOHANG) == 0 && Tracer::Clock::now() < deadline) {
    Tracer::pass_on_ends();
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
  ::kill(parent, SIGKILL);
  ::close(told[0]);
  ::close(told[1]);
}

/// Ends the process as soon as it may, in one of its threads; the others wait.
[[noreturn]] void end_in_a_thread(const std::atomic<bool>& may_end) {
  std::thread([&] {
    while (!may_end) {
    }
    ::_exit(3);
  }).detach();
  for (int i = 0; i < 60; ++i)
    std::thread([] {
      for (;;) ::pause();
    }).detach();
  for (;;) ::pause();
}

// Threads are let go one after the other: the first may end them all before the last is.
TEST(TracerAttach, AProcessThatEndsWhileItIsLetGoIsHeardOf) {
  void* shared = ::mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  for (int round = 0; round < 10; ++round) {
    auto* may_end = new (shared) std::atomic<bool>(false);
    const pid_t child = ::fork();
    if (child == 0) end_in_a_thread(*may_end);
    std::this_thread::sleep_for(20ms);
    auto tracer = Tracer::attach(child);
    ASSERT_TRUE(tracer.ok()) << tracer.error().message;
    *may_end = true;
    EXPECT_TRUE(tracer->detach().ok());
    int status = 0;
    const auto deadline = Tracer::Clock::now() + 20s;
    while (::waitpid(child, &status, WNOHANG) == 0 && Tracer::Clock::now() < deadline) {
      std::this_thread::sleep_for(1ms);
    }
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3) << status << " in round " << round;
  }
  ::munmap(shared, sizeof(std::atomic<bool>));
}

TEST(TracerAttach, AProcessThatAnotherTracesIsAnErrorThatNamesIt) {
  TracedProgram program("O0", "plain");
  auto first = Tracer::attach(program.pid());
  ASSERT_TRUE(first.ok());
  std::optional<Result<Tracer>> second;
  std::thread([&] { second.emplace(Tracer::attach(program.pid())); }).join();
  ASSERT_FALSE(second->ok());
  EXPECT_NE(second->error().message.find("may not be traced"), std::string::npos);
  EXPECT_NE(second->error().hint.find("traces it already"), std::string::npos);
}

TEST(TracerAttach, WatchesThatTheProcessorCannotSetAreRefused) {
  TracedProgram program("O0", "plain");
  auto tracer = Tracer::attach(program.pid());
  ASSERT_TRUE(tracer.ok());
  EXPECT_FALSE(tracer->watch_memory(std::vector<Watch>{{program.value + 1, 8, false}}).ok());
  EXPECT_FALSE(tracer->watch_memory(std::vector<Watch>{{program.value, 3, false}}).ok());
  EXPECT_FALSE(tracer->watch_memory(std::vector<Watch>(5, {program.value, 8, false})).ok());
}

}  // namespace
}  // namespace gordian
