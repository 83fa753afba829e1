// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/outcome.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

Outcome failure(std::string file, int line, std::string message) {
  Outcome outcome;
  outcome.kind = OutcomeKind::fail;
  outcome.file = std::move(file);
  outcome.line = line;
  outcome.message = std::move(message);
  return outcome;
}

Outcome of_kind(OutcomeKind kind) {
  Outcome outcome;
  outcome.kind = kind;
  return outcome;
}

TEST(OutcomeKind, EveryWordReadsBack) {
  for (auto kind :
       {OutcomeKind::pass, OutcomeKind::fail, OutcomeKind::skip, OutcomeKind::crash,
        OutcomeKind::timeout, OutcomeKind::exit, OutcomeKind::not_run, OutcomeKind::lost}) {
    EXPECT_EQ(parse_outcome_kind(to_string(kind)), kind);
  }
  EXPECT_FALSE(parse_outcome_kind("passed"));
}

TEST(OutcomeKind, NotRunIsNoFailure) {
  EXPECT_FALSE(is_failure(OutcomeKind::not_run));
  EXPECT_FALSE(is_failure(OutcomeKind::skip));
  EXPECT_TRUE(is_failure(OutcomeKind::lost));
  EXPECT_TRUE(is_failure(OutcomeKind::exit));
}

TEST(SameResult, ValuesInTheMessageDoNotMatter) {
  const Outcome a = failure("a.cc", 7, "Expected 3, at 0x7ffe12\nmore");
  EXPECT_TRUE(same_result(a, failure("a.cc", 7, "Expected 42, at 0xdead\nother")));
  EXPECT_FALSE(same_result(a, failure("a.cc", 8, "Expected 3, at 0x7ffe12")));
  EXPECT_FALSE(same_result(a, failure("b.cc", 7, "Expected 3, at 0x7ffe12")));
  EXPECT_FALSE(same_result(a, failure("a.cc", 7, "Wanted 3, at 0x7ffe12")));
}

TEST(SameResult, SignalsAndExitCodesMatter) {
  Outcome segv = of_kind(OutcomeKind::crash), abort = of_kind(OutcomeKind::crash);
  segv.signal = 11, abort.signal = 6;
  EXPECT_TRUE(same_result(segv, segv));
  EXPECT_FALSE(same_result(segv, abort));
  Outcome one = of_kind(OutcomeKind::exit), two = of_kind(OutcomeKind::exit);
  one.exit_code = 1, two.exit_code = 2;
  EXPECT_FALSE(same_result(one, two));
}

TEST(SameResult, WhatIsNotKnownEqualsNothing) {
  EXPECT_FALSE(same_result(of_kind(OutcomeKind::not_run), of_kind(OutcomeKind::not_run)));
  EXPECT_FALSE(same_result(of_kind(OutcomeKind::lost), of_kind(OutcomeKind::lost)));
  EXPECT_TRUE(same_result(of_kind(OutcomeKind::pass), of_kind(OutcomeKind::pass)));
  EXPECT_FALSE(same_result(of_kind(OutcomeKind::pass), of_kind(OutcomeKind::skip)));
}

}  // namespace
}  // namespace gordian
