# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Ways to store and to load: which are seen in traced builds, with which compiler. What is missed is
written down here and in docs/collectors.md, and nothing else may be missed."""
import re
import unittest

from traced import COMPILERS, FIXTURES, built, flow

SOURCE = FIXTURES / "patterns.cc"
PATTERNS = re.findall(r"^PATTERN\(\s*(\w+),", SOURCE.read_text(), re.M)
MISSED = {"g++": {"assembly"}, "clang++": {"assembly", "extended"}}


@unittest.skipUnless(COMPILERS, "neither g++ nor clang++ is installed")
class Patterns(unittest.TestCase):
    maxDiff = None

    def check(self, compiler, optimise):
        found = flow("in_order", built(compiler, SOURCE, optimise))["dep"]
        pairs = {name: f"Pattern.{name}Load <- Pattern.{name}Store" for name in PATTERNS}
        missed = {name for name, pair in pairs.items() if pair not in found}
        self.assertEqual(missed, MISSED[compiler])
        self.assertEqual(set(found) - set(pairs.values()), set(), "false dependences")
        for name, pair in pairs.items():
            if pair in found:
                self.assertRegex(found[pair], rf"\b{name}::v\b")

    def test_patterns(self):
        for compiler in COMPILERS:
            for optimise in ("-O0", "-O2"):
                with self.subTest(compiler=compiler, optimise=optimise):
                    self.check(compiler, optimise)


if __name__ == "__main__":
    unittest.main(verbosity=2)
