#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What the commands show that make something of a search, as golden files: patches, shards, exports,
orders; and what is written for programs. Two suites for all of them, each built and searched once."""
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import golden
import gordian

SEARCH = ("--algorithm", "exhaustive", "--isolate", "fork", "--seed", "1")
# Keys whose numbers differ from run to run, or from machine to machine.
MEASURED = re.compile(r"(^|_)(ns|us|ms|seconds)$|^(size|build_command|command)$")


class Shared(golden.GoldenCase):
    """One directory for all tests of a class: they only look at what was found."""

    @classmethod
    def setUpClass(cls):
        cls.place = Path(tempfile.mkdtemp(prefix="gordian_golden_")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        cls.prepare()

    def setUp(self):
        self.dir = self.place

    @classmethod
    def do(cls, *words):
        subprocess.run([str(word) for word in words], cwd=cls.place, check=True, capture_output=True)

    @classmethod
    def must(cls, code, *words):
        ran = gordian.gordian(*words, cwd=cls.place, patience=600)
        assert ran.code == code, ran

    def assert_golden_json(self, name, *words):
        """What is measured is left out; everything else is as documented, to the letter."""
        ran = self.gordian(*words)
        self.assertIn(ran.code, (0, 1), ran)
        text = json.dumps(without_measures(ran.json()), indent=1, ensure_ascii=False)
        self.assert_golden(f"{name}.json", text + "\n")


def without_measures(node):
    """Of stacks, the frames of the project: the others are the framework's, as it was installed."""
    if isinstance(node, list):
        own = [one for one in node if not is_foreign_frame(one)]
        return [without_measures(one) for one in own]
    if not isinstance(node, dict):
        return node
    return {key: "MEASURED" if MEASURED.search(key) and isinstance(value, (int, float, str))
            else without_measures(value) for key, value in node.items()}


def is_foreign_frame(node):
    is_frame = isinstance(node, dict) and "address" in node and "function" in node
    return is_frame and "settings" not in (node.get("file") or "")


class Project(Shared):
    """The project of the README: a victim and its polluter, searched and repaired."""

    @classmethod
    def prepare(cls):
        shutil.copytree(gordian.SOURCE / "examples" / "settings", cls.place, dirs_exist_ok=True)
        cls.do("cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Debug")
        cls.do("cmake", "--build", "build")
        cls.must(1, "detect", "build/settings_test", *SEARCH)
        # Whether Clang can be asked differs from machine to machine. Once: it is stored.
        cls.must(0, "fix", "D1", "--no-facts", "--orders", "2")

    FIX = ("fix", "D1", "--no-facts", "--orders", "2")

    def test_fix(self):
        def steady(text):
            return re.sub(r"Made.*--again", "Made SOME TIME ago; --again", text)
        self.assert_golden("fix.pipe.txt", steady(self.in_pipe(*self.FIX, code=0)))
        self.assert_golden("fix.terminal.txt", steady(self.on_terminal(*self.FIX)))
        self.assert_golden_json("fix", *self.FIX, "--json", "-")

    def test_fix_on_a_narrow_terminal(self):
        """Nothing is wider than the terminal but code and the commit message, which people copy."""
        text = re.sub(r"</?[a-z]*>", "", self.on_terminal(*self.FIX, columns=60))
        said = text[:text.index("diff --git")] + text[text.index("Nothing in"):]
        self.assertIn("checked", said)
        names = (str(self.dir), "--- exit")
        self.assertEqual([line for line in said.splitlines()
                          if len(line) >= 60 and not any(name in line for name in names)], [])

    def test_shard(self):
        self.assert_golden_both("shard", "shard", "build/settings_test", "--count", "2")
        self.assert_golden_json("shard", "shard", "build/settings_test", "--count", "2", "--json", "-")

    def test_export(self):
        for kind in ("ctest", "bazel"):
            self.assert_golden_both(f"export_{kind}", "export", "build/settings_test", f"--{kind}", "out")
            self.assert_golden(f"export_{kind}.out", (self.dir / "out").read_text())

    def test_estimate(self):
        """Times are measured, and how many orders the sample had."""
        words = ("detect", "build/settings_test", "--estimate", "--algorithm", "pairs", "-j1",
                 "--isolate", "fork")
        def steady(text):
            text = re.sub(r"From [\d,]+ orders with [\d,]+ tests run", "From N orders with N tests run",
                          golden.scrub(text, self.dir))
            return re.sub(r"(?<=\S) {2,}", "  ", text)
        self.assert_golden("estimate.pipe.txt", steady(self.in_pipe(*words, code=0)))
        self.assert_golden("estimate.terminal.txt", steady(self.on_terminal(*words)))

    def test_for_programs(self):
        self.assert_golden_json("list", "list", "build/settings_test", "--json")
        self.assert_golden_json("run", "run", "build/settings_test", "--isolate", "fork", "-j1",
                                "--no-db", "--json", "-")
        self.assert_golden_json("detect", "detect", "build/settings_test", *SEARCH, "--full", "-j1",
                                "--no-db", "--json", "-")
        self.assert_golden_json("explain", "explain", "D1", "--json", "-")

    def test_doctor(self):
        """What it says of a machine differs: its subjects do not."""
        text = self.in_pipe("doctor", "build/settings_test", code=0)
        subjects = re.findall(r"^  \S+ +([a-z ]+):", text, re.MULTILINE)
        self.assert_golden("doctor_subjects.txt", "\n".join(subjects) + "\n")
        self.assertRegex(self.on_terminal("doctor", "build/settings_test"), r"<(green|yellow|red)> *ok")


class Counted(Shared):
    """A suite of the zoo that counts what it covers."""

    @classmethod
    def prepare(cls):
        cls.do("g++", "-std=c++17", "-g", "-w", "--coverage",
               gordian.SOURCE / "zoo" / "guilty" / "polluter_and_cleaner.cc", "-lgtest", "-lgtest_main",
               "-lpthread", "-o", "counted_test")
        cls.must(1, "detect", "./counted_test", *SEARCH)
        cls.must(0, "prioritize", "./counted_test", "-t", "T4", "-j1")  # collects the coverage

    def both(self, name, *words):
        """How long ago coverage was collected, and how long runs took, is measured."""
        def steady(text):
            text = re.sub(r"collected [^.]*\.", "collected SOME TIME ago.", text)
            lines = [re.sub(r" [-+]\d+ %", " N %", line) if "TIME" in line else line
                     for line in golden.scrub(text, self.dir).splitlines(keepends=True)]
            return re.sub(r"(?<=\S) {2,}", "  ", "".join(lines))
        self.assert_golden(f"{name}.pipe.txt", steady(self.in_pipe(*words)))
        self.assert_golden(f"{name}.terminal.txt", steady(self.on_terminal(*words)))

    def test_prioritize(self):
        self.both("prioritize", "prioritize", "./counted_test", "-t", "T4", "-j1")
        self.both("prioritize_aware", "prioritize", "./counted_test", "-t", "T4", "--aware", "-j1")

    def test_impact(self):
        self.both("impact", "impact", "./counted_test", "-j1")

    def test_reduce(self):
        self.both("reduce", "reduce", "./counted_test", "-j1")


if __name__ == "__main__":
    gordian.main()
