// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "repair/placing.h"

namespace gordian {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kLexed[] = "/p/a.cc";

/// "suite|name|fixture", with marks for templates and those without a body in sight.
std::vector<std::string> tests_of(const std::string& content) {
  std::vector<std::string> names;
  for (const TestFact& test : lex_tests(kLexed, content)) {
    names.push_back(test.suite + "|" + test.name + "|" + test.fixture +
                    (test.is_template ? "|template" : "") + (test.spelled ? "" : "|macro"));
  }
  return names;
}

std::string text_of(const std::string& content, const TextRange& range) {
  return content.substr(range.begin, range.end - range.begin);
}

TEST(LexTests, GoogleTest) {
  EXPECT_THAT(tests_of("TEST(A, B) {}\nTEST_F(F, C) {}\nTEST_P(P, D) { x; }\n"
                       "TYPED_TEST(T, E) {}\nTYPED_TEST_P(T, G)\n{\n}\nGTEST_TEST(A, H) {}\n"),
              ElementsAre("A|B|", "F|C|F", "P|D|P", "T|E|T|template", "T|G|T|template", "A|H|"));
}

TEST(LexTests, WhereTheyStand) {
  const std::string content = "\nTEST(A,\n     B)  // \"{\"\n{ f(\"}\"); }\nint x;\n";
  const auto tests = lex_tests(kLexed, content);
  ASSERT_EQ(tests.size(), 1u);
  EXPECT_EQ(text_of(content, tests[0].macro), "TEST(A,\n     B)");
  EXPECT_EQ(text_of(content, tests[0].body), "{ f(\"}\"); }");
  EXPECT_EQ(tests[0].macro.line, 2);
  EXPECT_EQ(tests[0].body.line, 4);
  EXPECT_EQ(tests[0].body.file, kLexed);
}

TEST(LexTests, WhatIsNoTest) {
  EXPECT_THAT(tests_of("class C { FRIEND_TEST(A, B); };\n// TEST(A, C) {}\n/* TEST(A, D) {} */\n"
                       "#if 0\nTEST(A, E) {}\n#endif\nTEST(a, b);\n#define M TEST(A, F) {}\n"
                       "const char* t = \"TEST(A, G) {}\";\nTEST(A, H"),
              IsEmpty());
}

TEST(LexTests, MadeByAMacro) {
  EXPECT_THAT(tests_of("TEST(A, B) BODY(1)\nTEST(A, C) {}\n"), ElementsAre("A|B||macro", "A|C|"));
}

TEST(LexTests, TitlesOfCatch2AndDoctest) {
  EXPECT_THAT(
      tests_of("TEST_CASE(\"a \\\"b\\\"\", \"[tag]\") {}\nSCENARIO(\"c\") {}\n"
               "TEST_CASE_METHOD(Fix, \"d\" \"e\") {}\nTEST_CASE_FIXTURE(Fix, \"f\") {}\n"
               "TEMPLATE_TEST_CASE(\"g\", \"\", int, long) {}\n"
               "TEST_CASE(\"h\" * doctest::timeout(2)) {}\nTEST_CASE_TEMPLATE(\"i\", T, int) {}\n"
               "CATCH_TEST_CASE(\"j\") {}\nTEST_SUITE(\"s\") { TEST_CASE(R\"(k\"))\") {} }\n"),
      ElementsAre("|a \"b\"|", "|c|", "|de|Fix", "|f|Fix", "|g||template", "|h|", "|i||template",
                  "|j|", "|k\")|"));
}

TEST(LexTests, SuitesOfBoost) {
  EXPECT_THAT(tests_of("BOOST_AUTO_TEST_CASE(a) {}\nBOOST_AUTO_TEST_SUITE(s)\n"
                       "BOOST_FIXTURE_TEST_SUITE(t, Fix, * u::label(\"x\"))\n"
                       "BOOST_AUTO_TEST_CASE(b, * u::timeout(2)) {}\n"
                       "BOOST_FIXTURE_TEST_CASE(c, Other) {}\nBOOST_AUTO_TEST_SUITE_END()\n"
                       "BOOST_DATA_TEST_CASE(d, data::make({1, 2}), x) {}\n"
                       "BOOST_DATA_TEST_CASE_F(Fix, e, set) {}\nBOOST_AUTO_TEST_SUITE_END()\n"
                       "BOOST_AUTO_TEST_CASE_TEMPLATE(f, T, types) {}\n"),
              ElementsAre("|a|", "s/t|b|Fix", "s/t|c|Other", "s|d|", "s|e|Fix", "|f||template"));
}

TEST(LexTests, GroupsOfCppUTest) {
  EXPECT_THAT(tests_of("#include \"CppUTest/TestHarness.h\"\nTEST_GROUP(G) { int a; };\n"
                       "TEST(G, one) {}\nIGNORE_TEST(G, two) {}\n"),
              ElementsAre("G|one|G"));
}

TEST(LexTests, FixturesAreFoundByScope) {
  EXPECT_THAT(tests_of("namespace a {\nnamespace {\nclass F : public testing::Test {};\n"
                       "TEST_F(F, X) {}\nTEST_F(Elsewhere, Y) {}\n}\n}\n"
                       "namespace a::b { TEST_F(F, Z) {} }\n"),
              ElementsAre("F|X|a::F", "Elsewhere|Y|Elsewhere", "F|Z|a::F"));
}

TEST(LexClasses, ByQualifiedName) {
  const std::string content =
      "template <class T> class Pool;\nenum class E { a };\nnamespace n {\n"
      "class EXPORT A final : public B<int> { struct In { int x; } in; };\n"
      "struct alignas(8) C {};\nclass [[nodiscard]] D;\nstruct stat info;\n"
      "template <> struct S<int> { };\nvoid f(struct P p) { }\n}\nTEST_GROUP(G)\n{\n};\n";
  std::vector<std::string> names;
  for (const FixtureFact& found : lex_classes(kLexed, content)) {
    names.push_back(found.name);
    EXPECT_EQ(content[found.body.begin], '{');
    EXPECT_EQ(content[found.body.end - 1], '}');
  }
  EXPECT_THAT(names, ElementsAre("n::A", "n::A::In", "n::C", "n::S", "G"));
}

/// Statements of a body, "!" before those that check.
std::vector<std::string> statements_of(const std::string& body) {
  const std::string content = "TEST(A, B) {" + body + "}";
  const auto tests = lex_tests(kLexed, content);
  std::vector<std::string> texts;
  for (const StatementFact& statement : tests.at(0).statements) {
    texts.push_back((statement.assertion ? "!" : "") + text_of(content, statement.range));
  }
  return texts;
}

TEST(LexStatements, EndWithTheirSemicolon) {
  EXPECT_THAT(
      statements_of("int a = 1; // x;\n f(a, [] { return 1; }); ; EXPECT_EQ(a, 1) << \";\";"),
      ElementsAre("int a = 1;", "f(a, [] { return 1; });", ";", "!EXPECT_EQ(a, 1) << \";\";"));
  EXPECT_THAT(
      statements_of("struct S { int a; }; std::vector<int> v{1, 2}; auto f = [&](int x) { y; };"),
      ElementsAre("struct S { int a; };", "std::vector<int> v{1, 2};",
                  "auto f = [&](int x) { y; };"));
}

TEST(LexStatements, CompoundOnesAreOne) {
  EXPECT_THAT(statements_of("if (a) b; else if (c) { d; } else e; f;"),
              ElementsAre("if (a) b; else if (c) { d; } else e;", "f;"));
  EXPECT_THAT(
      statements_of("for (int i = 0; i < 3; ++i) { EXPECT_TRUE(i); } do x; while (y); { z; }"),
      ElementsAre("!for (int i = 0; i < 3; ++i) { EXPECT_TRUE(i); }", "do x; while (y);",
                  "{ z; }"));
  EXPECT_THAT(
      statements_of("try { a; } catch (int) { b; } catch (...) { c; } SECTION(\"s\") { d; } e;"),
      ElementsAre("try { a; } catch (int) { b; } catch (...) { c; }", "SECTION(\"s\") { d; }",
                  "e;"));
  EXPECT_THAT(statements_of("if constexpr (a) b; while (c) switch (d) { case 1: break; } e;"),
              ElementsAre("if constexpr (a) b;", "while (c) switch (d) { case 1: break; }", "e;"));
}

TEST(LexStatements, WhatDoesNotEndGoesToTheBrace) {
  EXPECT_THAT(statements_of("a; b"), ElementsAre("a;", "b"));
  EXPECT_THAT(statements_of("if"), ElementsAre("if"));
  EXPECT_THAT(statements_of("do"), ElementsAre("do"));
  EXPECT_THAT(statements_of("try catch else"), ElementsAre("try catch else"));
  EXPECT_THAT(statements_of("if (a)"), ElementsAre("if (a)"));
  EXPECT_THAT(statements_of(""), IsEmpty());
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "if (a) ";
  EXPECT_EQ(statements_of(deep + "b;").size(), 1u);
}

}  // namespace
}  // namespace gordian
