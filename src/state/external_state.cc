// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/external_kinds.h"

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

std::map<std::string, std::string> environment_of(HeldProcess& held, const MemoryImage& memory) {
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

std::map<int, std::string> locale_of(HeldProcess& held) {
  std::map<int, std::string> result;
  for (int category : {LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES}) {
    if (held.request(wire::kSetLocale, category) < 0) continue;
    result[category] = held.text(wire::kHoldText).c_str();
  }
  return result;
}

std::map<int, SignalAction> signals_of(HeldProcess& held) {
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

std::map<int, OpenDescriptor> descriptors_of(pid_t pid) {
  std::map<int, OpenDescriptor> result;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(proc_path(pid, "fd"), none)) {
    auto info = read_fields(proc_path(pid, "fdinfo/" + entry.path().filename().string()));
    result[std::atoi(entry.path().filename().c_str())] = {
        link_text(entry.path()), number_in(info, "pos", 10), number_in(info, "flags", 8)};
  }
  return result;
}

std::map<int, std::array<std::uint64_t, 2>> limits_of(pid_t pid) {
  std::map<int, std::array<std::uint64_t, 2>> result;
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit{};
    if (::prlimit(pid, static_cast<__rlimit_resource>(resource), nullptr, &limit) != 0) continue;
    result[resource] = {limit.rlim_cur, limit.rlim_max};
  }
  return result;
}

std::array<std::string, 3> timers_of(HeldProcess& held) {
  std::array<std::string, 3> result;
  for (int which = 0; which < 3; ++which) {
    std::string room(sizeof(itimerval), '\0');
    if (held.system_call(SYS_getitimer, {which, room}) == 0) {
      result[static_cast<std::size_t>(which)] = held.text(sizeof(itimerval));
    }
  }
  return result;
}

std::set<int> posix_timers_of(pid_t pid) {
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

namespace kinds {

void read_environment(StateReading& from, ExternalState& to) {
  to.environment = environment_of(from.held, from.memory);
}

void read_directory(StateReading& from, ExternalState& to) {
  to.cwd = link_text(proc_path(from.held.pid(), "cwd"));
}

void read_umask(StateReading& from, ExternalState& to) {
  to.umask = number_in(from.status, "Umask", 8);
}

void read_locale(StateReading& from, ExternalState& to) {
  to.locale = locale_of(from.held);
}

void read_signals(StateReading& from, ExternalState& to) {
  to.signals = signals_of(from.held);
  std::string room(sizeof(stack_t), '\0');
  if (from.held.system_call(SYS_sigaltstack, {std::int64_t{0}, room}) == 0) {
    to.alternate_stack = from.held.text(sizeof(stack_t));
  }
}

void read_signal_mask(StateReading& from, ExternalState& to) {
  const auto bits = [&from](const char* field) {
    return static_cast<std::uint64_t>(number_in(from.status, field, 16));
  };
  to.blocked = bits("SigBlk");
  to.pending = bits("SigPnd") | bits("ShdPnd");
}

void read_descriptors(StateReading& from, ExternalState& to) {
  to.descriptors = descriptors_of(from.held.pid());
}

void read_limits(StateReading& from, ExternalState& to) {
  to.limits = limits_of(from.held.pid());
}

void read_timers(StateReading& from, ExternalState& to) {
  to.timers = timers_of(from.held);
  to.posix_timers = posix_timers_of(from.held.pid());
}

void read_float_mode(StateReading& from, ExternalState& to) {
  to.float_control = static_cast<std::uint64_t>(from.held.request(wire::kFloatControl));
}

void read_attributes(StateReading& from, ExternalState& to) {
  HeldProcess& held = from.held;
  to.nice = 20 - held.system_call(SYS_getpriority, {PRIO_PROCESS, std::int64_t{0}});
  to.personality = held.system_call(SYS_personality, {std::int64_t{0xffffffff}});
  to.name = from.status["Name"];
  to.locked_kb = number_in(from.status, "VmLck", 10);
}

void read_threads(StateReading& from, ExternalState& to) {
  to.threads = static_cast<int>(number_in(from.status, "Threads", 10));
}

void read_children(StateReading& from, ExternalState& to) {
  to.children = count_children(from.held.pid());
}

}  // namespace kinds

ExternalState read_external_state(HeldProcess& held, const MemoryImage& memory) {
  StateReading from{held, memory, read_fields(proc_path(held.pid(), "status"))};
  ExternalState state;
  for (const ExternalKind& kind : external_kinds()) {
    if (kind.read != nullptr) kind.read(from, state);
    if (kind.pieces != nullptr) state.pieces.merge(kind.pieces->read(from));
  }
  return state;
}

}  // namespace gordian
