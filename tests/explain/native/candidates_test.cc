// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/native/witness_lab.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

Candidate variable(std::string name, ByteRange root) {
  Candidate candidate;
  candidate.carrier.key = {CarrierKind::variable, name};
  candidate.root = root;
  return candidate;
}

TEST(PartsOfCandidates, AreInTheSameVariable) {
  const std::vector<Candidate> whole = {variable("instance()::it", {0x1000, 64})};
  EXPECT_TRUE(covers(whole, variable("instance()::it.level_", {0x1000, 64})));
  EXPECT_TRUE(covers(whole, variable("*instance()::it.list_", {0x1000, 64})));
  EXPECT_FALSE(covers(whole, variable("g_other", {0x2000, 64})));
  EXPECT_FALSE(covers(whole, variable("", {})));
}

TEST(PartsOfCandidates, HaveTheSameNameWhereStateIsNoVariable) {
  std::vector<Candidate> whole = {variable("", {})};
  whole[0].carrier.key = {CarrierKind::environment, "LANG"};
  Candidate other = whole[0];
  EXPECT_TRUE(covers(whole, other));
  other.carrier.key = {CarrierKind::environment, "HOME"};
  EXPECT_FALSE(covers(whole, other));
  other.carrier.key = {CarrierKind::variable, "LANG"};
  EXPECT_FALSE(covers(whole, other));
}

TEST(PartsOfCandidates, OfNothingAreNone) {
  EXPECT_FALSE(covers({}, variable("g_x", {0x1000, 4})));
}

}  // namespace
}  // namespace gordian
