// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "engine/children.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
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

/// 0 when there is no such process.
pid_t parent_of(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stat, text, '\0');         // which does not throw if the process has just ended
  const auto name_end = text.rfind(')');  // the name may contain anything
  if (name_end == std::string::npos) return 0;
  std::istringstream rest(text.substr(name_end + 1));
  std::string state;
  pid_t parent = 0;
  rest >> state >> parent;
  return parent;
}

void reap(pid_t pid) {
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
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
  constexpr int kMostGenerations = 1000;
  if (pid <= 1 || ancestor <= 1 || pid == ancestor) return false;
  for (int i = 0; i < kMostGenerations && pid > 1; ++i) {
    pid = parent_of(pid);
    if (pid == ancestor) return true;
  }
  return false;
}

bool kill_descendant(pid_t pid, pid_t ancestor) {
  if (pid <= 1) return false;
  UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  const bool old_kernel = !process.valid() && errno == ENOSYS;  // before 5.3
  if (!process.valid() && !old_kernel) return false;
  if (!descends_from(pid, ancestor)) return false;
  if (old_kernel) return ::kill(pid, SIGKILL) == 0;
  return ::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0) == 0;
}

}  // namespace gordian
