// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/children.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/unique_fd.h"

namespace gordian {
namespace {

std::set<pid_t>& registered() {
  static std::set<pid_t> pids;
  return pids;
}

std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> children;
  std::error_code none;
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  // A process may end while it is looked at: no step of this throws then.
  for (std::filesystem::directory_iterator task(tasks, none), end; !none && task != end;
       task.increment(none)) {
    std::ifstream list(task->path() / "children");
    for (pid_t child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

struct Condition {
  char state = 'X';  ///< as the kernel writes it; X: there is no such process
  pid_t parent = 0;
};

Condition condition_of(pid_t pid) {
  Condition found;
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stat, text, '\0');         // which does not throw if the process has just ended
  const auto name_end = text.rfind(')');  // the name may contain anything
  if (name_end == std::string::npos) return found;
  std::istringstream rest(text.substr(name_end + 1));
  rest >> found.state >> found.parent;
  return found;
}

constexpr int kMostGenerations = 1000;

bool send_to_descendant(pid_t pid, pid_t ancestor, int number) {
  if (pid <= 1) return false;
  UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  const bool old_kernel = !process.valid() && errno == ENOSYS;  // before 5.3
  if (!process.valid() && !old_kernel) return false;
  if (!descends_from(pid, ancestor)) return false;
  if (old_kernel) return ::kill(pid, number) == 0;
  return ::syscall(SYS_pidfd_send_signal, process.get(), number, nullptr, 0) == 0;
}

/// The one above first: it may have to notice what the others do.
void wake_below(pid_t pid, pid_t ancestor, int depth) {
  if (depth > kMostGenerations) return;
  for (pid_t child : children_of(pid)) {
    send_to_descendant(child, ancestor, SIGCONT);
    wake_below(child, ancestor, depth + 1);
  }
}

}  // namespace

void adopt_orphans() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}
void register_child(pid_t pid) {
  registered().insert(pid);
}
void unregister_child(pid_t pid) {
  registered().erase(pid);
}

int reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string status_field(pid_t pid, pid_t tid, std::string_view name) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(tid) + "/status");
  for (std::string word; file >> word;) {
    if (word == name && file >> word) return word;
  }
  return "";
}

int end_orphans() {
  int alive = 0;
  for (bool found = true; found;) {  // the children of what we kill become ours in the next round
    found = false;
    for (pid_t child : children_of(::getpid())) {
      if (registered().contains(child)) continue;
      found = true;
      if (::waitpid(child, nullptr, WNOHANG) == child) continue;
      ++alive;
      ::kill(child, SIGKILL);
      reap(child);
    }
  }
  return alive;
}

bool descends_from(pid_t pid, pid_t ancestor) {
  if (pid <= 1 || ancestor <= 1 || pid == ancestor) return false;
  for (int i = 0; i < kMostGenerations && pid > 1; ++i) {
    pid = condition_of(pid).parent;
    if (pid == ancestor) return true;
  }
  return false;
}

bool is_alive(pid_t pid) {
  const char state = condition_of(pid).state;
  return state != 'X' && state != 'x' && state != 'Z';
}

void wake_ancestors(pid_t pid, pid_t ancestor) {
  if (ancestor <= 1 || (pid != ancestor && !descends_from(pid, ancestor))) return;
  bool stopped = pid == ancestor && condition_of(pid).state == 'T';
  for (int i = 0; i < kMostGenerations && pid > 1 && pid != ancestor; ++i) {
    pid = condition_of(pid).parent;
    stopped = stopped || condition_of(pid).state == 'T';
  }
  if (stopped) wake_all(ancestor);
}

void wake_all(pid_t ancestor) {
  ::kill(ancestor, SIGCONT);
  wake_below(ancestor, ancestor, 0);
}

bool kill_descendant(pid_t pid, pid_t ancestor) {
  return send_to_descendant(pid, ancestor, SIGKILL);
}

}  // namespace gordian
