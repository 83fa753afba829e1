// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gtest/gtest.h>

#include "repair/placing.h"

namespace gordian {
namespace {

constexpr char kGuards[] = "\"guards.h\"";

std::string including(const std::string& content, const std::string& include = kGuards,
                      const std::string& file = "/p/config_test.cc") {
  const auto edit = insert_include(file, content, include);
  if (!edit) return "(no edit)";
  EXPECT_EQ(edit->file, file);
  return std::string(content).replace(edit->offset, edit->length, edit->text);
}

TEST(InsertInclude, TheHeaderOfTheCLibraryIsTheSame) {
  EXPECT_EQ(including("#include <signal.h>\n", "<csignal>"), "(no edit)");
  EXPECT_EQ(including("#include <csignal>\n", "<signal.h>"), "(no edit)");
}

TEST(InsertInclude, SortedAmongItsKind) {
  EXPECT_EQ(including("#include \"a.h\"\n#include \"z.h\"\n\nint x;\n"),
            "#include \"a.h\"\n#include \"guards.h\"\n#include \"z.h\"\n\nint x;\n");
  EXPECT_EQ(including("#include <map>\n#include <vector>\n\n#include \"b.h\"\n", "<set>"),
            "#include <map>\n#include <set>\n#include <vector>\n\n#include \"b.h\"\n");
  EXPECT_EQ(including("#include \"A.h\"\n#include \"b.h\"\n#include \"Z.h\"\n"),
            "#include \"A.h\"\n#include \"b.h\"\n#include \"guards.h\"\n#include \"Z.h\"\n");
}

TEST(InsertInclude, BehindTheLastWhereNothingIsSorted) {
  EXPECT_EQ(
      including("#include \"z.h\"  // first\n#include \"a.h\"  // why\nint x;\n"),
      "#include \"z.h\"  // first\n#include \"a.h\"  // why\n#include \"guards.h\"\nint x;\n");
}

TEST(InsertInclude, TheOwnHeaderStaysFirst) {
  EXPECT_EQ(
      including("#include \"p/config.h\"\n\n#include <map>\n\n#include \"zebra.h\"\n"),
      "#include \"p/config.h\"\n\n#include <map>\n\n#include \"guards.h\"\n#include \"zebra.h\"\n");
  EXPECT_EQ(including("#include \"p/config.h\"\n#include \"zebra.h\"\n", "\"a.h\""),
            "#include \"p/config.h\"\n#include \"a.h\"\n#include \"zebra.h\"\n");
  EXPECT_EQ(including("#include \"config.h\"\n\nint x;\n", "<map>"),
            "#include \"config.h\"\n\n#include <map>\n\nint x;\n");
}

TEST(InsertInclude, KindsOfAnglesHaveTheirGroups) {
  const std::string content =
      "#include <fcntl.h>\n\n#include <string>\n\n#include <gtest/gtest.h>\n";
  EXPECT_EQ(
      including(content, "<unistd.h>"),
      "#include <fcntl.h>\n#include <unistd.h>\n\n#include <string>\n\n#include <gtest/gtest.h>\n");
  EXPECT_EQ(
      including(content, "<map>"),
      "#include <fcntl.h>\n\n#include <map>\n#include <string>\n\n#include <gtest/gtest.h>\n");
  EXPECT_EQ(including("#include <gtest/gtest.h>\n", "#include <map>"),
            "#include <gtest/gtest.h>\n#include <map>\n");
}

TEST(InsertInclude, AKindThatIsNotThereGetsAGroup) {
  EXPECT_EQ(including("#include <gtest/gtest.h>\n\nint x;\n"),
            "#include <gtest/gtest.h>\n\n#include \"guards.h\"\n\nint x;\n");
  EXPECT_EQ(including("// c\n#include \"other.h\"\n", "<map>"),
            "// c\n#include <map>\n\n#include \"other.h\"\n");
}

TEST(InsertInclude, NotTwice) {
  EXPECT_EQ(including("#include \"guards.h\"\n"), "(no edit)");
  EXPECT_EQ(including("#  include <guards.h> // x\n"), "(no edit)");
  EXPECT_EQ(including("// #include \"guards.h\"\n#include \"a.h\"\n"),
            "// #include \"guards.h\"\n#include \"a.h\"\n#include \"guards.h\"\n");
  EXPECT_EQ(including("#include \"a.h\"\n", "nonsense"), "(no edit)");
}

TEST(InsertInclude, InsideOfTheIncludeGuard) {
  EXPECT_EQ(including("/* licence */\n#ifndef A_H\n#define A_H\n\nint x;\n#endif\n"),
            "/* licence */\n#ifndef A_H\n#define A_H\n\n#include \"guards.h\"\n\nint x;\n#endif\n");
  EXPECT_EQ(including("#if !defined(A_H)\n#define A_H\n#include \"a.h\"\n#endif\n"),
            "#if !defined(A_H)\n#define A_H\n#include \"a.h\"\n#include \"guards.h\"\n#endif\n");
  EXPECT_EQ(including("#pragma once\n\nint x;\n"),
            "#pragma once\n\n#include \"guards.h\"\n\nint x;\n");
}

TEST(InsertInclude, NotInsideOfAnyOtherIf) {
  EXPECT_EQ(
      including("#include \"a.h\"\n#ifdef X\n#include \"b.h\"\n#include \"guards.h\"\n#endif\n"
                "int x;\n"),
      "#include \"a.h\"\n#include \"guards.h\"\n#ifdef X\n#include \"b.h\"\n"
      "#include \"guards.h\"\n#endif\nint x;\n");
  EXPECT_EQ(including("// c\n\n#ifdef X\n#include \"b.h\"\n#endif\nint x;\n"),
            "// c\n\n#include \"guards.h\"\n\n#ifdef X\n#include \"b.h\"\n#endif\nint x;\n");
}

TEST(InsertInclude, BelowTheOpeningComment) {
  EXPECT_EQ(including("// one\n// two\n\n// of f\nint f();\n"),
            "// one\n// two\n\n#include \"guards.h\"\n\n// of f\nint f();\n");
  EXPECT_EQ(including("int f();\n"), "#include \"guards.h\"\n\nint f();\n");
  EXPECT_EQ(including(""), "#include \"guards.h\"\n\n");
  EXPECT_EQ(including("// only"), "// only\n\n#include \"guards.h\"\n");
}

TEST(InsertInclude, OnlyTheTopOfTheFileCounts) {
  EXPECT_EQ(including("#include \"a.h\"\nint x;\n#include \"table.inc\"\n"),
            "#include \"a.h\"\n#include \"guards.h\"\nint x;\n#include \"table.inc\"\n");
}

TEST(InsertInclude, AsTheFileWritesIt) {
  EXPECT_EQ(including("# include \"a.h\"\r\nint x;\r\n"),
            "# include \"a.h\"\r\n# include \"guards.h\"\r\nint x;\r\n");
  EXPECT_EQ(including("#include \"a.h\""), "#include \"a.h\"\n#include \"guards.h\"\n");
}

}  // namespace
}  // namespace gordian
