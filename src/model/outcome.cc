// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/outcome.h"

#include <cctype>
#include <cstring>

#include "base/enum_words.h"

namespace gordian {
namespace {

constexpr EnumWords<OutcomeKind, 8> kKindWords = {{
    {OutcomeKind::pass, "pass"},
    {OutcomeKind::fail, "fail"},
    {OutcomeKind::skip, "skip"},
    {OutcomeKind::crash, "crash"},
    {OutcomeKind::timeout, "timeout"},
    {OutcomeKind::exit, "exit"},
    {OutcomeKind::not_run, "not_run"},
    {OutcomeKind::lost, "lost"},
}};

bool is_hex(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Numbers and addresses differ from run to run without the failure being another one.
std::string mask_values(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    if (line.substr(i, 2) == "0x") {
      for (i += 2; i < line.size() && is_hex(line[i]);) ++i;
      out += "#";
    } else if (is_digit(line[i])) {
      while (i < line.size() && is_digit(line[i])) ++i;
      out += "#";
    } else {
      out += line[i++];
    }
  }
  return out;
}

constexpr EnumWords<FallBack, 13> kFallBackWords = {{
    {FallBack::none, "none"},
    {FallBack::not_worth_it, "no snapshot was worth taking"},
    {FallBack::refused, "no snapshot could be taken"},
    {FallBack::started_process, "started a process"},
    {FallBack::live_threads, "left a thread running"},
    {FallBack::old_mapping, "changed memory mappings that were there before"},
    {FallBack::unknown_call, "made a system call that cannot be undone"},
    {FallBack::lowered_limit, "lowered a hard resource limit"},
    {FallBack::lost_directory, "removed the working directory"},
    {FallBack::wrote_files, "wrote files"},
    {FallBack::process_ended, "ended its process"},
    {FallBack::closed_ours, "closed descriptors that the snapshot needs"},
    {FallBack::signalled_others, "sent a signal to another process"},
}};

}  // namespace

std::string_view to_string(OutcomeKind kind) {
  return word_in(kKindWords, kind);
}

std::optional<OutcomeKind> parse_outcome_kind(std::string_view word) {
  return value_in(kKindWords, word);
}

bool is_failure(OutcomeKind kind) {
  return kind != OutcomeKind::pass && kind != OutcomeKind::skip && kind != OutcomeKind::not_run;
}

Fingerprint Outcome::fingerprint() const {
  if (kind == OutcomeKind::crash) return {"", 0, "signal " + std::to_string(signal)};
  if (kind == OutcomeKind::exit) return {"", 0, "exit " + std::to_string(exit_code)};
  if (kind != OutcomeKind::fail) return {};
  std::string_view text = message;
  std::string how = mask_values(text.substr(0, text.find('\n')));
  if (exit_code != 0) how += ", exit code " + std::to_string(exit_code);
  return {file, line, std::move(how)};
}

Outcome passed() {
  Outcome outcome;
  outcome.kind = OutcomeKind::pass;
  return outcome;
}

bool is_known(const Outcome& outcome) {
  return outcome.kind != OutcomeKind::not_run && outcome.kind != OutcomeKind::lost;
}

bool same_result(const Outcome& a, const Outcome& b) {
  return is_known(a) && a.kind == b.kind && a.fingerprint() == b.fingerprint();
}

bool same_crash_place(const Outcome& a, const Outcome& b) {
  if (a.message.empty() || b.message.empty()) return true;
  return a.file == b.file && a.line == b.line && a.message == b.message;
}

std::string_view to_string(FallBack reason) {
  return word_in(kFallBackWords, reason);
}

}  // namespace gordian
