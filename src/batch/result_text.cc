// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "batch/result_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "report/outcome_text.h"

namespace gordian::batch {
namespace {

std::string_view end_mark(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::pass:
      return "[       OK ]";
    case OutcomeKind::skip:
      return "[  SKIPPED ]";
    case OutcomeKind::crash:
      return "[  CRASHED ]";
    case OutcomeKind::timeout:
      return "[ TIMED OUT]";
    case OutcomeKind::exit:
      return "[  EXITED  ]";
    case OutcomeKind::fail:
    case OutcomeKind::not_run:
    case OutcomeKind::lost:
      break;
  }
  return "[  FAILED  ]";
}

/// The framework repeats parameters behind the name of a test that failed.
std::string parameters(const Test& test) {
  if (test.type_param.empty() && test.value_param.empty()) return {};
  std::string text = ", where ";
  if (!test.type_param.empty()) text += "TypeParam = " + test.type_param;
  if (!test.type_param.empty() && !test.value_param.empty()) text += " and ";
  if (!test.value_param.empty()) text += "GetParam() = " + test.value_param;
  return text;
}

std::string with_newline(std::string text) {
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text;
}

/// A message that was not printed where the test prints: from global set-up, or from us.
std::string unprinted_message(const TestRun& run) {
  const Outcome& outcome = run.outcome;
  if (outcome.message.empty() || run.output.find(outcome.message) != std::string::npos) return {};
  std::string place = location_text(outcome.file, outcome.line);
  return with_newline(place.empty() ? outcome.message : place + ": " + outcome.message);
}

std::string remarks(const std::string& binary, const Test& test, const TestRun& run) {
  std::string text;
  if (run.output_truncated) text += "gordian: the output was cut\n";
  if (run.leaks.any()) text += "gordian: the test " + leaks_text(run.leaks) + "\n";
  if (run.outcome.kind == OutcomeKind::crash) {
    text += "gordian: the stack: " +
            shell_quoted({"gordian", "run", "--filter", test.full_name(), binary}) + "\n";
  }
  return text;
}

}  // namespace

Reply reply_for(const std::string& binary, const Test& test, const TestRun& run,
                const std::vector<Notice>& notices) {
  const OutcomeKind kind = run.outcome.kind;
  Reply reply;
  reply.kind = Reply::Kind::result;
  for (const Notice& notice : notices) {
    if (notice.level == Notice::Level::warning) reply.text += "gordian: " + notice.text + "\n";
  }
  reply.text += "[ RUN      ] " + test.full_name() + "\n" + with_newline(run.output);
  reply.text += unprinted_message(run);
  auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(run.duration).count();
  std::string ending = ending_text(run.outcome);
  reply.text += fmt::format("{} {}{}{} ({} ms)\n", end_mark(kind), test.full_name(),
                            kind == OutcomeKind::fail ? parameters(test) : "",
                            ending.empty() ? "" : ": " + ending, ms);
  reply.text += remarks(binary, test, run);
  reply.exit_code = kind == OutcomeKind::pass ? 0 : kind == OutcomeKind::skip ? kExitSkipped : 1;
  reply.signal = kind == OutcomeKind::crash ? run.outcome.signal : 0;
  return reply;
}

}  // namespace gordian::batch
