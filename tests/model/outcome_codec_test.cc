// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/outcome_codec.h"

#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

namespace gordian {
namespace {

using nlohmann::json;

Outcome full() {
  return {OutcomeKind::crash, "a.cc", 4, "in f()", SIGSEGV, 2, true};
}

TEST(OutcomeCodec, EveryPartComesBack) {
  const auto back = outcome_from_json(json::from_cbor(json::to_cbor(to_json(full()))));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->kind, OutcomeKind::crash);
  EXPECT_EQ(back->file, "a.cc");
  EXPECT_EQ(back->line, 4);
  EXPECT_EQ(back->message, "in f()");
  EXPECT_EQ(back->signal, SIGSEGV);
  EXPECT_EQ(back->exit_code, 2);
  EXPECT_TRUE(back->in_tear_down);
}

TEST(OutcomeCodec, AKindAloneIsAWord) {
  for (const OutcomeKind kind :
       {OutcomeKind::pass, OutcomeKind::fail, OutcomeKind::skip, OutcomeKind::crash,
        OutcomeKind::timeout, OutcomeKind::exit, OutcomeKind::not_run, OutcomeKind::lost}) {
    Outcome plain;
    plain.kind = kind;
    EXPECT_EQ(to_short_json(plain), to_string(kind));
    const auto back = outcome_from_json(to_short_json(plain));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(to_json(*back), to_json(plain));
  }
}

/// Each part by itself is a reason not to be a word.
TEST(OutcomeCodec, NothingIsLostInTheShortForm) {
  const json whole = to_json(full());
  for (const auto& [key, value] : whole.items()) {
    json one = to_json(Outcome{});
    one[key] = value;
    const auto outcome = outcome_from_json(one);
    ASSERT_TRUE(outcome.ok()) << key;
    const auto back = outcome_from_json(to_short_json(*outcome));
    ASSERT_TRUE(back.ok()) << key;
    EXPECT_EQ(to_json(*back), one) << key;
  }
}

TEST(OutcomeCodec, EarlyFilesDoNotTellOfTearDown) {
  json early = to_json(full());
  early.erase("in_tear_down");
  const auto back = outcome_from_json(early);
  ASSERT_TRUE(back.ok());
  EXPECT_FALSE(back->in_tear_down);
}

TEST(OutcomeCodec, WhatIsNoneIsRefused) {
  for (const json& wrong : {json(), json(7), json::array(), json::object(), json("maybe"),
                            json(json::value_t::discarded)}) {
    EXPECT_FALSE(outcome_from_json(wrong).ok()) << wrong.type_name();
  }
  const json good = to_json(full());
  for (const char* part : {"kind", "file", "line", "message", "signal", "exit_code"}) {
    json missing = good;
    missing.erase(part);
    EXPECT_FALSE(outcome_from_json(missing).ok()) << part;
    for (const json& type : {json(), json::array(), json(1.5), json(true)}) {
      json other = good;
      other[part] = type;
      EXPECT_FALSE(outcome_from_json(other).ok()) << other.dump();
    }
  }
}

TEST(OutcomeCodec, NumbersThatNoOutcomeHasAreRefused) {
  const auto with = [](const char* part, const json& number) {
    json value = to_json(full());
    value[part] = number;
    return outcome_from_json(value).ok();
  };
  for (const char* part : {"line", "signal", "exit_code"}) {
    EXPECT_TRUE(with(part, 0)) << part;
    EXPECT_FALSE(with(part, std::int64_t{1} << 31)) << part;
    EXPECT_FALSE(with(part, std::uint64_t{1} << 63)) << part;
  }
  EXPECT_FALSE(with("line", -1));
  EXPECT_FALSE(with("signal", -1));
  EXPECT_FALSE(with("signal", 128));
  EXPECT_TRUE(with("exit_code", -1));
  json tear_down = to_json(full());
  tear_down["in_tear_down"] = 1;
  EXPECT_FALSE(outcome_from_json(tear_down).ok());
}

TEST(OutcomeCodec, InPublicWhatDoesNotApplyIsNull) {
  Outcome passed;
  passed.kind = OutcomeKind::pass;
  EXPECT_EQ(to_public_json(passed), (json{{"outcome", "pass"},
                                          {"file", nullptr},
                                          {"line", nullptr},
                                          {"message", nullptr},
                                          {"signal", nullptr},
                                          {"signal_name", nullptr},
                                          {"exit_code", nullptr}}));
  const json crashed = to_public_json(full());
  EXPECT_EQ(crashed.at("signal_name"), "SIGSEGV");
  EXPECT_EQ(crashed.at("line"), 4);
  EXPECT_TRUE(crashed.at("exit_code").is_null());
}

}  // namespace
}  // namespace gordian
