// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/target_process.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/check.h"
#include "runtime/native/children.h"
#include "runtime/native/private_fs.h"
#include "runtime/native/snapshot_support.h"
#include "runtime/native/syscall_watch.h"
#include "runtime/native/tracer.h"

namespace gordian {
namespace {

namespace wire = gordian_wire;

std::string describe_fault(std::uint32_t fault) {
  switch (fault) {
    case wire::kLayoutUnknown:
      return "the framework's data in this binary does not look like any version we know";
    case wire::kArenaFull:
      return "the binary has more tests than the agent has room for";
    case wire::kNoMemoryLeft:
      return "the test process has no memory left for the agent (a resource limit, or overcommit)";
    case wire::kForkFailed:
      return "the test process could not fork (process limit or memory)";
    case wire::kPrivateFsFailed:
      return "a worker could not get its private view of the file system";
    default:
      return "the agent gave up for an unknown reason";
  }
}

}  // namespace

Result<std::unique_ptr<TargetProcess>> TargetProcess::start(const LaunchSpec& spec,
                                                            HookAddresses& addresses) {
  auto memory = WireMemory::create(spec.tokens, spec.workers);
  if (!memory) return memory.error();
  wire::Header& header = memory->header();
  header.flags = wire::kCollapseHeap | (spec.list_only ? +wire::kListOnly : 0) |
                 (spec.stop_on_crash ? +wire::kStopOnCrash : 0) |
                 (spec.snapshots ? +wire::kSnapshots : 0) |
                 (spec.verify_snapshots ? +wire::kVerify : 0) |
                 (spec.same_addresses ? +wire::kSameAddresses : 0) |
                 (spec.run_disabled ? +wire::kRunDisabled : 0);
  header.avoid_backends = spec.avoid_backends;
  auto without = snapshot_parts_left_out();
  if (!without) return without.error();
  header.without = *without;
  if (spec.private_fs != nullptr) spec.private_fs->describe_to(header);
  auto launched = launch(spec.target, spec.facts, *memory, spec.agent, spec.debuggable, spec.watch);
  if (!launched) return launched.error();
  register_child(launched->guard);
  std::error_code none;
  std::string executable = std::filesystem::canonical(spec.target.binary, none).string();
  return std::unique_ptr<TargetProcess>(new TargetProcess(
      std::move(*memory), std::move(*launched), addresses, std::move(executable), spec.watch));
}

TargetProcess::TargetProcess(WireMemory memory, Launched launched, HookAddresses& addresses,
                             std::string executable, SyscallWatch* watch)
    : memory_(std::move(memory)),
      launched_(std::move(launched)),
      addresses_(addresses),
      executable_(std::move(executable)),
      watch_(watch) {}
std::vector<pollfd> TargetProcess::descriptors() const {
  std::vector<pollfd> fds;
  if (state_ == State::gone) return fds;
  fds.push_back({launched_.exit_report.get(), POLLIN, 0});
  if (launched_.channel.valid()) fds.push_back({launched_.channel.get(), POLLIN, 0});
  return fds;
}

/// A process that only lists its tests says that it is ready and ends, maybe both before we look:
/// whoever waits for the first is told that first. What it says until it ends may come between two
/// looks, so that there is a last one behind the end.
void TargetProcess::pump() {
  const State before = state_;
  for (bool ended : {false, true}) {
    pollfd report{launched_.exit_report.get(), POLLIN, 0};
    if (ended && (state_ == State::gone || ::poll(&report, 1, 0) <= 0)) return;
    while (launched_.channel.valid()) {
      char byte = 0;
      ssize_t n = ::recv(launched_.channel.get(), &byte, 1, MSG_DONTWAIT);
      if (n == 1) {
        take_byte(byte);
        continue;
      }
      if (n < 0 && errno == EINTR) continue;
      if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) launched_.channel.reset();
      break;
    }
    if (state_ == State::ready && before != State::ready) return;
  }
  note_exit();
}

void TargetProcess::take_byte(char byte) {
  switch (byte) {
    case wire::kLoaded:
      if (state_ != State::loading) return mistaken();
      answer_loaded();
      break;
    case wire::kReady:
      if (state_ != State::starting) return mistaken();
      memory_.keep_start();
      if (memory_.at_start().fault != 0) trouble_ = describe_fault(memory_.at_start().fault);
      state_ = State::ready;
      break;
    case wire::kDone:
      if (state_ != State::busy) return mistaken();
      state_ = State::ready;
      break;
    case wire::kFault:
      if (std::exchange(faulted_, true)) return mistaken();  // it ends the process
      trouble_ = describe_fault(memory_.report().fault);
      break;
    default:
      return mistaken();
  }
}

/// A message that has no meaning, or not now. Branches have no channel: the process that stands
/// before its first test was taken over, and nothing more of it is to be believed.
void TargetProcess::mistaken() {
  trouble_ = "the agent sent a message that has no meaning";
  launched_.channel.reset();
  ask_for_end();
}

/// A guard that a test has stopped must go on to hear it.
void TargetProcess::ask_for_end() {
  asked_for_end_ = true;
  ::kill(launched_.guard, SIGTERM);
  ::kill(launched_.guard, SIGCONT);
}

void TargetProcess::answer_loaded() {
  if (memory_.report().modules == 0) {  // the linked adapter: it needs no addresses
    state_ = State::starting;
    send(wire::kGo);
    return;
  }
  memory_.keep_modules();
  auto hooks = addresses_.find(launched_.pid, memory_.modules(executable_));
  if (!hooks) {
    trouble_ = hooks.error().message;
    trouble_hint_ = hooks.error().hint;
    send(wire::kAbort);
    return;
  }
  memory_.header().hooks = *hooks;
  state_ = State::starting;
  send(wire::kGo);
}

void TargetProcess::note_exit() {
  if (state_ == State::gone) return;
  pollfd report{launched_.exit_report.get(), POLLIN, 0};
  if (::poll(&report, 1, 0) > 0) take_exit();
}

/// False: nothing of the kind happened to the guard's pipe within the time that its work takes.
bool TargetProcess::await_report(short what) const {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  pollfd coming{launched_.exit_report.get(), POLLIN, 0};
  while (::poll(&coming, 1, 5) <= 0 || (coming.revents & what) == 0) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    if (coming.revents != 0) ::poll(nullptr, 0, 1);
    Tracer::pass_on_ends();  // the guard waits for its children
  }
  return true;
}

/// The guard has told the end, or was ended: by us, and then so was the program; or by a test, and
/// then what it guarded is ours to end. Its end closes the pipe, which nobody else has. A guard
/// that does neither, or wrote nothing of what we read, was tampered with.
void TargetProcess::take_exit() {
  ExitReport report;
  const bool heard = await_report(POLLIN | POLLHUP);
  const bool told =
      heard && ::read(launched_.exit_report.get(), &report, sizeof report) == sizeof report;
  exit_status_ = told ? report.wait_status : SIGKILL;
  leaked_children_ = told ? report.leaked_children : 0;
  const bool ended = heard && await_report(POLLHUP);
  if (!ended) ::kill(launched_.guard, SIGKILL);
  reap(launched_.guard);
  unregister_child(launched_.guard);
  vanished_ = !told && !asked_for_end_;
  if (!told || !ended) end_orphans();
  if (watch_ != nullptr) watch_->ended(launched_.pid);
  state_ = State::gone;
}

void TargetProcess::send(char byte) {
  // A vanished process shows in note_exit(); SIGPIPE must not end us.
  if (::send(launched_.channel.get(), &byte, 1, MSG_NOSIGNAL) != 1) return;
}

void TargetProcess::run(const Plan& plan) {
  GORDIAN_CHECK(state_ == State::ready);
  memory_.load_plan(plan.tokens());
  state_ = State::busy;
  send(wire::kRun);
}

void TargetProcess::run_inline(const Plan& plan) {
  GORDIAN_CHECK(state_ == State::ready);
  memory_.load_plan(plan.tokens());
  state_ = State::inlined;
  send(wire::kInline);
}

void TargetProcess::quit(std::chrono::milliseconds patience) {
  if (state_ == State::gone) return;
  if (launched_.channel.valid()) send(wire::kQuit);
  pollfd exit_watch{launched_.exit_report.get(), POLLIN, 0};
  ::poll(&exit_watch, 1, static_cast<int>(patience.count()));
  note_exit();
  kill();
}

void TargetProcess::kill() {
  if (state_ == State::gone) return;
  ask_for_end();
  take_exit();
}

}  // namespace gordian
