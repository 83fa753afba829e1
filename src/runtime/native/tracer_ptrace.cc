// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/tracer_ptrace.h"

#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>

#include "symbols/process_memory.h"

namespace gordian {
namespace {

long request(unsigned what, pid_t tid, std::uint64_t address, void* data) {
  return ::ptrace(static_cast<__ptrace_request>(what), tid, address, data);
}

std::uint64_t debug_register(int number) {
  return offsetof(struct user, u_debugreg) + 8 * static_cast<std::uint64_t>(number);
}

bool poke_debug(pid_t tid, int number, std::uint64_t value) {
  return ::ptrace(PTRACE_POKEUSER, tid, debug_register(number), value) == 0;
}

pid_t tracer_of(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string word; status >> word;) {
    if (pid_t tracer = 0; word == "TracerPid:" && status >> tracer) return tracer;
  }
  return 0;
}

int ptrace_scope() {
  int scope = 0;
  std::ifstream("/proc/sys/kernel/yama/ptrace_scope") >> scope;
  return scope;
}

std::string refusal_hint(pid_t pid) {
  if (const pid_t tracer = tracer_of(pid)) {
    return "process " + std::to_string(tracer) + " traces it already: end that debugger first";
  }
  if (ptrace_scope() > 1) {
    return "kernel.yama.ptrace_scope is " + std::to_string(ptrace_scope()) +
           ": sysctl kernel.yama.ptrace_scope=1 allows it";
  }
  return "in a container, start it with --cap-add=SYS_PTRACE";
}

constexpr std::uint8_t kInt3 = 0xcc;

enum class Shape : std::uint8_t { buffer, path, gathered, message };

struct Reader {
  long number;
  Shape shape;
  std::size_t argument;  ///< the pointer; a length follows it
};

constexpr std::array kReaders = {
    Reader{SYS_write, Shape::buffer, 1},     Reader{SYS_pwrite64, Shape::buffer, 1},
    Reader{SYS_sendto, Shape::buffer, 1},    Reader{SYS_writev, Shape::gathered, 1},
    Reader{SYS_pwritev, Shape::gathered, 1}, Reader{SYS_sendmsg, Shape::message, 1},
    Reader{SYS_open, Shape::path, 0},        Reader{SYS_openat, Shape::path, 1},
    Reader{SYS_creat, Shape::path, 0},       Reader{SYS_stat, Shape::path, 0},
    Reader{SYS_lstat, Shape::path, 0},       Reader{SYS_newfstatat, Shape::path, 1},
    Reader{SYS_statx, Shape::path, 1},       Reader{SYS_access, Shape::path, 0},
    Reader{SYS_faccessat, Shape::path, 1},   Reader{SYS_faccessat2, Shape::path, 1},
    Reader{SYS_unlink, Shape::path, 0},      Reader{SYS_unlinkat, Shape::path, 1},
    Reader{SYS_rename, Shape::path, 0},      Reader{SYS_rename, Shape::path, 1},
    Reader{SYS_renameat2, Shape::path, 1},   Reader{SYS_renameat2, Shape::path, 3},
    Reader{SYS_mkdir, Shape::path, 0},       Reader{SYS_mkdirat, Shape::path, 1},
    Reader{SYS_rmdir, Shape::path, 0},       Reader{SYS_chdir, Shape::path, 0},
    Reader{SYS_chmod, Shape::path, 0},       Reader{SYS_truncate, Shape::path, 0},
    Reader{SYS_readlink, Shape::path, 0},    Reader{SYS_readlinkat, Shape::path, 1},
    Reader{SYS_execve, Shape::path, 0},
};

std::uint64_t path_length(pid_t pid, std::uint64_t at) {
  constexpr std::uint64_t kLongestPath = 4096, kPiece = 64;
  for (std::uint64_t length = 0; length < kLongestPath;) {
    // Pieces that cross no page: the next one may not be there.
    const std::uint64_t piece = kPiece - (at + length) % kPiece;
    const auto bytes = read_memory(pid, TargetAddr{at + length}, piece);
    if (!bytes) return length;
    if (const auto end = bytes->find('\0'); end != std::string::npos) return length + end + 1;
    length += piece;
  }
  return kLongestPath;
}

void add_gathered(pid_t pid, std::uint64_t at, std::uint64_t count,
                  std::vector<CallBuffer>& buffers) {
  constexpr std::uint64_t kMostVectors = 1024;  // the kernel's own limit
  count = std::min(count, kMostVectors);
  buffers.push_back({at, count * sizeof(iovec)});
  const auto bytes = read_memory(pid, TargetAddr{at}, count * sizeof(iovec));
  for (std::uint64_t i = 0; bytes && i < count; ++i) {
    iovec vector{};
    std::memcpy(&vector, bytes->data() + i * sizeof(iovec), sizeof(iovec));
    buffers.push_back({reinterpret_cast<std::uint64_t>(vector.iov_base), vector.iov_len});
  }
}

}  // namespace

std::optional<Registers> get_registers(pid_t tid) {
  Registers registers{};
  if (request(PTRACE_GETREGS, tid, 0, &registers) != 0) return std::nullopt;
  return registers;
}

bool set_registers(pid_t tid, const Registers& registers) {
  Registers copy = registers;
  return request(PTRACE_SETREGS, tid, 0, &copy) == 0;
}

std::optional<siginfo_t> get_signal(pid_t tid) {
  siginfo_t info{};
  if (request(PTRACE_GETSIGINFO, tid, 0, &info) != 0) return std::nullopt;
  return info;
}

std::optional<SyscallStop> get_syscall(pid_t tid) {
  __ptrace_syscall_info info{};
  if (request(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) <= 0) return std::nullopt;
  SyscallStop stop;
  stop.entry = info.op == PTRACE_SYSCALL_INFO_ENTRY;
  stop.instruction = info.instruction_pointer - 2;  // `syscall` has two bytes
  if (!stop.entry) return stop;
  stop.number = static_cast<long>(info.entry.nr);
  for (std::size_t i = 0; i < stop.arguments.size(); ++i) stop.arguments[i] = info.entry.args[i];
  return stop;
}

pid_t get_new_pid(pid_t tid) {
  unsigned long message = 0;
  if (request(PTRACE_GETEVENTMSG, tid, 0, &message) != 0) return 0;
  return static_cast<pid_t>(message);
}

bool poke_byte(pid_t tid, std::uint64_t address, std::uint8_t byte) {
  const std::uint64_t word_at = address & ~std::uint64_t{7};
  const int shift = static_cast<int>(address - word_at) * 8;
  errno = 0;
  const long peeked = ::ptrace(PTRACE_PEEKDATA, tid, word_at, nullptr);
  if (errno != 0) return false;
  auto word = static_cast<std::uint64_t>(peeked);
  word = (word & ~(std::uint64_t{0xff} << shift)) | (std::uint64_t{byte} << shift);
  return ::ptrace(PTRACE_POKEDATA, tid, word_at, word) == 0;
}

bool has_pending_trap(pid_t tid) {
  __ptrace_peeksiginfo_args which{0, 0, 1};
  siginfo_t info{};
  while (::ptrace(PTRACE_PEEKSIGINFO, tid, &which, &info) == 1) {
    const bool ours = info.si_code == SI_KERNEL || info.si_code == TRAP_HWBKPT;
    if (info.si_signo == SIGTRAP && ours) return true;
    ++which.off;
  }
  return false;
}

std::uint64_t debug_control(std::span<const Watch> watches) {
  std::uint64_t control = 0;
  for (std::size_t i = 0; i < watches.size(); ++i) {
    const Watch& watch = watches[i];
    const std::uint64_t access = watch.reads ? 3 : 1;
    const std::uint64_t length = watch.size == 8 ? 2 : watch.size - 1U;
    control |= std::uint64_t{1} << (2 * i);
    control |= (access | length << 2) << (16 + 4 * i);
  }
  return control;
}

Status arm(pid_t tid, std::span<const Watch> watches) {
  errno = 0;
  bool done = poke_debug(tid, 7, 0) && poke_debug(tid, 6, 0);
  for (std::size_t i = 0; done && i < watches.size(); ++i) {
    done = poke_debug(tid, static_cast<int>(i), watches[i].address);
  }
  if (done && !watches.empty()) done = poke_debug(tid, 7, debug_control(watches));
  if (done || errno == ESRCH) return {};
  return target_error(
      std::string("the processor's watchpoints cannot be set: ") + std::strerror(errno),
      errno == ENOSPC ? "another debugger or profiler uses them"
                      : "this machine, or the one it is emulated by, has none");
}

std::uint64_t take_hits(pid_t tid) {
  errno = 0;
  const long status = ::ptrace(PTRACE_PEEKUSER, tid, debug_register(6), nullptr);
  if (errno != 0) return 0;
  const std::uint64_t hits = static_cast<std::uint64_t>(status) & 0xf;
  if (hits != 0) poke_debug(tid, 6, 0);
  return hits;
}

Error trace_refused(pid_t pid, int error) {
  const std::string process = "process " + std::to_string(pid);
  if (error == ESRCH) return target_error("there is no " + process);
  return target_error(process + " may not be traced: " + std::strerror(error), refusal_hint(pid));
}

Status Breakpoints::replace(pid_t pid, pid_t through, std::span<const std::uint64_t> addresses) {
  if (in_place_) remove_from_copy(through);
  original_.clear();
  for (const std::uint64_t address : addresses) {
    if (contains(address)) continue;
    const auto byte = read_memory(pid, TargetAddr{address}, 1);
    if (!byte || (in_place_ && !poke_byte(through, address, kInt3))) {
      if (in_place_) remove_from_copy(through);
      original_.clear();
      return target_error("no code at address " + std::to_string(address) + " of process " +
                          std::to_string(pid));
    }
    original_[address] = static_cast<std::uint8_t>(byte->front());
  }
  return {};
}

void Breakpoints::lift(pid_t through) {
  if (in_place_) remove_from_copy(through);
  in_place_ = false;
}

void Breakpoints::put_back(pid_t through) {
  for (const auto& [address, byte] : original_) poke_byte(through, address, kInt3);
  in_place_ = true;
}
void Breakpoints::put_back_one(pid_t through, std::uint64_t address) {
  poke_byte(through, address, kInt3);
}

void Breakpoints::remove_from_copy(pid_t copy) const {
  for (const auto& [address, byte] : original_) poke_byte(copy, address, byte);
}

void Breakpoints::hide(std::uint64_t at, std::string& bytes) const {
  for (auto found = original_.lower_bound(at);
       found != original_.end() && found->first < at + bytes.size(); ++found) {
    bytes[found->first - at] = static_cast<char>(found->second);
  }
}

std::vector<CallBuffer> buffers_read_by(pid_t pid, const SyscallStop& call) {
  std::vector<CallBuffer> buffers;
  for (const Reader& reader : kReaders) {
    if (reader.number != call.number) continue;
    const std::uint64_t at = call.arguments[reader.argument];
    const std::uint64_t length = call.arguments[std::min<std::size_t>(reader.argument + 1, 5)];
    if (reader.shape == Shape::buffer) buffers.push_back({at, length});
    if (reader.shape == Shape::path) buffers.push_back({at, path_length(pid, at)});
    if (reader.shape == Shape::gathered) add_gathered(pid, at, length, buffers);
    if (reader.shape != Shape::message) continue;
    if (const auto bytes = read_memory(pid, TargetAddr{at}, sizeof(msghdr))) {
      msghdr header{};
      std::memcpy(&header, bytes->data(), sizeof(header));
      add_gathered(pid, reinterpret_cast<std::uint64_t>(header.msg_iov), header.msg_iovlen,
                   buffers);
    }
  }
  return buffers;
}

}  // namespace gordian
