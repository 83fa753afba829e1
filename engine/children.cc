// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "engine/children.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

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
  for (const auto& task : std::filesystem::directory_iterator(tasks, none)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

int reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return SIGKILL;
  }
  return status;
}

void kill_below(pid_t pid) {
  for (pid_t child : children_of(pid)) {
    kill_below(child);
    ::kill(child, SIGKILL);
  }
}

}  // namespace

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }
void register_child(pid_t pid) { registered().insert(pid); }
void unregister_child(pid_t pid) { registered().erase(pid); }

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

int end_process_tree(pid_t pid) {
  // Stopped first, so that it cannot fork while we walk; what still escapes becomes an orphan.
  ::kill(pid, SIGSTOP);
  kill_below(pid);
  ::kill(pid, SIGKILL);
  int status = reap(pid);
  unregister_child(pid);
  return status;
}

}  // namespace gordian
