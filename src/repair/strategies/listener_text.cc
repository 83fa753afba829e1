// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/listener_text.h"

namespace gordian::strategies {
namespace {

const char* const kGoogleTest = R"(
class Isolation : public testing::EmptyTestEventListener {
  void OnTestSuiteStart(const testing::TestSuite&) override { suite_ = save(); }
  void OnTestStart(const testing::TestInfo&) override { test_ = save(); }
  void OnTestEnd(const testing::TestInfo&) override { put_back(test_); }
  void OnTestSuiteEnd(const testing::TestSuite&) override { put_back(suite_); }

  Guards test_, suite_;
};

const bool is_isolated = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new Isolation);
  return true;
}();
)";

const char* const kCatch2 = R"(
class Isolation : public Catch::BASE {
 public:
  using BASE::BASE;
  void testCaseStarting(const Catch::TestCaseInfo&) override { test_ = save(); }
  void testCaseEnded(const Catch::TestCaseStats&) override { put_back(test_); }

 private:
  Guards test_;
};
CATCH_REGISTER_LISTENER(Isolation)
)";

const char* const kDoctest = R"(
class Isolation : public doctest::IReporter {
 public:
  explicit Isolation(const doctest::ContextOptions&) {}
  void test_case_start(const doctest::TestCaseData&) override { test_ = save(); }
  void test_case_reenter(const doctest::TestCaseData&) override {}  // the next subcase of one test
  void test_case_end(const doctest::CurrentTestCaseStats&) override { put_back(test_); }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  Guards test_;
};
DOCTEST_REGISTER_LISTENER("isolation", 1, Isolation);
)";

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  for (std::size_t at; (at = text.find(word)) != std::string::npos;) {
    text.replace(at, word.size(), by);
  }
  return text;
}

}  // namespace

bool has_listeners(Framework framework) {
  return framework == Framework::gtest || framework == Framework::catch2 ||
         framework == Framework::doctest;
}

bool is_catch2_3(const std::string& version) {
  return version.starts_with("3") || version.starts_with("4");
}

std::vector<std::string> framework_includes(Framework framework, const std::string& version) {
  switch (framework) {
    case Framework::gtest:
      return {"<gtest/gtest.h>"};
    case Framework::catch2:
      if (!is_catch2_3(version)) return {"<catch2/catch.hpp>"};
      return {"<catch2/reporters/catch_reporter_event_listener.hpp>",
              "<catch2/reporters/catch_reporter_registrars.hpp>"};
    case Framework::doctest:
      return {"<doctest/doctest.h>"};
    default:
      return {};
  }
}

std::string framework_define(Framework framework, const std::string& version) {
  const bool old = framework == Framework::catch2 && !is_catch2_3(version);
  return old ? "#define CATCH_CONFIG_EXTERNAL_INTERFACES  // for the listener" : "";
}

std::string listener_code(Framework framework, const std::string& version,
                          const ListenerText& text) {
  std::string code;
  for (const std::string& line : text.scope) code += line + "\n";
  if (!text.scope.empty()) code += "\n";
  code +=
      "namespace {\n\nusing Guards = std::vector<std::shared_ptr<void>>;\n\nGuards save() {\n"
      "  Guards guards;\n";
  for (const std::string& maker : text.makers) code += "  guards.push_back(" + maker + ");\n";
  code +=
      "  return guards;\n}\n\n"
      "void put_back(Guards& guards) {\n"
      "  while (!guards.empty()) guards.pop_back();  // the last one first\n}\n";
  if (framework == Framework::gtest) code += kGoogleTest;
  if (framework == Framework::doctest) code += kDoctest;
  if (framework == Framework::catch2) {
    code += replaced(kCatch2, "BASE",
                     is_catch2_3(version) ? "EventListenerBase" : "TestEventListenerBase");
  }
  return code + "\n}  // namespace\n";
}

}  // namespace gordian::strategies
