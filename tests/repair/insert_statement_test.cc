// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include "repair/placing.h"

namespace gordian {
namespace {

constexpr char kFile[] = "/p/a_test.cc";

std::string with(const std::string& content, const std::optional<Edit>& edit) {
  if (!edit) return "(no edit)";
  EXPECT_EQ(edit->file, kFile);
  return std::string(content).replace(edit->offset, edit->length, edit->text);
}

/// From the first { to the last }.
TextRange braces(const std::string& content) {
  return {kFile, content.find('{'), content.rfind('}') + 1, 0};
}

std::string first(const std::string& content, const std::string& text = "G g;") {
  return with(content, insert_first(content, braces(content), text));
}
std::string member(const std::string& content) {
  return with(content, insert_member(content, braces(content), "G g{x};"));
}

TEST(InsertFirst, AsTheOtherLinesAreIndented) {
  EXPECT_EQ(first("T(a) {\n  b;\n}\n"), "T(a) {\n  G g;\n  b;\n}\n");
  EXPECT_EQ(first("T(a)\n{\n    b;\n}\n"), "T(a)\n{\n    G g;\n    b;\n}\n");
  EXPECT_EQ(first("T(a) {\n\tb;\n}\n"), "T(a) {\n\tG g;\n\tb;\n}\n");
  EXPECT_EQ(first("\tT(a) {\n\t        b;\n\t}\n"),
            "\tT(a) {\n\t        G g;\n\t        b;\n\t}\n");
  EXPECT_EQ(first("T (a)\n  {\n    b;\n  }\n"), "T (a)\n  {\n    G g;\n    b;\n  }\n");
}

TEST(InsertFirst, SeveralLines) {
  EXPECT_EQ(first("T(a) {\n  b;\n}", "one;\n\n  two;"), "T(a) {\n  one;\n\n    two;\n  b;\n}");
}

TEST(InsertFirst, ReturnsAreKept) {
  EXPECT_EQ(first("T(a) {\r\n  b;\r\n}\r\n", "x;\ny;"), "T(a) {\r\n  x;\r\n  y;\r\n  b;\r\n}\r\n");
  EXPECT_EQ(first("T(a) {}\r\n"), "T(a) {\r\n  G g;\r\n}\r\n");
}

TEST(InsertFirst, AboveACommentThatBelongsToTheNextLine) {
  EXPECT_EQ(first("T(a) {\n  // why\n  b;\n}"), "T(a) {\n  G g;\n  // why\n  b;\n}");
  EXPECT_EQ(first("T(a) {\n  // nothing yet\n}"), "T(a) {\n  G g;\n  // nothing yet\n}");
}

TEST(InsertFirst, BelowACommentBehindTheBrace) {
  EXPECT_EQ(first("T(a) {  // why {\n  b;\n}"), "T(a) {  // why {\n  G g;\n  b;\n}");
  EXPECT_EQ(first("T(a) { /* why */\n  b;\n}"), "T(a) { /* why */\n  G g;\n  b;\n}");
}

TEST(InsertFirst, EmptyBodiesAndThoseOnOneLineAreOpened) {
  EXPECT_EQ(first("T(a) {}"), "T(a) {\n  G g;\n}");
  EXPECT_EQ(first("T(a) { }"), "T(a) {\n  G g;\n}");
  EXPECT_EQ(first("T(a) { b; c; }"), "T(a) {\n  G g;\n  b; c;\n}");
  EXPECT_EQ(first("T(a) {\n}\n"), "T(a) {\n  G g;\n}\n");
}

TEST(InsertFirst, EmptyBodiesTakeTheIndentationOfTheFile) {
  const std::string content = "void f()\n{\n\tg();\n}\nT(a) {}\n";
  const TextRange body = {kFile, content.find("{}"), content.find("{}") + 2, 5};
  EXPECT_EQ(with(content, insert_first(content, body, "G g;")),
            "void f()\n{\n\tg();\n}\nT(a) {\n\tG g;\n}\n");
}

TEST(InsertFirst, CodeBehindTheBraceGetsALine) {
  EXPECT_EQ(first("T(a) { b;\n  c;\n}"), "T(a) {\n  G g;\n  b;\n  c;\n}");
}

TEST(InsertFirst, BeforeAPreprocessorLine) {
  EXPECT_EQ(first("T(a) {\n#ifdef X\n  b;\n#endif\n}"),
            "T(a) {\n  G g;\n#ifdef X\n  b;\n#endif\n}");
}

TEST(InsertFirst, OnlyIntoBraces) {
  const std::string content = "f(\"{\"); /* { } */ {}";
  EXPECT_EQ(insert_first(content, {kFile, 3, content.size(), 1}, "x;"), std::nullopt);
  EXPECT_EQ(insert_first(content, {kFile, 11, 14, 1}, "x;"), std::nullopt);
  EXPECT_EQ(insert_first(content, {kFile, 0, 500, 1}, "x;"), std::nullopt);
  EXPECT_EQ(insert_first("{ {} }", {kFile, 0, 4, 1}, "x;"), std::nullopt);
}

TEST(InsertMember, BehindTheFirstAccessLabel) {
  EXPECT_EQ(member("class F : public Test {\n protected:\n  int a;\n};\n"),
            "class F : public Test {\n protected:\n  G g{x};\n  int a;\n};\n");
  EXPECT_EQ(member("struct F : Test\n{\n\tint a;\n};\n"),
            "struct F : Test\n{\n\tG g{x};\n\tint a;\n};\n");
  EXPECT_EQ(member("class F {\n public:  // all\n  F();\n};\n"),
            "class F {\n public:  // all\n  G g{x};\n  F();\n};\n");
  EXPECT_EQ(member("class F {\n private:\n  int a;\n protected:\n  int b;\n};\n"),
            "class F {\n private:\n  G g{x};\n  int a;\n protected:\n  int b;\n};\n");
}

TEST(InsertMember, IntoClassesWithoutMembers) {
  EXPECT_EQ(member("struct F : Test {};\n"), "struct F : Test {\n  G g{x};\n};\n");
  EXPECT_EQ(member("class F : public Test { protected: int a; };\n"),
            "class F : public Test { protected:\n  G g{x};\n  int a; };\n");
}

}  // namespace
}  // namespace gordian
