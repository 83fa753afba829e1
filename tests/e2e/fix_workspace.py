# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""The copy in which patches are built and run: nothing of the user's tree changes, whatever happens.

Uses gordian_workspace_probe (tests/repair/workspace_probe.cc) on examples/settings.
"""
import json
import os
import signal
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import gordian  # noqa: E402
from fix_project import processes_with, tree, until  # noqa: E402

PROBE = gordian.BIN.parent / "gordian_workspace_probe"
LOUD, QUIET = "SettingsTest.VerbosityCanBeRaised", "SettingsTest.AreQuiet"
RAISE = "  Settings::instance().set_verbosity(3);\n"
BUILT = None  # the example, built once for all tests


class Workspace(gordian.Case):
    def setUp(self):
        super().setUp()
        self.project = self.dir / "settings"
        subprocess.run(["cp", "-a", gordian.SOURCE / "examples" / "settings", self.project],
                       check=True)
        self.scratch = self.dir / "run"  # where mount points of copies are made
        self.scratch.mkdir()
        self.environment = gordian.clean_environment(XDG_RUNTIME_DIR=str(self.scratch))

    def build(self, *arguments):
        for command in (["cmake", "-S", ".", "-B", "build", *arguments],
                        ["cmake", "--build", "build", "-j2"]):
            subprocess.run(command, cwd=self.project, check=True, capture_output=True)
        self.before = tree(self.project)

    def command(self, *actions):
        return [PROBE, self.project / "build" / "settings_test", *actions]

    def probe(self, *actions, code=0):
        """The answers, one for each action."""
        ran = subprocess.run(self.command(*actions), cwd=self.dir, capture_output=True, text=True,
                             env=self.environment, timeout=300, check=False)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def patched(self, old, new, name="settings_test.cc"):
        """An action that replaces a text of a source."""
        source = self.project / name
        text = source.read_text()
        self.assertIn(old, text)
        changed = self.dir / f"new_{len(list(self.dir.iterdir()))}"
        changed.write_text(text.replace(old, new))
        return f"patch={source}={changed}"

    def check_untouched(self):
        self.assertEqual(tree(self.project), self.before)
        self.assertEqual(list(self.scratch.iterdir()), [])

    def test_patches_are_built_and_run_and_nothing_changes(self):
        self.build("-DCMAKE_CXX_FLAGS=-Wall")
        (self.project / "settings.h").chmod(0o444)
        self.before = tree(self.project)
        guarded = RAISE + "  struct Back { ~Back() { Settings::instance().set_verbosity(1); } } back;\n"
        bad = self.dir / "bad.h"
        bad.write_text("#error here\n")
        answers = self.probe(
            "project", "build", f"run={LOUD},{QUIET}",
            self.patched(RAISE, guarded), "build", f"run={LOUD},{QUIET}", "suite",
            self.patched(RAISE, "  int nobody;\n" + RAISE), "build",
            self.patched(RAISE, "  nobody();\n" + RAISE), "build",
            "unpatch", "build", f"run={LOUD},{QUIET}",
            self.patched('#include "settings.h"', '#include "settings.h"\n#include "extra.h"'),
            f"patch={self.project}/extra.h={bad}", "build",
            "unpatch", "build", f"read={self.project}/extra.h", "run=None.Such", code=1)
        project, first, before = answers[:3]
        self.assertEqual(project["target"], "settings_test")
        self.assertEqual(project["cmake_file"], str(self.project / "CMakeLists.txt"))
        lines = (self.project / "CMakeLists.txt").read_text().splitlines()
        self.assertIn("add_executable(settings_test", lines[project["cmake_line"] - 1])
        self.assertEqual(project["compile_commands"],
                         str(self.project / "build" / "compile_commands.json"))
        self.assertTrue(first["succeeded"])
        self.assertEqual(before["outcomes"], ["pass", "fail"])
        good, after, suite = answers[4:7]
        self.assertEqual((good["succeeded"], good["new_warnings"]), (True, []))
        self.assertEqual(after["outcomes"], ["pass", "pass"])
        self.assertEqual(len(suite["tests"]), 3)
        warned = answers[8]
        self.assertTrue(warned["succeeded"])
        self.assertEqual(len(warned["new_warnings"]), 1)
        self.assertIn("unused variable", warned["new_warnings"][0])
        broken = answers[10]
        self.assertFalse(broken["succeeded"])
        self.assertRegex(broken["first_error"], r"settings_test.cc:\d+:\d+: error: .*nobody")
        self.assertTrue(answers[12]["succeeded"])
        self.assertEqual(answers[13]["outcomes"], ["pass", "fail"])
        self.assertIn("#error here", answers[16]["first_error"])
        self.assertTrue(answers[18]["succeeded"])
        self.assertIsNone(answers[19]["content"])
        self.assertIn("None.Such", answers[20]["error"])
        self.check_untouched()

    def interrupted(self, send):
        self.build()
        marker = f"31{os.getpid()}"
        command = f"build-command=echo started; touch {self.project}/mess; sleep {marker} & sleep {marker}"
        process = subprocess.Popen(self.command(command, "build"), cwd=self.dir, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.environment)
        self.assertEqual(process.stderr.readline(), "started\n")
        until(lambda: len(processes_with(f"sleep\0{marker}")) == 2, "the build runs")
        process.send_signal(send)
        process.communicate(timeout=60)
        until(lambda: not processes_with(f"sleep\0{marker}"), "the build is ended")
        until(lambda: not list(self.scratch.iterdir()), "the copy is gone")
        self.check_untouched()
        return process.returncode

    def test_ctrl_c_leaves_nothing(self):
        self.assertEqual(self.interrupted(signal.SIGINT), 1)

    def test_kill_leaves_nothing(self):
        self.assertEqual(self.interrupted(signal.SIGKILL), -signal.SIGKILL)

    def test_a_program_without_cmake_needs_a_build_command(self):
        self.build()
        for name in ("CMakeCache.txt", "CMakeFiles"):
            subprocess.run(["rm", "-rf", self.project / "build" / name], check=True)
        answer = self.probe("project", code=1)[0]
        self.assertIn("no CMakeCache.txt above it", answer["error"])
        self.assertIn("--build", answer["hint"])


if __name__ == "__main__":
    unittest.main()
