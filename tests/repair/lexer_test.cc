// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace gordian {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> of_kind(const std::string& text, TokenKind kind) {
  std::vector<std::string> found;
  for (const Token& token : lex(text)) {
    if (token.kind == kind) found.emplace_back(token.in(text));
  }
  return found;
}

std::vector<std::string> code_of(const std::string& text) {
  const Code code(text);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < code.size(); ++i) words.emplace_back(code.text(i));
  return words;
}

TEST(Lexer, CommentsHideWhatIsInThem) {
  EXPECT_THAT(code_of("a // { \"\nb /* ' \n } */ c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(of_kind("x; // one \\\n still one\ny;", TokenKind::comment),
              ElementsAre("// one \\\n still one"));
  EXPECT_THAT(of_kind("x; // one\r\ny;", TokenKind::comment), ElementsAre("// one"));
}

TEST(Lexer, StringsKeepTheirPrefixAndEscapes) {
  EXPECT_THAT(of_kind(R"x(f("a\"b", u8"c", L"d", U"", "//no", ""))x", TokenKind::string),
              ElementsAre(R"("a\"b")", "u8\"c\"", "L\"d\"", "U\"\"", "\"//no\"", "\"\""));
  EXPECT_THAT(of_kind("\"one \\\n string\" x", TokenKind::string),
              ElementsAre("\"one \\\n string\""));
}

TEST(Lexer, RawStringsEndAtTheirDelimiter) {
  EXPECT_THAT(of_kind("R\"x( )\" \n\\ )y\" )x\" + LR\"({)\"", TokenKind::string),
              ElementsAre("R\"x( )\" \n\\ )y\" )x\"", "LR\"({)\""));
  EXPECT_THAT(of_kind("R\"way too long a delimiter(\n\"", TokenKind::string),
              ElementsAre("R\"way too long a delimiter(", "\""));
}

TEST(Lexer, QuoteInANumberSeparatesDigits) {
  EXPECT_THAT(code_of("1'000'000 + 0xAB'CD 1e+5 .5f 'a' '\\'' L'x'"),
              ElementsAre("1'000'000", "+", "0xAB'CD", "1e+5", ".5f", "'a'", "'\\''", "L'x'"));
}

TEST(Lexer, AStringThatDoesNotEndCostsItsLine) {
  EXPECT_THAT(code_of("\"open\nnext"), ElementsAre("\"open", "next"));
  EXPECT_THAT(code_of("'"), ElementsAre("'"));
  EXPECT_THAT(code_of("\"\\"), ElementsAre("\"\\"));
  EXPECT_THAT(code_of("R\"(never\nclosed"), ElementsAre("R\"(never\nclosed"));
  EXPECT_THAT(code_of("a /* never"), ElementsAre("a"));
}

TEST(Lexer, DirectivesAreLines) {
  const std::string text =
      "#define A(x) \\\n  { x\n  # include <a> // why\n#error don't\nint b; #x\n";
  EXPECT_THAT(of_kind(text, TokenKind::directive),
              ElementsAre("#define A(x) \\\n  { x", "# include <a>", "#error don't"));
  EXPECT_THAT(of_kind(text, TokenKind::comment), ElementsAre("// why"));
  EXPECT_THAT(of_kind("#define A /* two\n lines */ b\nc", TokenKind::directive),
              ElementsAre("#define A /* two\n lines */ b"));
  EXPECT_THAT(of_kind("#define A R\"(x\ny)\" z\nc", TokenKind::directive),
              ElementsAre("#define A R\"(x\ny)\" z"));
}

TEST(Lexer, WordAndRestOfADirective) {
  EXPECT_EQ(directive_word("#  include <a>"), "include");
  EXPECT_EQ(directive_rest("#  include <a>"), "<a>");
  EXPECT_EQ(directive_rest("#if 0 /* off */"), "0");
  EXPECT_EQ(directive_word("#"), "");
  EXPECT_EQ(directive_rest("#"), "");
}

TEST(Lexer, LinesAreCounted) {
  const std::string text = "a\n/*\n\n*/ b\r\n\"x\\\ny\" c\n#define Z \\\n 1\nd";
  std::vector<int> lines;
  for (const Token& token : lex(text)) lines.push_back(token.line);
  EXPECT_THAT(lines, ElementsAre(1, 2, 4, 5, 6, 7, 9));
}

TEST(Lexer, WhatIsSwitchedOffIsDead) {
  EXPECT_THAT(code_of("a\n#if 0\nb {\n#if X\nc\n#else\nd\n#endif\n#else\ne\n#endif\nf"),
              ElementsAre("a", "e", "f"));
  EXPECT_THAT(code_of("#if 1\na\n#elif X\nb\n#else\nc\n#endif\nd"), ElementsAre("a", "d"));
  EXPECT_THAT(code_of("#if false\na\n#elif X\nb\n#endif"), ElementsAre("b"));
  EXPECT_THAT(code_of("#ifdef X\na\n#else\nb\n#endif"), ElementsAre("a", "b"));
  EXPECT_THAT(code_of("#endif\n#else\na"), ElementsAre("a"));
}

TEST(Code, BracketsFindTheirPartners) {
  const Code code("f(a[1], \")\") { { } }");
  const auto partner_at = [&](std::size_t offset) {
    const std::size_t found = code.partner(code.at_or_after(offset));
    return found == Code::kNone ? std::size_t{0} : code[found].begin;
  };
  EXPECT_EQ(partner_at(1), 11u);
  EXPECT_EQ(partner_at(3), 5u);
  EXPECT_EQ(partner_at(13), 19u);
  EXPECT_EQ(partner_at(15), 17u);
}

TEST(Code, ABranchEachWithItsOwnBrace) {
  const std::string text = "#ifdef A\nf() {\n#else\ng() {\n#endif\n}\nh() {}";
  const Code code(text);
  EXPECT_EQ(code.partner(code.at_or_after(text.find("{"))), Code::kNone);
  const std::size_t second = code.at_or_after(text.find("g() {") + 4);
  EXPECT_EQ(code[code.partner(second)].begin, text.find("}"));
}

TEST(Code, StrayBracketsHaveNoPartner) {
  const Code code(") } ( { ]");
  for (std::size_t i = 0; i < code.size(); ++i) EXPECT_EQ(code.partner(i), Code::kNone) << i;
}

TEST(Code, AMegabyteOfAnything) {
  for (const char* piece :
       {"{", "}", "(}", "R\"", "#if 0\n", "/*", "'", "\\\n", "\"\\", "#else\n}"}) {
    std::string text;
    while (text.size() < (1u << 20)) text += piece;
    EXPECT_LE(Code(text).size(), text.size());
  }
  EXPECT_THAT(code_of(std::string("a\0b", 3)), ElementsAre("a", "b"));
}

TEST(Code, AByteOrderMarkIsNoWord) {
  EXPECT_THAT(of_kind("\xef\xbb\xbf#include <a>\n", TokenKind::directive),
              ElementsAre("#include <a>"));
}

}  // namespace
}  // namespace gordian
