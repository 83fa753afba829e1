// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/syscall_watch.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

namespace gordian {
namespace {

constexpr std::uint32_t offset_of_argument(int index) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                    static_cast<std::size_t>(index) * sizeof(std::uint64_t));
}

sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
sock_filter skip_unless(std::uint32_t value, std::uint8_t instructions) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, instructions);
}
sock_filter answer(std::uint32_t action) {
  return BPF_STMT(BPF_RET | BPF_K, action);
}

/// A trapped call tells its number; these depend on an argument as well and come first.
void add_conditional(std::vector<sock_filter>& code, const gordian_wire::Header& header,
                     int channel_fd) {
  const auto worker_count = std::min<std::uint32_t>(header.workers, gordian_wire::kMaxWorkers);
  // fstat() of an output file of ours: how the agent, with an old C library, lets us know that a
  // test begins. Of no other descriptor: it names nothing.
  code.push_back(skip_unless(SYS_fstat, static_cast<std::uint8_t>(1 + 2 * worker_count + 1)));
  code.push_back(load(offset_of_argument(0)));
  for (std::uint32_t i = 0; i < worker_count; ++i) {
    code.push_back(skip_unless(static_cast<std::uint32_t>(header.capture_fd[i]), 1));
    code.push_back(answer(SECCOMP_RET_USER_NOTIF));
  }
  code.push_back(answer(SECCOMP_RET_ALLOW));
  // sendto() with an address, whose low half is hardly ever zero.
  code.push_back(skip_unless(SYS_sendto, 4));
  code.push_back(load(offset_of_argument(4)));
  code.push_back(skip_unless(0, 1));
  code.push_back(answer(SECCOMP_RET_ALLOW));
  code.push_back(answer(SECCOMP_RET_USER_NOTIF));
  // sendmsg() but on our channel: that is how the listener reaches us.
  code.push_back(skip_unless(SYS_sendmsg, 4));
  code.push_back(load(offset_of_argument(0)));
  code.push_back(skip_unless(static_cast<std::uint32_t>(channel_fd), 1));
  code.push_back(answer(SECCOMP_RET_ALLOW));
  code.push_back(answer(SECCOMP_RET_USER_NOTIF));
}

constexpr std::size_t kListenerSpace = CMSG_SPACE(sizeof(int));

}  // namespace

const std::vector<long>& watched_calls() {
  static const std::vector<long> kCalls = [] {
    std::vector<long> calls = {
        SYS_open,        SYS_openat,       SYS_openat2,      SYS_creat,      SYS_stat,
        SYS_lstat,       SYS_newfstatat,   SYS_statx,        SYS_access,     SYS_faccessat,
        SYS_faccessat2,  SYS_readlink,     SYS_readlinkat,   SYS_statfs,     SYS_getxattr,
        SYS_lgetxattr,   SYS_listxattr,    SYS_llistxattr,   SYS_execve,     SYS_execveat,
        SYS_chmod,       SYS_fchmod,       SYS_fchmodat,     SYS_fchmodat2,  SYS_chown,
        SYS_lchown,      SYS_fchown,       SYS_fchownat,     SYS_utime,      SYS_utimes,
        SYS_futimesat,   SYS_utimensat,    SYS_setxattr,     SYS_lsetxattr,  SYS_fsetxattr,
        SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_truncate,   SYS_rename,
        SYS_renameat,    SYS_renameat2,    SYS_unlink,       SYS_unlinkat,   SYS_rmdir,
        SYS_mkdir,       SYS_mkdirat,      SYS_mknod,        SYS_mknodat,    SYS_link,
        SYS_linkat,      SYS_symlink,      SYS_symlinkat,    SYS_chdir,      SYS_fchdir,
        SYS_getcwd,      SYS_umask,        SYS_getdents,     SYS_getdents64, SYS_connect,
        SYS_bind,        SYS_sendmmsg};
    std::sort(calls.begin(), calls.end());
    return calls;
  }();
  return kCalls;
}

struct WatchFilter::Code {
  std::vector<sock_filter> instructions;
  sock_fprog program{};
};

WatchFilter::WatchFilter(const gordian_wire::Header& header, int channel_fd)
    : code_(std::make_unique<Code>()) {
  std::vector<sock_filter>& code = code_->instructions;
  code.push_back(load(offsetof(seccomp_data, arch)));
  code.push_back(skip_unless(AUDIT_ARCH_X86_64, 1));
  code.push_back(BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0));
  code.push_back(answer(SECCOMP_RET_ALLOW));  // a 32-bit program: its numbers mean other calls
  code.push_back(load(offsetof(seccomp_data, nr)));
  add_conditional(code, header, channel_fd);
  for (long number : watched_calls()) {
    code.push_back(skip_unless(static_cast<std::uint32_t>(number), 1));
    code.push_back(answer(SECCOMP_RET_USER_NOTIF));
  }
  code.push_back(answer(SECCOMP_RET_ALLOW));
  code_->program = {static_cast<unsigned short>(code.size()), code.data()};
}

WatchFilter::~WatchFilter() = default;

int WatchFilter::install() const {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  // Signals must not make a call be told twice, where the kernel (5.19) can hold them back.
  const unsigned long best =
      SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
  for (unsigned long flags : {best, static_cast<unsigned long>(SECCOMP_FILTER_FLAG_NEW_LISTENER)}) {
    const long fd = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &code_->program);
    if (fd >= 0 || errno != EINVAL) return static_cast<int>(fd);
  }
  return -1;
}

bool send_listener(int socket_fd, int listener, int error) {
  alignas(cmsghdr) char space[kListenerSpace] = {};
  iovec data{&error, sizeof error};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (listener >= 0) {
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof listener);
    std::memcpy(CMSG_DATA(head), &listener, sizeof listener);
  }
  return ::sendmsg(socket_fd, &message, MSG_NOSIGNAL) == sizeof error;
}

SentListener receive_listener(int socket_fd) {
  SentListener sent;
  alignas(cmsghdr) char space[kListenerSpace] = {};
  iovec data{&sent.error, sizeof sent.error};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  ssize_t size = 0;
  do {
    size = ::recvmsg(socket_fd, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
  } while (size < 0 && errno == EINTR);
  const cmsghdr* head = CMSG_FIRSTHDR(&message);
  if (size != sizeof sent.error || head == nullptr || head->cmsg_type != SCM_RIGHTS) return sent;
  int fd = -1;
  std::memcpy(&fd, CMSG_DATA(head), sizeof fd);
  sent.listener.reset(fd);
  return sent;
}

std::string describe_watch_error(int error) {
  switch (error) {
    case EINVAL:
    case ENOSYS:
      return "the kernel has no seccomp user notification (Linux 5.5)";
    case EBUSY:
      return "another supervisor already watches system calls here (a container, or a sandbox)";
    case EPERM:
    case EACCES:
      return "this machine does not allow a seccomp filter";
    default:
      return std::string("the seccomp filter was refused: ") + std::strerror(error);
  }
}

/// The child ends by SIGKILL: nothing of what it does after the filter may be a watched call.
std::string watch_obstacle() {
  gordian_wire::Header header{};
  const WatchFilter filter(header, -1);
  int ends[2];
  if (::pipe(ends) != 0) return describe_watch_error(errno);
  UniqueFd out(ends[0]), in(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    int error = filter.install() < 0 ? errno : 0;
    if (::write(in.get(), &error, sizeof error) > 0) ::kill(::getpid(), SIGKILL);
    ::kill(::getpid(), SIGKILL);
  }
  in.reset();
  int error = EAGAIN;
  if (::read(out.get(), &error, sizeof error) != sizeof error) error = EAGAIN;
  if (child > 0) ::waitpid(child, nullptr, 0);
  return error == 0 ? std::string() : describe_watch_error(error);
}

}  // namespace gordian
