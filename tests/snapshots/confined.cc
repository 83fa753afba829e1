// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
//   confined [--nobody] [--docker] [--deny NAME]... PROGRAM [ARGUMENT...]
//
// Runs a program with system calls taken from it by a seccomp filter: they fail with EPERM, as in a
// container. --docker denies what matters to us of what Docker's default profile does not allow.
// NAME is a system call of kNames. --nobody gives up root, if we have it.
#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace {

struct Name {
  const char* name;
  long number;
};
constexpr Name kNames[] = {{"userfaultfd", SYS_userfaultfd},
                           {"process_vm_readv", SYS_process_vm_readv},
                           {"close_range", SYS_close_range}};
constexpr long kDocker[] = {SYS_userfaultfd,    SYS_perf_event_open,  SYS_bpf,
                            SYS_mount,          SYS_umount2,          SYS_unshare,
                            SYS_setns,          SYS_pivot_root,       SYS_chroot,
                            SYS_keyctl,         SYS_add_key,          SYS_request_key,
                            SYS_swapon,         SYS_swapoff,          SYS_move_pages,
                            SYS_mbind,          SYS_get_mempolicy,    SYS_set_mempolicy,
                            SYS_io_uring_setup, SYS_open_by_handle_at};
constexpr unsigned kNewNamespaces = 0x7e020000;
constexpr unsigned kSyscallUserDispatch = 59;

using Filter = std::vector<sock_filter>;

sock_filter statement(unsigned short code, unsigned value) {
  return {code, 0, 0, value};
}
void load(Filter& filter, size_t offset) {
  filter.push_back(statement(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)));
}
void deny_if(Filter& filter, unsigned short test, unsigned value, int error = EPERM) {
  filter.push_back({static_cast<unsigned short>(BPF_JMP | test | BPF_K), 0, 1, value});
  filter.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)));
}

/// Denies call `number` when its first argument fits, and goes on otherwise.
void deny_by_argument(Filter& filter, long number, unsigned short test, unsigned value) {
  load(filter, offsetof(seccomp_data, nr));
  filter.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 3, static_cast<unsigned>(number)});
  load(filter, offsetof(seccomp_data, args));
  deny_if(filter, test, value);
}

void deny(Filter& filter, long number, int error = EPERM) {
  load(filter, offsetof(seccomp_data, nr));
  deny_if(filter, BPF_JEQ, static_cast<unsigned>(number), error);
}

bool deny_by_name(Filter& filter, const std::string& name) {
  if (name == "syscall_user_dispatch") {
    deny_by_argument(filter, SYS_prctl, BPF_JEQ, kSyscallUserDispatch);
    return true;
  }
  for (const Name& known : kNames) {
    if (name != known.name) continue;
    deny(filter, known.number);
    return true;
  }
  return false;
}

void deny_like_docker(Filter& filter) {
  for (long number : kDocker) deny(filter, number);
  deny_by_argument(filter, SYS_clone, BPF_JSET, kNewNamespaces);
  deny(filter, SYS_clone3, ENOSYS);
}

int fail(const std::string& what) {
  fprintf(stderr, "confined: %s: %s\n", what.c_str(), strerror(errno));
  return 125;
}

bool become_nobody() {
  constexpr unsigned kNobody = 65534;
  if (geteuid() != 0) return true;
  return setgroups(0, nullptr) == 0 && setgid(kNobody) == 0 && setuid(kNobody) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  Filter filter;
  bool nobody = false;
  int at = 1;
  for (; at < argc && strncmp(argv[at], "--", 2) == 0; ++at) {
    std::string word = argv[at];
    if (word == "--nobody") {
      nobody = true;
    } else if (word == "--docker") {
      deny_like_docker(filter);
    } else if (word != "--deny" || ++at == argc || !deny_by_name(filter, argv[at])) {
      errno = EINVAL;
      return fail(word);
    }
  }
  filter.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  if (nobody && !become_nobody()) return fail("cannot become nobody");
  sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail("no_new_privs");
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return fail("seccomp");
  if (at == argc) return fail("no program");
  execvp(argv[at], argv + at);
  return fail(argv[at]);
}
