// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Tests that kill every process they can see one day kill a machine. Where we have the right to
// (root, CAP_SYS_ADMIN), the rest of the program and all that it starts run in a PID namespace of
// their own: no signal leaves it, and it ends as a whole, with its first process. That is the
// program itself, whom none of its descendants can kill. The process that was called stays outside,
// passes signals in and the exit code out.
//
//   1. The caller clones itself into new PID and mount namespaces: the *inside*, number 1 there.
//   2. The inside mounts a /proc of its own and says so through a pipe. Where something refuses it
//      says that instead and ends, and the caller does the work itself, as ever.
//   3. The caller waits. Signals that reach it alone go in; what the terminal sends reaches both.
//      When it is killed, the kernel kills the inside (PR_SET_PDEATHSIG), and with it everything.
#include "cli/command.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/interrupt.h"

namespace gordian {
namespace {

volatile sig_atomic_t inside = 0;

/// Outside: a program that others signal, while its work is done elsewhere.
void pass_on(int number, siginfo_t* info, void*) {
  const bool from_terminal = info->si_code == SI_KERNEL;
  if (number == SIGTSTP) {  // the first process of a namespace does not stop by itself
    ::kill(inside, SIGSTOP);
    ::raise(SIGSTOP);
    ::kill(inside, SIGCONT);
  } else if (!from_terminal) {
    ::kill(inside, number);
  }
}

void pass_signals_on() {
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP}) {
    ::sigaction(number, &action, nullptr);
  }
}

bool has_own_proc() {
  return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0;
}

/// A crash of ours must still end us: the kernel shields the first process from default actions.
void end_by(int number) {
  ::_exit(128 + number);
}

void begin_inside(int report, pid_t outside_is_alive) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const char good = ::getppid() == outside_is_alive && has_own_proc() ? 1 : 0;
  if (::write(report, &good, 1) != 1 || good == 0) ::_exit(0);
  ::close(report);
  for (int number : {SIGQUIT, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2}) ::signal(number, end_by);
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : 1;
}

}  // namespace

std::optional<int> continue_in_pid_namespace() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const bool stopped_before = interrupted();
  const long cloned = ::syscall(SYS_clone, CLONE_NEWPID | CLONE_NEWNS | SIGCHLD, 0, 0, 0, 0);
  if (cloned == 0) {
    ::close(ends[0]);
    begin_inside(ends[1], 0);  // a parent outside has no number in here
    return std::nullopt;
  }
  ::close(ends[1]);
  char good = 0;
  const bool begun = cloned > 0 && ::read(ends[0], &good, 1) == 1 && good == 1;
  ::close(ends[0]);
  if (!begun) {
    if (cloned > 0) wait_for(static_cast<pid_t>(cloned));
    return std::nullopt;
  }
  inside = static_cast<sig_atomic_t>(cloned);
  pass_signals_on();
  if (interrupted() && !stopped_before) ::kill(inside, SIGTERM);  // it came in between
  return wait_for(static_cast<pid_t>(cloned));
}

}  // namespace gordian
