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

}  // namespace gordian
