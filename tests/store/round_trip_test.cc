// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What goes into the store comes out again: every field of a run.
#include <gtest/gtest.h>

#include <csignal>
#include <limits>
#include <string>

#include "store/encoding.h"
#include "store/words.h"
#include "tests/runtime/toy_runtime.h"
#include "tests/store/store_fixture.h"

namespace gordian::store_test {
namespace {

class RoundTrip : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    auto opened = RunStore::open(dir_ / "db");
    ASSERT_DONE(opened);
    store_.emplace(*std::move(opened));
  }

  /// Stores one result in a run of its own and reads it back.
  TestRun stored(const TestRun& run) {
    auto id = store_->begin_run(plain_header(), numbered_suite(3), {run.test});
    EXPECT_TRUE(id.ok());
    const PositionedRun result{0, run};
    EXPECT_TRUE(store_->add_results(*id, 0, {&result, 1}).ok());
    auto facts = store_->load_run(*id);
    EXPECT_TRUE(facts.ok());
    return facts->orders.at(0).runs.at(0);
  }

  std::optional<RunStore> store_;
};

TEST_F(RoundTrip, HeaderKeepsEveryField) {
  RunHeader in = plain_header();
  in.binary = {"/b/x", "0a0b", "feed", std::numeric_limits<std::uint32_t>::max() + 7ULL};
  in.order_spec = "random:42";
  in.seed = std::numeric_limits<std::uint64_t>::max();
  in.requested = Isolation::process;
  in.used = Isolation::none;
  in.control = Control::flags;
  in.private_fs = true;
  in.jobs = 7;
  in.repeat = 3;
  in.test_timeout_ms = 123456789012;
  in.command = "gordian run 'a b'";
  in.started_unix_ms = 1'763'000'000'123;
  auto id = store_->begin_run(in, numbered_suite(1), {TestId{0}});
  ASSERT_DONE(id);
  auto facts = store_->load_run(*id);
  ASSERT_DONE(facts);
  const RunHeader& out = facts->header;
  EXPECT_EQ(facts->id, *id);
  EXPECT_EQ(out.binary.path, "/b/x");
  EXPECT_EQ(out.binary.build_id, "0a0b");
  EXPECT_EQ(out.binary.sha256, "feed");
  EXPECT_EQ(out.binary.size, in.binary.size);
  EXPECT_EQ(out.order_spec, "random:42");
  EXPECT_EQ(out.seed, in.seed);
  EXPECT_EQ(out.requested, Isolation::process);
  EXPECT_EQ(out.used, Isolation::none);
  EXPECT_EQ(out.control, Control::flags);
  EXPECT_TRUE(out.private_fs);
  EXPECT_EQ(out.jobs, 7);
  EXPECT_EQ(out.repeat, 3);
  EXPECT_EQ(out.test_timeout_ms, 123456789012);
  EXPECT_EQ(out.command, "gordian run 'a b'");
  EXPECT_EQ(out.started_unix_ms, 1'763'000'000'123);
}

TEST_F(RoundTrip, NoSeedStaysNoSeed) {
  auto id = store_->begin_run(plain_header(), numbered_suite(1), {TestId{0}});
  ASSERT_DONE(id);
  EXPECT_EQ(store_->load_run(*id)->header.seed, std::nullopt);
}

TEST_F(RoundTrip, TargetKeepsItsWordsByteForByte) {
  RunHeader in = plain_header();
  in.target.binary = "/b/\xff odd\nname";
  in.target.working_dir = "/w/'quoted'";
  in.target.args = {"--flag", "", "two words", "\xc3\x28 no utf-8"};
  in.target.env = {{"PATH", "/bin:/usr/bin"}, {"EMPTY", ""}, {"GONE", std::nullopt}, {"EQ", "a=b"}};
  in.target.origin = "ctest/name";
  auto id = store_->begin_run(in, numbered_suite(1), {TestId{0}});
  ASSERT_DONE(id);
  auto facts = store_->load_run(*id);
  ASSERT_DONE(facts);
  EXPECT_EQ(facts->header.target.binary, in.target.binary);
  EXPECT_EQ(facts->header.target.working_dir, in.target.working_dir);
  EXPECT_EQ(facts->header.target.args, in.target.args);
  EXPECT_EQ(facts->header.target.env, in.target.env);
  EXPECT_EQ(facts->header.target.origin, "ctest/name");
}

TEST_F(RoundTrip, SuiteKeepsEveryFieldOfATest) {
  gordian::Test odd{"I/P", "Odd/1", "/s/p_test.cc", 17, "int", "(1, \"x\")", false, true};
  gordian::Test off{"Fix", "DISABLED_Off", "", 0, "", "", true, false};
  auto id = store_->begin_run(plain_header(), Suite(Framework::gtest, "1.12 or newer", {odd, off}),
                              {TestId{0}});
  ASSERT_DONE(id);
  auto facts = store_->load_run(*id);
  ASSERT_DONE(facts);
  EXPECT_TRUE(same_content(facts->suite, Suite(Framework::gtest, "1.12 or newer", {odd, off})));
  EXPECT_EQ(facts->suite.find("I/P.Odd/1"), TestId{0});
  EXPECT_TRUE(facts->suite.test(TestId{1}).disabled);
  EXPECT_FALSE(facts->suite.test(TestId{1}).will_run);
  EXPECT_EQ(facts->suite.test(TestId{0}).value_param, "(1, \"x\")");
}

/// It is stored, not told by the framework: two suites differ in nothing else.
TEST_F(RoundTrip, SuiteKeepsWhatRunsIt) {
  const RuntimeTraits& toy = detect_test::kToyTraits;
  know(toy);
  RunHeader in = plain_header();
  in.target.runtime = &toy;
  const std::vector<gordian::Test> tests(1);
  auto native =
      store_->begin_run(plain_header(), Suite(Framework::unknown, "", tests), {TestId{0}});
  auto of_toy = store_->begin_run(in, Suite(&toy, Framework::unknown, "", tests), {TestId{0}});
  ASSERT_DONE(native);
  ASSERT_DONE(of_toy);
  auto again = RunStore::open(dir_ / "db");
  ASSERT_DONE(again);
  EXPECT_EQ(&again->load_run(*native)->suite.runtime(), &kNativeRuntime);
  EXPECT_EQ(&again->load_run(*of_toy)->suite.runtime(), &toy);
  EXPECT_EQ(again->load_run(*of_toy)->header.target.runtime, &toy);

  forget(toy);
  auto unknown = again->load_run(*of_toy);
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message.find("'toy'"), std::string::npos) << unknown.error().message;
}

TEST_F(RoundTrip, FailureKeepsPlaceMessageAndOutput) {
  TestRun in;
  in.test = TestId{2};
  in.outcome = {OutcomeKind::fail, "/s/a_test.cc", 12, "Expected: 1\n  Actual: 2", 0, 0};
  in.duration = std::chrono::nanoseconds(3'600'000'000'001);
  in.output = std::string("zero \0 byte, \xff byte", 20);
  const TestRun out = stored(in);
  EXPECT_EQ(out.test, TestId{2});
  EXPECT_TRUE(same_result(out.outcome, in.outcome));
  EXPECT_EQ(out.outcome.file, "/s/a_test.cc");
  EXPECT_EQ(out.outcome.line, 12);
  EXPECT_EQ(out.outcome.message, in.outcome.message);
  EXPECT_EQ(out.duration, in.duration);
  EXPECT_EQ(out.output, in.output);
  EXPECT_FALSE(out.output_truncated);
}

TEST_F(RoundTrip, CrashKeepsSignalLeaksAndStack) {
  TestRun in;
  in.outcome.kind = OutcomeKind::crash;
  in.outcome.signal = SIGSEGV;
  in.leaks = {2, 5};
  in.stack = {{"f(int)", "/s/a.cc", 3, "a_test", 0xffffffffff600000}, {"", "", 0, "libc.so.6", 1}};
  const TestRun out = stored(in);
  EXPECT_EQ(out.outcome.kind, OutcomeKind::crash);
  EXPECT_EQ(out.outcome.signal, SIGSEGV);
  EXPECT_EQ(out.leaks.threads, 2);
  EXPECT_EQ(out.leaks.children, 5);
  ASSERT_EQ(out.stack.size(), 2U);
  EXPECT_EQ(out.stack[0].function, "f(int)");
  EXPECT_EQ(out.stack[0].file, "/s/a.cc");
  EXPECT_EQ(out.stack[0].line, 3);
  EXPECT_EQ(out.stack[0].module, "a_test");
  EXPECT_EQ(out.stack[0].address, 0xffffffffff600000);
  EXPECT_EQ(out.stack[1].module, "libc.so.6");
}

TEST_F(RoundTrip, EveryOutcomeKindSurvives) {
  for (const OutcomeKind kind :
       {OutcomeKind::pass, OutcomeKind::fail, OutcomeKind::skip, OutcomeKind::crash,
        OutcomeKind::timeout, OutcomeKind::exit, OutcomeKind::not_run, OutcomeKind::lost}) {
    const std::string_view word = to_string(kind);
    TestRun in;
    in.outcome.kind = kind;
    in.outcome.exit_code = kind == OutcomeKind::exit ? 3 : 0;
    const TestRun out = stored(in);
    EXPECT_EQ(out.outcome.kind, kind) << word;
    EXPECT_EQ(out.outcome.exit_code, in.outcome.exit_code) << word;
  }
}

TEST_F(RoundTrip, EveryRunEndSurvives) {
  for (const auto& [end, word] : kStoredWords<RunEnd>) {
    auto id = store_->begin_run(plain_header(), numbered_suite(1), {TestId{0}});
    ASSERT_DONE(id);
    ASSERT_DONE(store_->finish_run(*id, end, std::chrono::nanoseconds(987654321)));
    auto facts = store_->load_run(*id);
    ASSERT_DONE(facts);
    EXPECT_EQ(facts->end, end) << word;
    EXPECT_EQ(facts->wall, std::chrono::nanoseconds(987654321));
  }
}

TEST_F(RoundTrip, NoticesKeepTheirOrder) {
  auto id = store_->begin_run(plain_header(), numbered_suite(1), {TestId{0}});
  ASSERT_DONE(id);
  ASSERT_DONE(store_->add_notice(*id, {Notice::Level::warning, "fell back to process"}));
  ASSERT_DONE(store_->add_notice(*id, {Notice::Level::info, "one thread left"}));
  auto facts = store_->load_run(*id);
  ASSERT_DONE(facts);
  ASSERT_EQ(facts->notices.size(), 2U);
  EXPECT_EQ(facts->notices[0].level, Notice::Level::warning);
  EXPECT_EQ(facts->notices[0].text, "fell back to process");
  EXPECT_EQ(facts->notices[1].level, Notice::Level::info);
}

TEST_F(RoundTrip, LongOutputIsCutAndSaysSo) {
  TestRun in;
  in.outcome.kind = OutcomeKind::pass;
  in.output = "begin " + std::string(1'000'000, '.') + " end";
  const TestRun out = stored(in);
  EXPECT_TRUE(out.output_truncated);
  EXPECT_LE(out.output.size(), kOutputLimit);
  EXPECT_TRUE(out.output.starts_with("begin "));
  EXPECT_TRUE(out.output.ends_with(" end"));
}

TEST_F(RoundTrip, OutputTruncatedByTheEngineStaysTruncated) {
  TestRun in;
  in.output_truncated = true;
  EXPECT_TRUE(stored(in).output_truncated);
}

}  // namespace
}  // namespace gordian::store_test
