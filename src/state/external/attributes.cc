// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Name, priority, personality, locked memory.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "state/external/external_kinds.h"

namespace gordian {
namespace {

using Which = AttributeKey::Which;

StatePieces read_attributes(StateReading& from) {
  const std::int64_t priority =
      from.held.system_call(SYS_getpriority, {PRIO_PROCESS, std::int64_t{0}});
  const std::int64_t personality =
      from.held.system_call(SYS_personality, {std::int64_t{0xffffffff}});
  const auto key = [](Which which) { return StateKey{CarrierKind::process, AttributeKey{which}}; };
  return {
      {key(Which::name), {from.status["Name"], {}}},
      {key(Which::nice), {fmt::format("{}", 20 - priority), {}}},
      {key(Which::personality), {fmt::format("{:#x}", personality), {}}},
      {key(Which::locked_memory), {fmt::format("{} kB", number_in(from.status, "VmLck", 10)), {}}}};
}

bool put_attribute_back(HeldProcess& held, const StateKey& key, const StatePiece* was,
                        const StatePiece*) {
  const auto* attribute = key.as<AttributeKey>();
  if (was == nullptr || attribute == nullptr) return false;
  const auto number = [was] { return std::int64_t{std::stoll(was->text, nullptr, 0)}; };
  switch (attribute->which) {
    case Which::name:
      return held.system_call(SYS_prctl, {PR_SET_NAME, was->text}) == 0;
    case Which::nice:
      return held.system_call(SYS_setpriority, {PRIO_PROCESS, std::int64_t{0}, number()}) == 0;
    case Which::personality:
      return held.system_call(SYS_personality, {number()}) >= 0;
    case Which::locked_memory:  // which pages they were is not known
      return number() == 0 && held.system_call(SYS_munlockall, {}) == 0;
  }
  return false;
}

StateEvents attribute_events(const StateKey& key, const StatePiece*, const StatePiece*) {
  StateEvents events;
  switch (key.as<AttributeKey>()->which) {
    case Which::name:
      events.writing_calls = events.reading_calls = {SYS_prctl};
      break;
    case Which::nice:
      events.writing_calls = {SYS_setpriority};
      events.reading_calls = {SYS_getpriority};
      break;
    case Which::personality:
      events.writing_calls = {SYS_personality};
      events.reading_calls = {SYS_personality, SYS_uname};
      break;
    case Which::locked_memory:
      events.writing_calls = {SYS_mlock, SYS_mlock2, SYS_mlockall, SYS_munlock, SYS_munlockall};
      break;
  }
  return events;
}

bool only_asks_for_attribute(const TraceEvent& event) {
  if (event.syscall == SYS_prctl) return event.arguments[0] != PR_SET_NAME;
  return event.syscall == SYS_personality && event.arguments[0] == 0xffffffff;
}

}  // namespace

const ExternalKind kinds::attributes = {
    .kind = CarrierKind::process,
    .pieces = PieceKind{read_attributes, put_attribute_back, attribute_events},
    .only_asks = only_asks_for_attribute};

}  // namespace gordian
