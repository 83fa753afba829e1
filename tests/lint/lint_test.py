#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What the rules of the house refuse: tools/rooms and tools/lint in small trees made for it.

    lint_test.py SOURCE    the checkout whose tools are tried"""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
TABLE = """# A comment.
[ground]
base: : text and files
[above]
model: base: tests
cli: base model/test.h: options
"""
PAGE = "# How it works\n<!-- rooms: made by tools/rooms draw -->\n<!-- rooms: end -->\nThe end.\n"
GOOD = {"src/base/text.h": "#pragma once\nnamespace gordian {\nstruct Text {\n};\n}\n",
        "src/model/test.h": '#include "base/text.h"\n',
        "src/cli/main.cc": '#include "base/text.h"\n#include "model/test.h"\n#include <vector>\n',
        "src/rooms.txt": TABLE, "docs/how-it-works.md": PAGE}


class Tree(unittest.TestCase):
    """A checkout in which all is well until a test changes it."""

    def setUp(self):
        self.top = Path(tempfile.mkdtemp(prefix="gordian_lint_")).resolve()
        self.addCleanup(shutil.rmtree, self.top, ignore_errors=True)
        (self.top / "tools").mkdir()
        for tool in ("rooms", "lint"):
            shutil.copy2(SOURCE / "tools" / tool, self.top / "tools")
        for name, text in GOOD.items():
            self.put(name, text)
        subprocess.run(["git", "init", "-q", "."], cwd=self.top, check=True)
        self.assertEqual(self.run_tool("rooms", "draw").returncode, 0)

    def put(self, name, text):
        path = self.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_tool(self, tool, *words):
        subprocess.run(["git", "add", "-A"], cwd=self.top, check=False, capture_output=True)
        return subprocess.run([self.top / "tools" / tool, *words], cwd=self.top, text=True,
                              capture_output=True, check=False)

    def refused(self, tool, word, *said):
        ran = self.run_tool(tool, word)
        self.assertEqual(ran.returncode, 1, ran)
        for words in said:
            self.assertIn(words, ran.stderr)


class Rooms(Tree):
    def test_what_follows_the_table_passes(self):
        ran = self.run_tool("rooms", "check")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def test_an_include_against_the_arrows(self):
        self.put("src/base/upwards.cc", '#include "model/test.h"\n')
        self.refused("rooms", "check", "src/base/upwards.cc:1: base/ may not include model/test.h")

    def test_a_file_of_a_room_of_which_another_one_is_allowed(self):
        self.put("src/model/order.h", "#pragma once\n")
        self.put("src/cli/other.cc", '#include "model/order.h"\n')
        self.refused("rooms", "check", "src/cli/other.cc:1: cli/ may not include model/order.h")

    def test_an_arrow_that_nobody_uses(self):
        self.put("src/model/test.h", "#pragma once\n")
        self.refused("rooms", "check", "model/ is allowed base and does not use it")

    def test_a_folder_that_the_table_does_not_know(self):
        self.put("src/attic/box.cc", "int box;\n")
        self.refused("rooms", "check", "src/attic/box.cc: its folder is not in src/rooms.txt")

    def test_a_drawing_that_is_out_of_date(self):
        self.put("src/rooms.txt", TABLE.replace("text and files", "text"))
        self.refused("rooms", "check", "the drawing is out of date")
        self.assertEqual(self.run_tool("rooms", "draw").returncode, 0)
        self.assertEqual(self.run_tool("rooms", "check").returncode, 0)
        self.assertTrue((self.top / "docs/how-it-works.md").read_text().endswith("The end.\n"))

    def test_a_table_that_is_broken(self):
        for line in ("model: base: twice\n", "no colons\n", "empty: base:\n"):
            with self.subTest(line=line):
                self.put("src/rooms.txt", TABLE + line)
                ran = self.run_tool("rooms", "check")
                self.assertNotEqual(ran.returncode, 0)
                self.assertIn("rooms.txt:7", ran.stderr)


class Types(Tree):
    def test_one_name_is_one_type(self):
        self.assertEqual(self.run_tool("lint", "types").returncode, 0)
        self.put("src/model/text.h", GOOD["src/base/text.h"])
        self.refused("lint", "types", "gordian::Text is defined in src/base/text.h, too")


class Words(Tree):
    def test_a_check_that_there_is_not(self):
        self.assertEqual(self.run_tool("lint", "everything").returncode, 2)
        self.assertEqual(self.run_tool("rooms", "paint").returncode, 2)

    def test_a_promise_without_a_test(self):
        self.put("docs/security.md", "Held by `e2e.hostile`.\n")
        self.refused("lint", "promises", "there is no test e2e.hostile")
        self.put("tests/e2e/hostile.py", "")
        self.assertEqual(self.run_tool("lint", "promises").returncode, 0)

    def test_a_missing_tool_is_not_all_well(self):
        (self.top / "bin").mkdir()
        for tool in ("bash", "git", "dirname", "env"):
            (self.top / "bin" / tool).symlink_to(shutil.which(tool))
        ran = subprocess.run([self.top / "tools/lint", "spelling"], cwd=self.top, text=True,
                             env={"PATH": str(self.top / "bin")}, capture_output=True, check=False)
        self.assertEqual(ran.returncode, 77, ran)
        self.assertIn("codespell is not installed", ran.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
