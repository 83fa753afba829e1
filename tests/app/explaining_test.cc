// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// When a stored explanation is the answer, and when the question must be asked again.
#include "app/explain_session.h"

#include <gtest/gtest.h>

#include "store/dependence_store.h"
#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

class KnownExplanation : public ScratchDir {
 protected:
  void SetUp() override {
    auto dependences = DependenceStore::open(dir_ / "db");
    ASSERT_TRUE(dependences);
    DetectFacts facts;
    facts.suite = Suite(Framework::gtest, "", {{"S", "A", "", 0, "", "", false, true}});
    facts.dependences.resize(1);
    ASSERT_TRUE(dependences->save(facts));
    auto opened = ExplanationStore::open(dir_ / "db");
    ASSERT_TRUE(opened);
    store_.emplace(std::move(*opened));
    stored_.sha256 = "feed";
    stored_.witness = {"S.B", "S.A"};
    stored_.explanation.proved = true;
    stored_.explanation.proofs = 3;
    options_.proofs = 3;
  }

  bool is_known(const std::string& sha256 = "feed",
                const std::vector<std::string>& witness = {"S.B", "S.A"}) {
    EXPECT_TRUE(store_->save(DependenceId{1}, stored_));
    auto known = known_explanation(*store_, DependenceId{1}, sha256, witness, options_);
    EXPECT_TRUE(known);
    return known && *known;
  }

  std::optional<ExplanationStore> store_;
  StoredExplanation stored_;
  ExplainOptions options_;
};

TEST_F(KnownExplanation, OfTheSameBuildAndWitness) {
  EXPECT_FALSE(*known_explanation(*store_, DependenceId{1}, "feed", stored_.witness, options_));
  EXPECT_TRUE(is_known());
  EXPECT_FALSE(is_known("beef"));
  EXPECT_FALSE(is_known("feed", {"S.C", "S.A"}));
}

TEST_F(KnownExplanation, WithPlacesIfTheyAreAskedFor) {
  stored_.with_sites = false;
  EXPECT_FALSE(is_known());
  options_.sites = false;
  EXPECT_TRUE(is_known());
  stored_.with_sites = true;
  EXPECT_TRUE(is_known());
}

TEST_F(KnownExplanation, WithAsManyProofs) {
  options_.proofs = 4;
  EXPECT_FALSE(is_known());
  options_.proofs = 2;
  EXPECT_TRUE(is_known());
}

TEST_F(KnownExplanation, AlsoThatNothingCouldBeProved) {
  stored_.explanation.proved = false;
  stored_.explanation.proofs = 0;
  EXPECT_TRUE(is_known());
}

}  // namespace
}  // namespace gordian
