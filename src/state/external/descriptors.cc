// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "state/external/external_kinds.h"

namespace gordian {
namespace {

using namespace changes;

void read_descriptors(StateReading& from, ExternalState& to) {
  const pid_t pid = from.held.pid();
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(proc_path(pid, "fd"), none)) {
    auto info = read_fields(proc_path(pid, "fdinfo/" + entry.path().filename().string()));
    to.descriptors[std::atoi(entry.path().filename().c_str())] = {
        link_text(entry.path()), number_in(info, "pos", 10), number_in(info, "flags", 8)};
  }
}

bool reopen(HeldProcess& held, int number, const OpenDescriptor& was) {
  const std::int64_t made =
      held.system_call(SYS_open, {was.target, was.flags & ~O_CREAT & ~O_TRUNC});
  if (made < 0) return false;
  held.system_call(SYS_lseek, {made, was.position, SEEK_SET});
  if (made == number) return true;
  const bool moved = held.system_call(SYS_dup2, {made, number}) == number;
  held.system_call(SYS_close, {made});
  return moved;
}

std::string flags_text(std::int64_t flags) {
  std::string text;
  auto add = [&](std::int64_t bit, const char* name) {
    if (flags & bit) text += (text.empty() ? "" : " | ") + std::string(name);
  };
  add(O_APPEND, "O_APPEND");
  add(O_NONBLOCK, "O_NONBLOCK");
  add(O_ASYNC, "O_ASYNC");
  add(O_CLOEXEC, "O_CLOEXEC");
  return text.empty() ? "0" : text;
}

void one_descriptor(int number, const OpenDescriptor* was, const OpenDescriptor* is,
                    Changes& changes) {
  StateEvents events{
      .writing_calls = {SYS_close, SYS_dup2, SYS_dup3, SYS_fcntl},
      .reading_calls = {SYS_read, SYS_write, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev,
                        SYS_fcntl, SYS_lseek, SYS_dup, SYS_dup2, SYS_dup3, SYS_close, SYS_fstat}};
  Text old_value = was ? Text(was->target) : Text(), new_value = is ? Text(is->target) : Text();
  DescriptorKey key{number};
  Reset reset;
  if (!was) {
    reset = [number](HeldProcess& held) { return held.system_call(SYS_close, {number}) == 0; };
  } else if (!is || was->target != is->target) {
    reset = [number, old = *was](HeldProcess& held) { return reopen(held, number, old); };
  } else if (was->flags != is->flags) {
    key.part = DescriptorKey::Part::flags;
    old_value = flags_text(was->flags);
    new_value = flags_text(is->flags);
    events.writing_calls = {SYS_fcntl};
    reset = [number, flags = was->flags](HeldProcess& held) {
      return held.system_call(SYS_fcntl, {number, F_SETFL, flags}) == 0;
    };
  } else {
    key.part = DescriptorKey::Part::offset;
    events.writing_calls = {SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_lseek};
    old_value = fmt::format("{}", was->position);
    new_value = fmt::format("{}", is->position);
    reset = [number, position = was->position](HeldProcess& held) {
      return held.system_call(SYS_lseek, {number, position, SEEK_SET}) >= 0;
    };
  }
  events.number = number;
  changes.push_back(changed({CarrierKind::descriptor, key}, std::move(old_value),
                            std::move(new_value), std::move(reset), std::move(events)));
}

/// The capture files of stdout and stderr grow with every test.
bool is_capture(int number, const OpenDescriptor& was, const OpenDescriptor& is) {
  return number <= 2 && was.target == is.target && was.flags == is.flags;
}

void descriptor_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  std::set<int> numbers;
  for (const auto& [number, open] : before.descriptors) numbers.insert(number);
  for (const auto& [number, open] : after.descriptors) numbers.insert(number);
  for (int number : numbers) {
    auto was = before.descriptors.find(number), is = after.descriptors.find(number);
    const OpenDescriptor* old_one = was == before.descriptors.end() ? nullptr : &was->second;
    const OpenDescriptor* new_one = is == after.descriptors.end() ? nullptr : &is->second;
    if (old_one && new_one && (*old_one == *new_one || is_capture(number, *old_one, *new_one))) {
      continue;
    }
    one_descriptor(number, old_one, new_one, changes);
  }
}

bool uses_descriptor(const TraceEvent& event, const StateEvents& events, const MemoryImage&) {
  const auto wanted = static_cast<std::uint64_t>(events.number.value_or(-1));
  if (event.syscall == SYS_fcntl && event.arguments[1] == F_DUPFD) return true;
  switch (event.syscall) {
    case SYS_dup2:
    case SYS_dup3:
      return event.arguments[0] == wanted || event.arguments[1] == wanted;
    case SYS_open:
    case SYS_openat:
    case SYS_socket:
      return false;  // the number is not known before it returns
    default:
      return event.arguments[0] == wanted;
  }
}

bool only_asks_for_flags(const TraceEvent& event) {
  const std::uint64_t command = event.arguments[1];
  return event.syscall == SYS_fcntl &&
         (command == F_GETFD || command == F_GETFL || command == F_GETLK);
}

}  // namespace

const ExternalKind kinds::descriptors = {.kind = CarrierKind::descriptor,
                                         .read = read_descriptors,
                                         .compare = descriptor_changes,
                                         .concerns = uses_descriptor,
                                         .only_asks = only_asks_for_flags};

}  // namespace gordian
