// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/run.h"

#include "base/enum_words.h"

namespace gordian {
namespace {

constexpr EnumWords<RunEnd, 5> kRunEndWords = {{
    {RunEnd::finished, "finished"},
    {RunEnd::interrupted, "interrupted"},
    {RunEnd::failed_fast, "failed_fast"},
    {RunEnd::timed_out, "timed_out"},
    {RunEnd::unfinished, "unfinished"},
}};

}  // namespace

std::string_view to_string(Control control) {
  return control == Control::hooks ? "hooks" : "flags";
}

std::string_view to_string(RunEnd end) {
  return word_in(kRunEndWords, end);
}

OutcomeCounts count_outcomes(const RunFacts& facts) {
  OutcomeCounts counts;
  auto slot = [&counts](OutcomeKind kind) -> int& {
    switch (kind) {
      case OutcomeKind::pass:
        return counts.pass;
      case OutcomeKind::fail:
        return counts.fail;
      case OutcomeKind::skip:
        return counts.skip;
      case OutcomeKind::crash:
        return counts.crash;
      case OutcomeKind::timeout:
        return counts.timeout;
      case OutcomeKind::exit:
        return counts.exit;
      case OutcomeKind::not_run:
        return counts.not_run;
      case OutcomeKind::lost:
        break;
    }
    return counts.lost;
  };
  for (const OrderRun& order : facts.orders) {
    for (const TestRun& run : order.runs) ++slot(run.outcome.kind);
  }
  return counts;
}

}  // namespace gordian
