#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Explanations on binaries that are not built like ours: GoogleTest's own tests (real.py), which
stand in namespace `testing` and have line tables only, and a program compiled by relative paths."""
import os
import shutil
import subprocess
import unittest

import gordian
import real

SOURCE = """#include <gtest/gtest.h>

#include "counter.h"

int g_count = 0;

TEST(Counter, BeginsAtZero) {
  EXPECT_EQ(g_count, 0);
}

TEST(Counter, Counts) {
  EXPECT_EQ(next(), 1);
}
"""
HEADER = """#pragma once

extern int g_count;

inline int next() {
  return ++g_count;
}
"""


class Explained(gordian.Case):
    def explained(self, binary, witness):
        """The only explanation of what two tests do to each other."""
        self.gordian("detect", binary, "--filter", ":".join(witness), "--json", "-")
        ran = self.gordian("explain", "--json", "-", "--again")
        found = [e for e in ran.json()["explanations"] if e["witness"] == witness]
        self.assertEqual(len(found), 1, ran)
        self.assertTrue(found[0]["proved"], ran)
        self.assertEqual(len(found[0]["carriers"]), 1, ran)
        return found[0]["carriers"][0]

    def assert_site(self, site, file, function):
        self.assertIsNotNone(site)
        self.assertTrue(site["file"].endswith(file), site)
        self.assertIn(function, site["function"])


@unittest.skipUnless(real.SOURCES.is_dir(), real.MISSING)
class RealSuites(Explained):
    @classmethod
    def setUpClass(cls):
        cls.binaries = real.build_all(["actions_test", "spec_builders_test"])

    def test_a_static_member_has_its_class_and_the_lines_are_those_of_the_tests(self):
        carrier = self.explained(self.binaries["actions_test"],
                                 ["MockMethodTest.CanReturnMoveOnlyValue_Invoke",
                                  "DefaultValueTest.GetWorksForMoveOnlyIfSet"])
        self.assertEqual(carrier["name"],
                         "testing::DefaultValue<std::unique_ptr<int>>::producer_")
        self.assert_site(carrier["write"], "gmock-actions_test.cc",
                         "MockMethodTest_CanReturnMoveOnlyValue_Invoke_Test::TestBody()")
        self.assert_site(carrier["read"], "gmock-actions_test.cc",
                         "DefaultValueTest_GetWorksForMoveOnlyIfSet_Test::TestBody()")

    def test_a_flag_is_a_string_although_nothing_says_so(self):
        carrier = self.explained(
            self.binaries["spec_builders_test"],
            ["FunctionCallMessageTest."
             "UninterestingCallOnNaggyMockGeneratesFyiWithStackTraceWhenVerboseInfo",
             "ExpectCallSyntaxTest.DoesNotWarnOnAdequateActionCount"])
        self.assertEqual((carrier["kind"], carrier["name"]), ("flag", "gmock_verbose"))
        self.assertEqual((carrier["old"], carrier["new"]), ('"warning"', '"info"'))
        self.assertIn("by its shape", carrier["type"])
        self.assert_site(carrier["write"], "gmock-spec-builders_test.cc", "TestBody()")


class RelativePaths(Explained):
    def compiled(self, compiler, *options):
        (self.dir / "src").mkdir()
        (self.dir / "out").mkdir()
        (self.dir / "src" / "counter_test.cc").write_text(SOURCE)
        (self.dir / "src" / "counter.h").write_text(HEADER)
        past = (self.dir / "src").stat().st_mtime - 3600
        for file in (self.dir / "src").iterdir():
            os.utime(file, (past, past))
        subprocess.run([compiler, "-g", "-O0", "-pthread", *options, "src/counter_test.cc", "-o",
                        "out/counter_test", "-lgtest", "-lgtest_main"], cwd=self.dir, check=True)
        return self.dir / "out" / "counter_test"

    def check(self, binary):
        self.gordian("detect", binary, "--json", "-")
        out = self.gordian("explain", "D1").out
        self.assertIn("g_count  (int, ", out)
        self.assertIn("> 6 |   return ++g_count;", out)
        self.assertIn(">  8 |   EXPECT_EQ(g_count, 0);", out)

    def test_joined_with_where_the_compiler_ran(self):
        self.check(self.compiled(os.environ.get("CXX", "c++")))

    def test_found_above_the_binary_when_that_is_mapped_away(self):
        self.check(self.compiled(os.environ.get("CXX", "c++"), f"-ffile-prefix-map={self.dir}=."))

    @unittest.skipUnless(shutil.which("clang++"), "clang++ is not installed")
    def test_clang_which_says_nothing_about_the_addresses_of_its_units(self):
        self.check(self.compiled("clang++"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
