// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/process_record.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "flow/external/external_calls.h"
#include "flow/external/process_files.h"
#include "runtime/native/children.h"
#include "wire/check.h"

namespace gordian {
namespace {

// Arguments of a system call that stand in the caller's memory.

/// `size` bytes, all of them or nothing; then errno tells why: EFAULT is the program's own fault.
std::optional<std::string> read_remote(pid_t thread, std::uint64_t address, std::size_t size) {
  std::string bytes(size, '\0');
  iovec here{bytes.data(), size}, there{reinterpret_cast<void*>(address), size};
  const ssize_t n = ::process_vm_readv(thread, &here, 1, &there, 1, 0);
  if (n >= 0 && static_cast<std::size_t>(n) != size) errno = EFAULT;
  if (n < 0 || static_cast<std::size_t>(n) != size) return std::nullopt;
  return bytes;
}

/// Up to the zero byte; nothing when there is none within PATH_MAX.
/// Page by page: the next one may not be there, and a path seldom needs it.
std::optional<std::string> read_remote_path(pid_t thread, std::uint64_t address) {
  constexpr std::uint64_t kPage = 4096;
  std::string text;
  while (text.size() < PATH_MAX) {
    const std::uint64_t at = address + text.size();
    auto part = read_remote(thread, at, kPage - at % kPage);
    if (!part) return std::nullopt;
    const std::size_t end = part->find('\0');
    text += part->substr(0, end);
    if (end != std::string::npos) return text;
  }
  errno = EFAULT;  // the kernel would not take it either
  return std::nullopt;
}

/// The first word behind a name in /proc/PID/status; empty when the process is gone.
std::string status_of(pid_t process, std::string_view name) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string word; status >> word;) {
    if (word == name && status >> word) return word;
  }
  return {};
}

/// The process that a thread belongs to.
pid_t process_of(pid_t thread) {
  const std::string process = status_of(thread, "Tgid:");
  return process.empty() ? thread : std::atoi(process.c_str());
}

/// A copy; nullopt when the worker is idle, or somebody else wrote there. Another thread of the
/// test may call while its state changes: a moment later it fits again.
std::optional<gordian_wire::WorkerState> sound_state(const gordian_wire::WorkerState& state,
                                                     std::uint32_t nonce) {
  for (int tries = 0; tries < 3; ++tries) {
    const std::uint32_t pid = __atomic_load_n(&state.pid, __ATOMIC_ACQUIRE);
    gordian_wire::WorkerState copy = state;
    copy.pid = pid;
    if (copy.pid == 0) return std::nullopt;
    if (copy.check == check_of(copy, 0, nonce)) return copy;
    ::sched_yield();
  }
  return std::nullopt;
}

}  // namespace

ProcessRecord::ProcessRecord(pid_t pid, const gordian_wire::Header& header,
                             const gordian_wire::Report& report, InodeNames& inodes)
    : program_(pid),
      header_(header),
      report_(report),
      plan_(reinterpret_cast<const std::int32_t*>(reinterpret_cast<const char*>(&header) +
                                                  header.plan_offset)),
      inodes_(inodes),
      start_(ProcessFiles(pid).working_directory()) {}

/// Asked of the kernel, once for each.
bool ProcessRecord::is_ours(pid_t runner) const {
  if (runner <= 1) return false;
  if (runner == known_runner_ || runner == program_) return true;
  if (!descends_from(runner, program_)) return false;
  known_runner_ = runner;
  return true;
}

std::optional<ProcessRecord::Caller> ProcessRecord::caller_of(pid_t thread) const {
  const auto worker = sound_state(report_.worker[0], header_.nonce);
  if (!worker || worker->slot >= header_.tokens || plan_[worker->slot] < 0) return std::nullopt;
  Caller caller;
  caller.runner = static_cast<pid_t>(worker->pid);
  caller.token = worker->slot;
  if (!is_ours(caller.runner)) return std::nullopt;
  caller.process = thread == caller.runner ? thread : process_of(thread);
  caller.test = TestId(static_cast<std::uint32_t>(plan_[caller.token]));
  return caller;
}

/// In a flat plan each order is kOpen, a length, and its tests.
std::size_t ProcessRecord::position_of(std::uint32_t token) const {
  std::uint32_t first = token;
  while (first > 0 && plan_[first - 1] >= 0) --first;
  const bool in_branch = first > 0 && plan_[first - 1] == gordian_wire::kOpen;
  return token - first - (in_branch ? 1 : 0);
}

void ProcessRecord::end_log() {
  if (log_) finished_.push_back(log_->finish(start_));
  log_.reset();
}

TestLog& ProcessRecord::log_of(const Caller& caller) {
  if (!log_ || log_->token() != caller.token || log_->runner() != caller.runner) {
    end_log();
    log_.emplace(caller.test, position_of(caller.token), caller.runner, caller.token);
    note_open_descriptors(*log_);
  }
  return *log_;
}

/// What the process has had open since before the test, it can use without a further call.
void ProcessRecord::note_open_descriptors(TestLog& log) {
  const ProcessFiles files(log.runner());
  const AccessOrigin before{log.runner(), -1, 0};
  for (const OpenDescription& open : open_descriptions(log.runner(), files)) {
    if (open.peer) {
      const PeerAddress peer = read_peer_address(*open.peer);
      if (!peer.text.empty()) log.peer(peer.text, peer.answers_only, before);
      continue;
    }
    auto entry = files.entry(open.path);
    if (!entry || !entry->is_regular()) continue;
    const auto scope = static_cast<std::uint64_t>(log.runner());
    log.file(inodes_.name(*entry, scope, open.path), open.path,
             {open.readable, open.writable, false, false, false}, files, before);
  }
}

/// A process that an earlier test has left does things while another test runs.
void ProcessRecord::note_stranger(const Caller& caller, TestLog& log) {
  auto [known, fresh] = strangers_.try_emplace(caller.process, caller.token);
  if (fresh || known->second == caller.token) return;
  log.unsure("a process that an earlier test has left running used files meanwhile");
}

void ProcessRecord::take(const seccomp_notif& notification) {
  const auto thread = static_cast<pid_t>(notification.pid);
  auto caller = caller_of(thread);
  if (!caller) return;
  TestLog& log = log_of(*caller);
  const bool own = caller->process == caller->runner;
  if (!own) note_stranger(*caller, log);
  CallArguments arguments;
  std::copy_n(std::begin(notification.data.args), arguments.size(), arguments.begin());
  const long number = notification.data.nr;
  std::uint64_t how_flags = 0;
  if (number == SYS_openat2) {
    if (auto bytes = read_remote(thread, arguments[2], sizeof how_flags)) {
      std::copy_n(bytes->data(), sizeof how_flags, reinterpret_cast<char*>(&how_flags));
    }
  }
  const ExternalCall call = read_external_call(number, arguments, how_flags);
  const ProcessFiles files(caller->process);
  const AccessOrigin origin{caller->process, number, notification.data.instruction_pointer};
  Scene scene{log, files, origin, own, static_cast<std::uint64_t>(caller->runner)};
  if (!files.readable()) {
    log.unsure("a process of it could not be looked at while it used files");
    return;
  }
  carry_out(call, thread, scene);
}

void ProcessRecord::carry_out(const ExternalCall& call, pid_t thread, Scene& scene) {
  for (const PathUse& use : call.paths) {
    auto end = use_path(use, thread, scene);
    if (call.enters && end && scene.own) {
      scene.log.value(CarrierKind::cwd, scene.files.working_directory(), *end, scene.origin);
    }
  }
  if (call.asks_where) scene.log.read({CarrierKind::cwd, SoleKey{}}, scene.origin);
  if (call.masked) scene.log.read({CarrierKind::umask, SoleKey{}}, scene.origin);
  if (call.umask) set_umask(*call.umask, scene);
  if (call.socket) use_socket(*call.socket, thread, scene);
  if (!call.lists) return;
  if (auto path = scene.files.path_of(*call.lists); path && !is_kernel_path(*path)) {
    scene.log.read(entries_of(*path), scene.origin);
  }
}

/// It answers the mask that was there before: a read as well.
void ProcessRecord::set_umask(std::uint32_t mask, Scene& scene) {
  scene.log.read({CarrierKind::umask, SoleKey{}}, scene.origin);
  if (!scene.own) return;
  scene.log.value(CarrierKind::umask, status_of(scene.origin.process, "Umask:"),
                  fmt::format("{:04o}", mask), scene.origin);
}

/// Where the name leads, if something is there.
std::optional<std::string> ProcessRecord::use_path(const PathUse& use, pid_t thread, Scene& scene) {
  std::optional<std::string> text = use.text == 0 ? "" : read_remote_path(thread, use.text);
  if (!text) {  // a bad address: the call fails
    if (errno != EFAULT) scene.log.unsure("the names of files that it used could not be read");
    return std::nullopt;
  }
  std::optional<std::string> from = "/";
  if (text->empty() && use.directory == AT_FDCWD) return std::nullopt;
  if (!text->starts_with('/') && use.directory == AT_FDCWD) {
    scene.log.read({CarrierKind::cwd, SoleKey{}}, scene.origin);
    from = scene.files.working_directory();
  } else if (!text->starts_with('/')) {
    from = scene.files.path_of(use.directory);
  }
  if (!from || from->empty()) return std::nullopt;
  PathWalk walk = scene.files.walk(*from, *text, use.follow);
  if (walk.path.empty()) return std::nullopt;
  for (const std::string& passed : walk.passed) {
    if (is_kernel_path(passed)) continue;
    scene.log.read({CarrierKind::file, FileKey{passed}}, scene.origin);
  }
  if (!is_kernel_path(walk.path) && walk.path != "/") use_entry(use, walk, scene);
  return walk.entry ? std::optional(walk.path) : std::nullopt;
}

void ProcessRecord::use_entry(const PathUse& use, const PathWalk& walk, Scene& scene) {
  const bool replaces = use.writes && !use.reads;
  TestLog::FileUse file{use.reads, use.writes, use.attributes, use.stamps, replaces};
  if (!walk.reached) file = {};  // something on the way is missing: that is all that is learnt
  scene.log.file(walk.path, walk.path, file, scene.files, scene.origin);
  if (use.empties) {
    scene.log.read(entries_of(walk.path), scene.origin);
  }
  if (!walk.entry) return;
  if (use.links) inodes_.will_be_linked(*walk.entry, scene.scope, walk.path);
  const std::string name = inodes_.name(*walk.entry, scene.scope, walk.path);
  if (name != walk.path) scene.log.file(name, walk.path, file, scene.files, scene.origin);
  if (use.unlinks) inodes_.will_be_unlinked(*walk.entry, scene.scope);
}

void ProcessRecord::use_socket(const SocketUse& use, pid_t thread, Scene& scene) {
  constexpr std::size_t kMostBytes = 256, kMostMessages = 64;
  if (use.where == SocketUse::Where::address) {
    auto bytes = read_remote(thread, use.at, std::min<std::size_t>(use.count, kMostBytes));
    if (bytes) use_address(*bytes, use.binds, scene);
    return;
  }
  const std::size_t step =
      use.where == SocketUse::Where::messages ? sizeof(mmsghdr) : sizeof(msghdr);
  for (std::size_t i = 0; i < std::min<std::size_t>(use.count, kMostMessages); ++i) {
    auto bytes = read_remote(thread, use.at + i * step, sizeof(msghdr));
    if (!bytes) return;
    msghdr message;
    std::copy_n(bytes->data(), sizeof message, reinterpret_cast<char*>(&message));
    if (message.msg_name == nullptr) continue;
    auto address = read_remote(thread, reinterpret_cast<std::uint64_t>(message.msg_name),
                               std::min<std::size_t>(message.msg_namelen, kMostBytes));
    if (address) use_address(*address, false, scene);
  }
}

void ProcessRecord::use_address(const std::string& bytes, bool binds, Scene& scene) {
  PeerAddress peer = read_peer_address(bytes);
  if (peer.text.empty()) return;
  if (!peer.path.empty()) {
    std::string from = scene.files.working_directory();
    if (!peer.path.starts_with('/')) scene.log.read({CarrierKind::cwd, SoleKey{}}, scene.origin);
    PathWalk walk = scene.files.walk(from.empty() ? "/" : from, peer.path, !binds);
    if (walk.path.empty()) return;
    PathUse use;
    use.writes = use.attributes = binds;
    use_entry(use, walk, scene);
    peer.text = "unix:" + walk.path;
  }
  scene.log.peer(peer.text, peer.answers_only, scene.origin);
}

std::vector<ExternalTest> ProcessRecord::finish() {
  end_log();
  return std::exchange(finished_, {});
}

}  // namespace gordian
