// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/external/external_kinds.h"

namespace gordian {
namespace {

namespace wire = gordian_wire;

StatePieces read_environment(StateReading& from) {
  constexpr int kMostVariables = 100'000;
  StatePieces result;
  auto list = static_cast<std::uint64_t>(from.held.request(wire::kEnvironment));
  for (int i = 0; list != 0 && i < kMostVariables; ++i) {
    auto entry = from.memory.value<std::uint64_t>(list + 8 * static_cast<std::uint64_t>(i));
    if (!entry || *entry == 0) break;
    auto text = from.memory.c_string(*entry);
    if (!text) continue;
    std::size_t equals = text->find('=');
    if (equals == std::string::npos) continue;
    result.emplace(StateKey{CarrierKind::environment, NameKey{text->substr(0, equals)}},
                   StatePiece{text->substr(equals + 1), {}});
  }
  return result;
}

bool put_variable_back(HeldProcess& held, const StateKey& key, const StatePiece* was,
                       const StatePiece*) {
  return was != nullptr ? held.request(wire::kSetVariable, 0, key.name() + '\0' + was->text) == 0
                        : held.request(wire::kUnsetVariable, 0, key.name()) == 0;
}

StateEvents variable_events(const StateKey& key, const StatePiece*, const StatePiece*) {
  return {.writers = {"setenv", "unsetenv", "putenv", "clearenv"},
          .readers = {"getenv", "secure_getenv"},
          .argument = key.name()};
}

bool names_variable(const TraceEvent& event, const StateEvents& events, const MemoryImage& memory) {
  const std::string& name = events.argument;
  std::string text = text_at(memory, event.arguments[0]);
  return text == name || text.starts_with(name + "=") || text.empty();  // clearenv has no argument
}

}  // namespace

const ExternalKind kinds::environment = {
    .kind = CarrierKind::environment,
    .pieces = PieceKind{read_environment, put_variable_back, variable_events},
    .concerns = names_variable};

}  // namespace gordian
