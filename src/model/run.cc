// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/run.h"

#include <map>

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

int& OutcomeCounts::of(OutcomeKind kind) {
  static const std::map<OutcomeKind, int OutcomeCounts::*> kSlots = {
      {OutcomeKind::pass, &OutcomeCounts::pass},       {OutcomeKind::fail, &OutcomeCounts::fail},
      {OutcomeKind::skip, &OutcomeCounts::skip},       {OutcomeKind::crash, &OutcomeCounts::crash},
      {OutcomeKind::timeout, &OutcomeCounts::timeout}, {OutcomeKind::exit, &OutcomeCounts::exit},
      {OutcomeKind::not_run, &OutcomeCounts::not_run}, {OutcomeKind::lost, &OutcomeCounts::lost},
  };
  return this->*kSlots.at(kind);
}

OutcomeCounts count_outcomes(const RunFacts& facts) {
  OutcomeCounts counts;
  for (const OrderRun& order : facts.orders) {
    for (const TestRun& run : order.runs) ++counts.of(run.outcome.kind);
  }
  return counts;
}

}  // namespace gordian
