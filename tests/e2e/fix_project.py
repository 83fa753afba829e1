# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Small projects that are built, searched and repaired by the tests of `gordian fix`."""
import hashlib
import json
import subprocess
import time
from pathlib import Path

import gordian

OK, FOUND, USAGE, TARGET, INTERRUPTED = 0, 1, 2, 3, 130
PATIENCE = 600

CMAKE = """cmake_minimum_required(VERSION 3.19)
project(small LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_BUILD_TYPE Debug)
set(CMAKE_CXX_FLAGS "-Wall -Wextra")
find_package(GTest REQUIRED)
add_executable(small_test {sources})
target_link_libraries(small_test PRIVATE {libraries})
"""

# A victim, its polluter, and a test that has nothing to do with them.
LEVEL = """#include <gtest/gtest.h>

int g_level = 1;

TEST(Level, IsLow) {
  EXPECT_EQ(g_level, 1);
}

TEST(Level, CanBeRaised) {
  g_level = 3;
  EXPECT_GT(g_level, 2);
}

TEST(Level, Unrelated) {
  EXPECT_EQ(1 + 1, 2);
}
"""


def tree(directory):
    """Everything about the files of a tree that a build or a patch could change."""
    facts = {}
    for path in sorted(directory.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        facts[str(path.relative_to(directory))] = (
            status.st_mtime_ns, status.st_mode, status.st_size, hashlib.sha256(content).hexdigest())
    return facts


def processes_with(marker):
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and marker in (entry / "cmdline").read_bytes().decode():
                found.append(int(entry.name))
        except (OSError, UnicodeDecodeError):
            pass
    return found


def until(condition, what):
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError(f"in a minute it did not happen: {what}")


def git(directory, *words):
    return subprocess.run(["git", "-C", directory, "-c", "user.name=x", "-c",
                           "user.email=x@example.com", *words], check=True, capture_output=True,
                          text=True).stdout


class Project(gordian.Case):
    """`self.project` is the source, `self.binary` what is built of it in `build` there."""

    def setUp(self):
        super().setUp()
        self.project = self.dir / "small"
        self.project.mkdir()
        self.binary = self.project / "build" / "small_test"
        self.scratch = self.dir / "run"  # where mount points of copies are made
        self.scratch.mkdir()
        self.environment = gordian.clean_environment(XDG_RUNTIME_DIR=str(self.scratch))

    def write(self, files, libraries="GTest::gtest_main"):
        """Sources by name; `CMakeLists.txt` comes with them."""
        sources = [name for name in files if name.endswith(".cc")]
        files = {"CMakeLists.txt": CMAKE.format(sources=" ".join(sources), libraries=libraries),
                 **files}
        for name, text in files.items():
            (self.project / name).parent.mkdir(parents=True, exist_ok=True)
            (self.project / name).write_text(text)

    def build(self, *arguments):
        """What was printed."""
        printed = ""
        for command in (["cmake", "-S", ".", "-B", "build", *arguments],
                        ["cmake", "--build", "build", "-j2"]):
            ran = subprocess.run(command, cwd=self.project, capture_output=True, text=True,
                                 check=False)
            printed += ran.stdout + ran.stderr
            self.assertEqual(ran.returncode, 0, printed)
        return printed

    def detect(self, code=FOUND):
        """{id: dependence}."""
        ran = self.gordian("detect", self.binary, "--seed", "1", "--json", "-", env=self.environment)
        self.assertEqual(ran.code, code, ran)
        return {d["id"]: d for d in ran.json()["dependences"]}

    def found(self, files, **how):
        """Written, built and searched."""
        self.write(files, **how)
        self.build()
        found = self.detect()
        self.before = tree(self.project)
        return found

    def fix(self, *words, code=OK):
        ran = self.gordian("fix", *words, env=self.environment, patience=PATIENCE)
        self.assertEqual(ran.code, code, ran)
        return ran

    def fix_json(self, *words, code=OK):
        return json.loads(self.fix(*words, "--json", "-", code=code).out)

    def accepted(self, fix, identity="D1"):
        """The attempt that stands for a dependence."""
        repair = next(r for r in fix["repairs"] if r["id"] == identity)
        self.assertIsNotNone(repair["accepted"], repair)
        return repair["attempts"][repair["accepted"]]

    def check_untouched(self):
        self.assertEqual(tree(self.project), self.before)
        self.assertEqual(list(self.scratch.iterdir()), [])

    def check_applies(self, diff):
        """The patch goes in with git, builds without a warning, and nothing is dependent then."""
        patch = self.dir / "the.patch"
        patch.write_text(diff)
        git(self.project, "apply", "--check", patch)
        git(self.project, "apply", "--whitespace=error-all", patch)
        self.assertNotIn("warning", self.build())
        self.assertEqual(self.detect(code=OK), {})
