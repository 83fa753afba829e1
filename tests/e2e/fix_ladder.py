#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Each rung of the ladder of `gordian fix`, on the programs in ladder/: its patch is verified, goes
in with git, builds without a warning, leaves nothing dependent, and is what docs/fix.md shows.

With GORDIAN_APPROVE=1 in the environment the examples of docs/fix.md are written anew.
"""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import gordian
from fix_project import FOUND, OK, Project, git, tree

DOCUMENT = gordian.SOURCE / "docs" / "fix.md"
OPTIONS = {"accessor": ["--allow-product-code"], "declare": ["--accept-partly"]}
GUARDS = "gordian_guards.h"  # its text is the same in all patches, and tested by itself


def example(rung, diff):
    """What the document shows of a patch: without the header that guards come from."""
    parts = re.split(r"(?m)^(?=diff --git )", diff)
    shown = "".join(part for part in parts if GUARDS not in part.split("\n", 1)[0])
    return f"<!-- {rung} -->\n```diff\n{shown}```\n"


def documented(rung):
    found = re.search(rf"<!-- {rung} -->\n```diff\n.*?^```\n", DOCUMENT.read_text(),
                      re.DOTALL | re.MULTILINE)
    return found.group(0) if found else ""


class Ladder(Project):
    """One copy of the project for all rungs: each has a program of its own."""

    @classmethod
    def setUpClass(cls):
        scratch = Path(tempfile.mkdtemp(prefix="gordian_e2e_")).resolve()
        cls.addClassCleanup(shutil.rmtree, scratch, ignore_errors=True)
        cls.built = scratch / "ladder"
        shutil.copytree(gordian.SOURCE / "tests" / "e2e" / "ladder", cls.built)
        for command in (["cmake", "-S", ".", "-B", "build"], ["cmake", "--build", "build", "-j2"]):
            subprocess.run(command, cwd=cls.built, check=True, capture_output=True)

    def setUp(self):
        super().setUp()
        self.project.rmdir()
        self.project = self.built

    def rung(self, name, code=OK, role="victim"):
        self.binary = self.project / "build" / f"{name}_test"
        if not self.binary.exists():
            self.skipTest(f"{self.binary.name} could not be built here")
        found = self.detect()
        self.assertEqual({d["role"] for d in found.values()}, {role})
        self.before = tree(self.project)
        fix = self.fix_json("--strategy", name.replace("_", "-"), *OPTIONS.get(name, []),
                            code=code)
        self.check_untouched()
        attempt = self.accepted(fix)
        self.assertEqual(attempt["patch"]["strategy"], name.replace("_", "-"))
        self.check_documented(name, fix["diff"])
        return fix, attempt

    def check_documented(self, name, diff):
        shown = example(name, diff)
        if os.environ.get("GORDIAN_APPROVE"):
            text = DOCUMENT.read_text()
            self.assertIn(f"<!-- {name} -->", text)
            old = documented(name) or f"<!-- {name} -->\n"
            DOCUMENT.write_text(text.replace(old, shown))
        self.assertEqual(documented(name), shown)

    def check_repaired(self, name, role="victim"):
        fix, attempt = self.rung(name, role=role)
        self.assertEqual(attempt["verdict"], "verified")
        # Configured once, too: what one rung changes there is taken back after it.
        copy = self.built.with_name("patched")
        if not copy.exists():
            shutil.copytree(self.project, copy, ignore=shutil.ignore_patterns("build"))
        self.project, self.binary = copy, copy / "build" / self.binary.name
        self.target = self.binary.name
        self.addCleanup(git, copy, "apply", "--reverse", self.dir / "the.patch")
        self.check_applies(fix["diff"])

    def build(self, *arguments):
        """Only the program in question."""
        printed = ""
        for command in (["cmake", "-S", ".", "-B", "build", *arguments],
                        ["cmake", "--build", "build", "--target", self.target]):
            ran = subprocess.run(command, cwd=self.project, capture_output=True, text=True,
                                 check=True)
            printed += ran.stdout + ran.stderr
        return printed

    def test_own_reset(self):
        self.check_repaired("own_reset")

    def test_restore(self):
        self.check_repaired("restore")

    def test_process(self):
        self.check_repaired("process")

    def test_property(self):
        self.check_repaired("property")

    def test_fresh(self):
        self.check_repaired("fresh")

    def test_members(self):
        self.check_repaired("members")

    def test_copy_setter(self):
        self.check_repaired("copy_setter", role="brittle")

    def test_cleaner(self):
        self.check_repaired("cleaner")

    def test_paper(self):
        self.check_repaired("paper")

    def test_listener(self):
        self.check_repaired("listener")

    def test_accessor(self):
        self.check_repaired("accessor")

    def test_declare(self):
        _, attempt = self.rung("declare", code=FOUND, role="brittle")
        self.assertEqual(attempt["verdict"], "partly")
        self.assertIn("declared, not repaired", attempt["why"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
