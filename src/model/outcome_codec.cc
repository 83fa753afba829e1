// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/outcome_codec.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

namespace gordian {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostSignal = 127;  // what a wait status has room for

Error no_outcome(const std::string& why) {
  return internal_error("what should be an outcome is none: " + why);
}

bool is_int(std::int64_t number) {
  return number >= std::numeric_limits<int>::min() && number <= std::numeric_limits<int>::max();
}

/// nullptr: it is missing, or of another type.
const std::string* text_of(const json& object, const char* key) {
  const auto at = object.find(key);
  return at == object.end() ? nullptr : at->get_ptr<const std::string*>();
}

bool read_text(const json& object, const char* key, std::string_view& out) {
  const std::string* text = text_of(object, key);
  if (text != nullptr) out = *text;
  return text != nullptr;
}

/// An unsigned number above the signed ones would come out negative.
bool read_number(const json& object, const char* key, std::int64_t& out) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_number_integer()) return false;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (at->is_number_unsigned() && at->get<std::uint64_t>() > kMost) return false;
  out = at->get<std::int64_t>();
  return true;
}

bool read_flag(const json& object, const char* key, bool& out) {
  const auto at = object.find(key);
  if (at == object.end()) return true;
  if (at->is_boolean()) out = at->get<bool>();
  return at->is_boolean();
}

}  // namespace

json text_or_null(const std::string& text) {
  return text.empty() ? json() : json(text);
}

json line_or_null(int line) {
  return line > 0 ? json(line) : json();
}

OutcomeFields fields_of(const Outcome& outcome) {
  return {to_string(outcome.kind), outcome.file,      outcome.line,        outcome.message,
          outcome.signal,          outcome.exit_code, outcome.in_tear_down};
}

Result<Outcome> outcome_of(const OutcomeFields& fields) {
  const auto kind = parse_outcome_kind(fields.kind);
  if (!kind) return no_outcome("there is no kind '" + std::string(fields.kind) + "'");
  if (fields.line < 0 || !is_int(fields.line)) {
    return no_outcome("there is no line " + std::to_string(fields.line));
  }
  if (fields.signal < 0 || fields.signal > kMostSignal) {
    return no_outcome("there is no signal " + std::to_string(fields.signal));
  }
  if (!is_int(fields.exit_code)) {
    return no_outcome("there is no exit code " + std::to_string(fields.exit_code));
  }
  return Outcome{*kind,
                 std::string(fields.file),
                 static_cast<int>(fields.line),
                 std::string(fields.message),
                 static_cast<int>(fields.signal),
                 static_cast<int>(fields.exit_code),
                 fields.in_tear_down};
}

json to_json(const Outcome& outcome) {
  const OutcomeFields fields = fields_of(outcome);
  return {{"kind", fields.kind},
          {"file", fields.file},
          {"line", fields.line},
          {"message", fields.message},
          {"signal", fields.signal},
          {"exit_code", fields.exit_code},
          {"in_tear_down", fields.in_tear_down}};
}

json to_short_json(const Outcome& outcome) {
  const OutcomeFields fields = fields_of(outcome);
  const bool plain = fields.file.empty() && fields.line == 0 && fields.message.empty() &&
                     fields.signal == 0 && fields.exit_code == 0 && !fields.in_tear_down;
  return plain ? json(fields.kind) : to_json(outcome);
}

Result<Outcome> outcome_from_json(const json& value) {
  OutcomeFields fields;
  if (const auto* word = value.get_ptr<const std::string*>()) {
    fields.kind = *word;
    return outcome_of(fields);
  }
  const bool whole =
      value.is_object() && read_text(value, "kind", fields.kind) &&
      read_text(value, "file", fields.file) && read_number(value, "line", fields.line) &&
      read_text(value, "message", fields.message) && read_number(value, "signal", fields.signal) &&
      read_number(value, "exit_code", fields.exit_code) &&
      read_flag(value, "in_tear_down", fields.in_tear_down);
  if (!whole) return no_outcome("a part is missing, or of another type");
  return outcome_of(fields);
}

json to_public_json(const Outcome& outcome) {
  const bool crashed = outcome.kind == OutcomeKind::crash;
  return {{"outcome", to_string(outcome.kind)},
          {"file", text_or_null(outcome.file)},
          {"line", line_or_null(outcome.line)},
          {"message", text_or_null(outcome.message)},
          {"signal", crashed ? json(outcome.signal) : json()},
          {"signal_name", crashed ? json(signal_name(outcome.signal)) : json()},
          {"exit_code", outcome.kind == OutcomeKind::exit ? json(outcome.exit_code) : json()}};
}

std::string signal_name(int signal) {
  if (const char* name = ::sigabbrev_np(signal)) return fmt::format("SIG{}", name);
  if (signal >= SIGRTMIN && signal <= SIGRTMAX) {
    return signal == SIGRTMIN ? "SIGRTMIN" : fmt::format("SIGRTMIN+{}", signal - SIGRTMIN);
  }
  return fmt::format("signal {}", signal);
}

}  // namespace gordian
