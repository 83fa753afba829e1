#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""`gordian fix` where it cannot: a clear message, the right exit code, nothing changed, nothing left
running."""
import os
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

import gordian
from fix_project import (FOUND, INTERRUPTED, LEVEL, OK, PATIENCE, Project, TARGET, USAGE, git,
                         processes_with, tree, until)

# Nothing can be put into a test whose braces come out of a macro.
MACRO_MADE = """#include <gtest/gtest.h>

int g_level = 1;

#define LEVEL_TEST(name, statement) \\
  TEST(Level, name) { statement; }

LEVEL_TEST(IsLow, EXPECT_EQ(g_level, 1))
LEVEL_TEST(CanBeRaised, g_level = 3; EXPECT_GT(g_level, 2))
"""


READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"'


def start_where_rights_count(directory):
    """What to put in front of a command so that it cannot write into a directory without write
    permission: nothing for most users. Root sees it read-only in a mount namespace of its own, or
    goes without the right to ignore permissions. None: neither works here."""
    ways = ([], ["unshare", "-m", "sh", "-c", READ_ONLY, "sh", str(directory)],
            ["setpriv", "--bounding-set=-dac_override,-dac_read_search"])
    for way in ways:
        try:
            tried = subprocess.run([*way, "sh", "-c", 'test -w "$0" && echo yes || echo no',
                                    directory], capture_output=True, text=True, check=False)
        except OSError:
            continue
        if tried.stdout == "no\n":
            return way
    return None


class BadInput(Project):
    @classmethod
    def setUpClass(cls):
        """The project of most tests, built and searched once."""
        cls.scene = Path(tempfile.mkdtemp(prefix="gordian_e2e_")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.scene, ignore_errors=True)
        maker = cls("level")
        maker.dir, maker.project = cls.scene, cls.scene / "small"
        maker.project.mkdir()
        maker.binary = maker.project / "build" / "small_test"
        maker.environment = gordian.clean_environment()
        maker.found({"level_test.cc": LEVEL})
        subprocess.run(["cp", "-a", cls.scene / "small", cls.scene / "as_built"], check=True)

    def refuse(self, *words, code, says, hint=True):
        ran = self.fix(*words, code=code)
        for word in [says] if isinstance(says, str) else says:
            self.assertIn(word, ran.err, ran)
        if hint:
            self.assertIn("hint: ", ran.err, ran)
        self.check_untouched()
        return ran

    def level(self):
        """At the path where it was built: that is what CMake and debug information name."""
        self.project, self.binary = self.scene / "small", self.scene / "small/build/small_test"
        shutil.rmtree(self.project)
        subprocess.run(["cp", "-a", self.scene / "as_built", self.project], check=True)
        shutil.copytree(self.scene / ".gordian", self.dir / ".gordian")
        self.before = tree(self.project)

    def test_nothing_was_searched(self):
        self.before = tree(self.project)
        self.refuse(code=USAGE, says="there is no database at .gordian/gordian.db")
        self.assertFalse((self.dir / ".gordian").exists())

    def test_words_that_mean_nothing(self):
        self.level()
        self.refuse("D7", code=USAGE, says="D7")
        self.refuse("x", code=USAGE, says="'x' is not a dependence")
        self.refuse("--strategy", "prayer", code=USAGE, says="prayer")
        self.refuse("--source", "nowhere", code=USAGE, says="--source nowhere",
                    hint=False)
        self.refuse("--timeout", "soon", code=USAGE, says="'soon' is not a time")
        self.refuse("--json", "-", "--diff", "-", code=USAGE, says="both want standard output")

    def test_nothing_was_found(self):
        self.write({"level_test.cc": LEVEL.replace("g_level = 3", "int g_level = 3")})
        self.build()
        self.detect(code=OK)
        self.assertIn("nothing to repair", self.fix(code=OK).err)

    def test_another_build_than_the_one_searched(self):
        self.level()
        source = self.project / "level_test.cc"
        source.write_text(source.read_text().replace("3", "4"))
        self.build()
        self.before = tree(self.project)
        self.refuse(code=TARGET, says="was rebuilt since D1 was found in it")

    def test_a_source_that_does_not_build(self):
        self.level()
        with open(self.project / "level_test.cc", "a", encoding="utf-8") as source:
            source.write("nonsense\n")
        self.before = tree(self.project)
        self.refuse(code=TARGET, says=["the project does not build as it is", "level_test.cc:1",
                                       "nonsense"])

    def test_a_build_command_that_fails(self):
        self.level()
        self.refuse("--build", "echo broken >&2; exit 1", code=TARGET,
                    says=["the project does not build as it is", "broken"])

    def test_a_build_without_end(self):
        self.level()
        marker = f"32{os.getpid()}"
        self.refuse("--build", f"sleep {marker}", "--build-timeout", "2s", code=TARGET,
                    says="the build did not end in 2 s")
        until(lambda: not processes_with(f"sleep\0{marker}"), "the build is ended")

    def test_a_program_without_a_known_build(self):
        self.level()
        for name in ("CMakeCache.txt", "CMakeFiles"):
            subprocess.run(["rm", "-rf", self.project / "build" / name], check=True)
        self.before = tree(self.project)
        self.refuse(code=TARGET, says=["no CMakeCache.txt above it", "--build"])

    def test_a_program_without_debug_information(self):
        self.write({"level_test.cc": LEVEL})
        makefile = "level: level_test.cc\n\tc++ level_test.cc -o level -lgtest_main -lgtest\n"
        (self.project / "Makefile").write_text(makefile)
        (self.project / "CMakeLists.txt").unlink()
        build = f"make -s -C {self.project}"
        subprocess.run(build, shell=True, check=True)
        self.binary = self.project / "level"
        self.detect()
        self.before = tree(self.project)
        self.refuse("--build", build, code=TARGET, says=["where its sources are", "--source DIR"])
        self.refuse("--build", build, "--source", self.project, code=TARGET,
                    says=["has no debug information", "compile it with -g"])

    def test_tests_that_a_macro_makes(self):
        self.found({"level_test.cc": MACRO_MADE})
        ran = self.fix("--strategy", "restore", "--strategy", "paper", code=FOUND)
        self.assertIn("NOT REPAIRED", ran.out)
        self.assertIn("macro", ran.out)
        self.check_untouched()

    def test_without_gordian_facts(self):
        self.level()
        alone = self.dir / "alone"
        alone.mkdir()
        for name in ("gordian", "libgordian-agent.so"):
            shutil.copy2(gordian.BIN.parent / name, alone)
        ran = subprocess.run([alone / "gordian", "fix"], cwd=self.dir, env=self.environment,
                             capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(ran.returncode, OK, ran.stdout + ran.stderr)
        self.assertIn("gordian-facts is not installed beside gordian", ran.stdout)
        self.check_untouched()

    def test_apply_into_a_dirty_tree(self):
        self.level()
        (self.project / ".gitignore").write_text("build\n")
        git(self.project, "init", "-q")
        git(self.project, "add", ".")
        git(self.project, "commit", "-qm", "x")
        source = self.project / "level_test.cc"
        source.write_text(source.read_text() + "// Not committed.\n")
        self.before = tree(self.project / "build")
        text = source.read_text()
        ran = self.fix("--apply", code=USAGE)
        self.assertIn("level_test.cc has changes that are not committed", ran.err)
        self.assertIn("--allow-dirty", ran.err)
        self.assertEqual(source.read_text(), text)
        self.assertEqual(git(self.project, "status", "--porcelain"), " M level_test.cc\n")
        self.fix("--diff", "a.patch")  # only --apply minds
        self.fix("--apply", "--allow-dirty")
        self.assertNotEqual(source.read_text(), text)
        self.assertEqual(tree(self.project / "build"), self.before)

    def test_apply_into_a_tree_that_cannot_be_written(self):
        self.level()
        self.project.chmod(0o555)
        self.addCleanup(self.project.chmod, 0o755)
        self.before = tree(self.project)
        start = start_where_rights_count(self.project)
        if start is None:
            self.skipTest("root can write everything here, and cannot do without that right")
        ran = subprocess.run([*start, gordian.BIN, "fix", "--apply"], cwd=self.dir,
                             env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                             text=True, timeout=PATIENCE, check=False)
        self.assertEqual(ran.returncode, USAGE, ran)
        self.assertIn("cannot be written; nothing was changed", ran.stderr)
        self.assertIn("hint: ", ran.stderr)
        self.check_untouched()

    def test_a_read_only_tree_is_repaired_in_the_copy(self):
        self.level()
        for path in self.project.iterdir():
            path.chmod(0o555 if path.is_dir() else 0o444)
            self.addCleanup(path.chmod, 0o755)
        self.before = tree(self.project)
        self.fix("--diff", "a.patch")
        self.check_untouched()

    def test_a_diff_that_cannot_be_written(self):
        self.level()
        self.refuse("--diff", "nowhere/a.patch", code=USAGE, says="nowhere", hint=False)

    def test_tests_that_are_processes(self):
        self.before = tree(self.project)
        shell = self.dir / "process"
        shell.mkdir()
        (shell / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.19)\nproject(p NONE)\nenable_testing()\n"
            "add_test(NAME looks COMMAND test ! -e there)\n"
            "add_test(NAME makes COMMAND touch there)\n")
        subprocess.run(["cmake", "-S", ".", "-B", "build"], cwd=shell, check=True,
                       capture_output=True)
        ran = self.gordian("detect", shell / "build", "--level", "process")
        self.assertEqual(ran.code, FOUND, ran)
        self.refuse(code=USAGE, says="tests that are processes of their own cannot be repaired")

    def interrupted(self, send):
        self.level()
        marker = f"33{os.getpid()}"
        command = f"touch {self.project}/mess; sleep {marker} & sleep {marker}"
        process = subprocess.Popen([gordian.BIN, "fix", "--build", command], cwd=self.dir, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.environment)
        until(lambda: len(processes_with(f"sleep\0{marker}")) == 2, "the build runs")
        process.send_signal(send)
        out, err = process.communicate(timeout=60)
        until(lambda: not processes_with(f"sleep\0{marker}"), "the build is ended")
        until(lambda: not list(self.scratch.iterdir()), "the copy is gone")
        self.check_untouched()
        self.assertNotIn("VERIFIED", out + err)
        return process.returncode

    def test_ctrl_c_during_the_build(self):
        self.assertEqual(self.interrupted(signal.SIGINT), INTERRUPTED)

    def test_kill_during_the_build(self):
        self.assertEqual(self.interrupted(signal.SIGKILL), -signal.SIGKILL)


if __name__ == "__main__":
    unittest.main(verbosity=2)
