// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/external_state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace gordian {
namespace {

namespace fs = std::filesystem;
namespace wire = gordian_wire;

std::string proc_path(pid_t pid, std::string_view name) {
  return fmt::format("/proc/{}/{}", pid, name);
}

std::string link_text(const std::string& path) {
  std::error_code none;
  return fs::read_symlink(path, none).string();
}

std::map<std::string, std::string> read_environment(HeldProcess& held, const MemoryImage& memory) {
  constexpr int kMostVariables = 100'000;
  std::map<std::string, std::string> result;
  auto list = static_cast<std::uint64_t>(held.request(wire::kEnvironment));
  for (int i = 0; list != 0 && i < kMostVariables; ++i) {
    auto entry = memory.value<std::uint64_t>(list + 8 * static_cast<std::uint64_t>(i));
    if (!entry || *entry == 0) break;
    auto text = memory.c_string(*entry);
    if (!text) continue;
    std::size_t equals = text->find('=');
    if (equals == std::string::npos) continue;
    result.emplace(text->substr(0, equals), text->substr(equals + 1));
  }
  return result;
}

std::map<int, std::string> read_locale(HeldProcess& held) {
  std::map<int, std::string> result;
  for (int category : {LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES}) {
    if (held.request(wire::kSetLocale, category) < 0) continue;
    result[category] = held.text(wire::kHoldText).c_str();
  }
  return result;
}

std::map<int, SignalAction> read_signals(HeldProcess& held) {
  struct KernelAction {
    std::uint64_t handler, flags, restorer, mask;
  };
  std::map<int, SignalAction> result;
  for (int number = 1; number <= 64; ++number) {
    std::string room(sizeof(KernelAction), '\0');
    if (held.system_call(SYS_rt_sigaction, {number, std::int64_t{0}, room, 8}) < 0) continue;
    KernelAction action;
    std::string raw = held.text(sizeof action);
    std::memcpy(&action, raw.data(), sizeof action);
    result[number] = {action.handler, action.flags, raw};
  }
  return result;
}

/// "Name:\tvalue" lines.
std::map<std::string, std::string> read_fields(const std::string& path) {
  std::map<std::string, std::string> result;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    result[line.substr(0, colon)] = begin == std::string::npos ? "" : line.substr(begin);
  }
  return result;
}

std::int64_t number_in(const std::map<std::string, std::string>& fields, const char* name,
                       int base) {
  auto field = fields.find(name);
  if (field == fields.end()) return 0;
  return static_cast<std::int64_t>(std::strtoull(field->second.c_str(), nullptr, base));
}

std::map<int, OpenDescriptor> read_descriptors(pid_t pid) {
  std::map<int, OpenDescriptor> result;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(proc_path(pid, "fd"), none)) {
    auto info = read_fields(proc_path(pid, "fdinfo/" + entry.path().filename().string()));
    result[std::atoi(entry.path().filename().c_str())] = {
        link_text(entry.path()), number_in(info, "pos", 10), number_in(info, "flags", 8)};
  }
  return result;
}

std::map<int, std::array<std::uint64_t, 2>> read_limits(pid_t pid) {
  std::map<int, std::array<std::uint64_t, 2>> result;
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit{};
    if (::prlimit(pid, static_cast<__rlimit_resource>(resource), nullptr, &limit) != 0) continue;
    result[resource] = {limit.rlim_cur, limit.rlim_max};
  }
  return result;
}

std::array<std::string, 3> read_timers(HeldProcess& held) {
  std::array<std::string, 3> result;
  for (int which = 0; which < 3; ++which) {
    std::string room(sizeof(itimerval), '\0');
    if (held.system_call(SYS_getitimer, {which, room}) == 0) {
      result[static_cast<std::size_t>(which)] = held.text(sizeof(itimerval));
    }
  }
  return result;
}

std::set<int> read_posix_timers(pid_t pid) {
  std::set<int> numbers;
  std::ifstream list(proc_path(pid, "timers"));
  for (std::string line; std::getline(list, line);) {
    if (line.starts_with("ID: ")) numbers.insert(std::atoi(line.c_str() + 4));
  }
  return numbers;
}

int count_children(pid_t pid) {
  std::ifstream list(proc_path(pid, fmt::format("task/{}/children", pid)));
  int count = 0;
  for (pid_t child = 0; list >> child;) ++count;
  return count;
}

}  // namespace

ExternalState read_external_state(HeldProcess& held, const MemoryImage& memory) {
  ExternalState state;
  const pid_t pid = held.pid();
  auto status = read_fields(proc_path(pid, "status"));
  state.environment = read_environment(held, memory);
  state.cwd = link_text(proc_path(pid, "cwd"));
  state.umask = number_in(status, "Umask", 8);
  state.locale = read_locale(held);
  state.signals = read_signals(held);
  state.blocked = static_cast<std::uint64_t>(number_in(status, "SigBlk", 16));
  state.pending =
      static_cast<std::uint64_t>(number_in(status, "SigPnd", 16) | number_in(status, "ShdPnd", 16));
  state.descriptors = read_descriptors(pid);
  state.limits = read_limits(pid);
  state.timers = read_timers(held);
  state.float_control = static_cast<std::uint64_t>(held.request(wire::kFloatControl));
  state.nice = 20 - held.system_call(SYS_getpriority, {PRIO_PROCESS, std::int64_t{0}});
  state.personality = held.system_call(SYS_personality, {std::int64_t{0xffffffff}});
  state.name = status["Name"];
  state.threads = static_cast<int>(number_in(status, "Threads", 10));
  state.children = count_children(pid);
  state.locked_kb = number_in(status, "VmLck", 10);
  state.posix_timers = read_posix_timers(pid);
  std::string room(sizeof(stack_t), '\0');
  if (held.system_call(SYS_sigaltstack, {std::int64_t{0}, room}) == 0) {
    state.alternate_stack = held.text(sizeof(stack_t));
  }
  return state;
}

}  // namespace gordian
