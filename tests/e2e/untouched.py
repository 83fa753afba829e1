#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""The user's files stay as they are, whatever the tests write, and `.gordian` is all that is new.

Tests see a copy-on-write view of their working directory and of /tmp. With --private-fs off they
do not, and then the files do appear: these tests can fail.
"""
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import gordian

ISOLATIONS = ("none", "fork", "process")
WRITERS = ("guilty/file_in_cwd", "guilty/file_in_tmp", "guilty/cwd", "guilty/umask_changed",
           "guilty/sysv_segment", "clean/temp_file_removed", "clean/directory_per_test",
           "hostile/deletes_cwd", "hostile/shared_file_offset")
SEGMENT = 0x60d1a  # of guilty/sysv_segment


def snapshot(directory):
    """Name, mode, time and content of everything below, except the database."""
    state = {}
    for root, folders, files in os.walk(directory):
        if ".gordian" in folders:
            folders.remove(".gordian")
        for name in folders + files:
            path = Path(root, name)
            facts = path.lstat()
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            state[str(path.relative_to(directory))] = (facts.st_mode, facts.st_mtime_ns, content)
    return state


def traces_in(directory):
    """Files of the zoo, and its System V segments on the machine."""
    with open("/proc/sysvipc/shm", encoding="ascii") as segments:
        keys = {int(line.split()[0]) for line in segments.readlines()[1:]}
    return ({name for name in os.listdir(directory) if name.startswith("gordian_zoo")} |
            (keys & {SEGMENT}))


class Untouched(gordian.Case):
    """A user's directory with a binary and other things. Not below /tmp: a layer over /tmp would
    cover it too, and hide that the working directory is not covered itself."""

    def setUp(self):
        super().setUp()
        self.home = Path(tempfile.mkdtemp(prefix="e2e_untouched_", dir=gordian.BUILD)).resolve()
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        (self.home / "data").mkdir()
        (self.home / "data" / "input.txt").write_text("mine\n")
        (self.home / "results.txt").write_text("also mine\n")

    def check(self, where, isolation):
        for name in WRITERS:
            binary = self.zoo_copy(name, to=where)
            before, traces = snapshot(where), traces_in("/tmp")
            ran = self.gordian("run", f"./{binary.name}", "--isolate", isolation,
                               "--private-fs", "on", cwd=where)
            self.assertIn(ran.code, (0, 1), ran)
            self.assertEqual(snapshot(where), before, name)
            self.assertEqual(traces_in("/tmp") - traces, set(), name)

    def test_none(self):
        self.check(self.home, "none")

    def test_fork(self):
        self.check(self.home, "fork")

    def test_process(self):
        self.check(self.home, "process")

    def test_below_tmp(self):
        """Where the working directory lies inside another covered directory."""
        for isolation in ISOLATIONS:
            self.check(self.dir, isolation)

    def test_only_the_database_is_new(self):
        self.zoo_copy("guilty/file_in_cwd", to=self.home)
        before = set(os.listdir(self.home))
        self.assertEqual(self.gordian("run", "./file_in_cwd", cwd=self.home).code, 0)
        self.assertEqual(set(os.listdir(self.home)) - before, {".gordian"})
        self.assertEqual(self.gordian("list", "./file_in_cwd", cwd=self.home).code, 0)
        self.assertEqual(self.gordian("doctor", "./file_in_cwd", cwd=self.home).code, 0)
        self.assertEqual(set(os.listdir(self.home)) - before, {".gordian"})

    def test_without_database_nothing_is_new(self):
        self.zoo_copy("guilty/file_in_cwd", to=self.home)
        before = set(os.listdir(self.home))
        self.assertEqual(self.gordian("run", "./file_in_cwd", "--no-db", cwd=self.home).code, 0)
        self.assertEqual(set(os.listdir(self.home)), before)

    def test_no_mount_point_is_left(self):
        def points():
            return {str(path) for place in ("/dev/shm", "/run", "/tmp")
                    for path in Path(place).glob("gordian-fs-*")}
        before = points()
        self.gordian("run", self.zoo("guilty/file_in_cwd"))
        self.assertEqual({p for p in points() - before if os.path.isdir(p) and not in_use(p)},
                         set())

    def test_what_a_killed_gordian_has_left_is_removed(self):
        left = Path(f"/dev/shm/gordian-fs-{os.geteuid()}-{os.getpid() % 1000000:06}")
        left.mkdir(mode=0o700)
        self.addCleanup(lambda: left.exists() and left.rmdir())
        self.gordian("run", self.zoo("guilty/file_in_cwd"),
                     env=gordian.clean_environment(XDG_RUNTIME_DIR=""))
        self.assertFalse(left.exists())

    def test_each_test_has_its_own_view(self):
        """The file that one test writes carries no dependence to the next."""
        binary = self.zoo("guilty/file_in_cwd")
        for isolation in ("fork", "process"):
            run = self.run_json("run", binary, "--isolate", isolation, "--order", "reverse", "-j1")
            self.assertEqual(set(gordian.outcomes(run).values()), {"pass"}, isolation)
        run = self.run_json("run", binary, "--isolate", "none", "--order", "reverse")
        self.assertEqual(gordian.outcomes(run)["Results.NoneAtFirst"], "fail")

    def test_off_means_off(self):
        binary = self.zoo_copy("guilty/file_in_cwd", to=self.home)
        for isolation in ISOLATIONS:
            with self.subTest(isolation=isolation):
                self.gordian("run", binary, "--isolate", isolation, "--private-fs", "off",
                             cwd=self.home)
                self.assertTrue((self.home / "results.tmp").exists())
                (self.home / "results.tmp").unlink()

    def test_segments_do_appear_without(self):
        """Forks end without static destructors, which would remove it."""
        binary = self.zoo("guilty/sysv_segment")
        self.gordian("run", binary, "--isolate", "fork", "--private-fs", "off", cwd=self.home)
        self.assertIn(SEGMENT, traces_in("/tmp"))
        subprocess.run(["ipcrm", "-M", str(SEGMENT)], check=True)
        self.assertNotIn(SEGMENT, traces_in("/tmp"))

    def test_a_further_directory_can_be_covered(self):
        """One that no rule of ours would cover: beside the working directory, not below."""
        (self.home / "work").mkdir()
        target = self.home / "elsewhere"
        target.mkdir()
        binary = self.zoo("guilty/file_in_tmp")
        env = gordian.clean_environment(TMPDIR=str(target))
        for words, there in ((["--private-fs", "off"], True), (["--private-dir", target], False)):
            self.gordian("run", binary, "--isolate", "none", *words, cwd=self.home / "work",
                         env=env)
            lock = target / "gordian_zoo_file_in_tmp.lock"
            self.assertEqual(lock.exists(), there, words)
            lock.unlink(missing_ok=True)


def in_use(directory):
    """Another gordian may be at work: its mount point is no leftover."""
    mounts = set()
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                mounts.add(Path("/proc", entry, "mounts").read_text())
            except OSError:
                pass
    return any(directory in text for text in mounts)


class AsNobody(gordian.Case):
    """Without privileges the layers need a user namespace, or gordian says that it has none."""

    def setUp(self):
        super().setUp()
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            self.skipTest("needs root and setpriv to become nobody")
        self.binary = self.zoo_copy("guilty/file_in_cwd")
        self.binary.chmod(0o755)
        os.chmod(self.dir, 0o755)
        # The build may lie where nobody may look: use a copy of the program and its agent.
        for part in (gordian.BIN, gordian.BIN.parent / "libgordian-agent.so"):
            shutil.copy2(part, self.dir / part.name)
        self.work = self.dir / "work"
        self.work.mkdir()
        for path in (self.dir, self.work):
            shutil.chown(path, "nobody", "nogroup")

    def run_as_nobody(self, *words):
        command = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups",
                   str(self.dir / "gordian"), *map(str, words)]
        env = gordian.clean_environment(HOME=str(self.work))
        done = subprocess.run(command, cwd=self.work, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=gordian.PATIENCE,
                              check=False)
        return gordian.Ran(words, done)

    def test_run(self):
        for isolation in ISOLATIONS:
            with self.subTest(isolation=isolation):
                ran = self.run_as_nobody("run", self.binary, "--isolate", isolation, "--json", "-")
                self.assertEqual(ran.code, 0, ran)
                run = ran.json()
                if run["header"]["private_fs"]:
                    self.assertEqual(os.listdir(self.work), [".gordian"])
                else:
                    self.assertTrue(any("private" in n["text"] for n in run["notices"]), ran)

    def test_own_directory_inside_somebody_elses(self):
        """A layer over /tmp must not make a directory unwritable that was writable before."""
        shutil.chown(self.dir, "root", "root")
        ran = self.run_as_nobody("run", self.binary)
        self.assertEqual(ran.code, 0, ran)

    def test_on_is_kept_or_refused(self):
        ran = self.run_as_nobody("run", self.binary, "--private-fs", "on", "--no-db")
        if ran.code == 0:
            self.assertEqual(os.listdir(self.work), [])
        else:
            self.assertEqual(ran.code, 3, ran)
            self.assertIn("private", ran.err)

    def test_directory_of_somebody_else(self):
        """No database can be made there: said before anything runs."""
        shutil.chown(self.work, "root", "root")
        binary = self.zoo_copy("guilty/global_int")
        ran = self.run_as_nobody("run", binary)
        self.assertEqual(ran.code, 2, ran)
        self.assertIn(".gordian", ran.err)
        ran = self.run_as_nobody("run", binary, "--no-db")
        self.assertEqual(ran.code, 0, ran)


if __name__ == "__main__":
    gordian.main()
