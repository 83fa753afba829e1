// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/outcome.h"

#include <array>
#include <cctype>
#include <cstring>

namespace gordian {
namespace {

constexpr std::array<std::pair<OutcomeKind, std::string_view>, 8> kKindWords = {{
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

}  // namespace

std::string_view to_string(OutcomeKind kind) {
  for (auto [k, word] : kKindWords) {
    if (k == kind) return word;
  }
  return "unknown";
}

std::optional<OutcomeKind> parse_outcome_kind(std::string_view word) {
  for (auto [k, w] : kKindWords) {
    if (w == word) return k;
  }
  return std::nullopt;
}

bool is_failure(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::fail:
    case OutcomeKind::crash:
    case OutcomeKind::timeout:
    case OutcomeKind::exit:
    case OutcomeKind::lost:
      return true;
    case OutcomeKind::pass:
    case OutcomeKind::skip:
    case OutcomeKind::not_run:
      break;
  }
  return false;
}

Fingerprint Outcome::fingerprint() const {
  switch (kind) {
    case OutcomeKind::fail: {
      std::string_view text = message;
      std::string how = mask_values(text.substr(0, text.find('\n')));
      if (exit_code != 0) how += ", exit code " + std::to_string(exit_code);
      return {file, line, std::move(how)};
    }
    case OutcomeKind::crash:
      return {"", 0, std::string("signal ") + std::to_string(signal)};
    case OutcomeKind::exit:
      return {"", 0, std::string("exit ") + std::to_string(exit_code)};
    case OutcomeKind::pass:
    case OutcomeKind::skip:
    case OutcomeKind::timeout:
    case OutcomeKind::not_run:
    case OutcomeKind::lost:
      break;
  }
  return {};
}

bool same_result(const Outcome& a, const Outcome& b) {
  if (a.kind == OutcomeKind::not_run || a.kind == OutcomeKind::lost) return false;
  return a.kind == b.kind && a.fingerprint() == b.fingerprint();
}

bool same_crash_place(const Outcome& a, const Outcome& b) {
  if (a.message.empty() || b.message.empty()) return true;
  return a.file == b.file && a.line == b.line && a.message == b.message;
}

std::string_view to_string(FallBack reason) {
  switch (reason) {
    case FallBack::none:
      return "none";
    case FallBack::not_worth_it:
      return "no snapshot was worth taking";
    case FallBack::refused:
      return "no snapshot could be taken";
    case FallBack::started_process:
      return "started a process";
    case FallBack::live_threads:
      return "left a thread running";
    case FallBack::old_mapping:
      return "changed memory mappings that were there before";
    case FallBack::unknown_call:
      return "made a system call that cannot be undone";
    case FallBack::lowered_limit:
      return "lowered a hard resource limit";
    case FallBack::lost_directory:
      return "removed the working directory";
    case FallBack::wrote_files:
      return "wrote files";
    case FallBack::process_ended:
      return "ended its process";
    case FallBack::closed_ours:
      return "closed descriptors that the snapshot needs";
    case FallBack::signalled_others:
      return "sent a signal to another process";
  }
  return "unknown";
}

}  // namespace gordian
