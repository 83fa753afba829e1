#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Nothing outlives a run: not after hostile tests, not after Ctrl-C, SIGTERM or kill -9.

Each test copies its binary into a directory of its own, so that a process left behind can be told
from all others by its executable, command line or working directory.
"""
import json
import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import gordian

PATIENCE = 10  # seconds until something that must happen counts as not happening


def link(path):
    try:
        return os.readlink(path)
    except OSError:
        return ""


def read(path):
    try:
        return Path(path).read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def processes_of(directory):
    """{pid: what it is} of processes whose program, words or place is below `directory`."""
    found, text = {}, str(directory)
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        at = f"/proc/{entry}"
        # A zombie has no executable; whoever did not wait for it is to blame all the same.
        signs = (link(at + "/exe"), read(at + "/cmdline"), link(at + "/cwd"))
        if any(text in sign for sign in signs):
            found[int(entry)] = signs
    return found


def wait_until(condition):
    """True as soon as `condition` holds; False when patience ran out."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


class Hostile(gordian.Case):
    def setUp(self):
        super().setUp()
        self.addCleanup(self.end_leftovers)  # so that a failing test does not harm the next

    def end_leftovers(self):
        for pid in processes_of(self.dir):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def assert_nothing_left(self):
        self.assertEqual(processes_of(self.dir), {})


class AfterTheRun(Hostile):
    """The run ends by itself: when gordian has returned, all is gone."""

    def check(self, name):
        binary = self.zoo_copy("hostile/" + name)
        for isolation in ("none", "fork", "process"):
            with self.subTest(isolation=isolation):
                ran = self.gordian("run", binary, "--isolate", isolation, "--timeout", "1s", "-j2")
                self.assertIn(ran.code, (0, 1), ran)
                self.assert_nothing_left()

    def test_leaves_child(self):
        self.check("leaves_child")

    def test_daemonises(self):
        self.check("daemonises")

    def test_leaves_thread(self):
        self.check("leaves_thread")

    def test_hangs(self):
        self.check("hangs")

    def test_hangs_busily(self):
        self.check("hangs_busily")

    def test_stops_itself(self):
        self.check("stops_itself")

    def test_kills_parent(self):
        self.check("kills_parent")

    def test_kills_group(self):
        self.check("kills_group")

    def test_closes_all_descriptors(self):
        self.check("closes_all_descriptors")

    def test_execs(self):
        self.check("execs")

    def test_thread_before_tests(self):
        self.check("thread_before_tests")

    def test_left_children_are_reported(self):
        binary = self.zoo_copy("hostile/leaves_child")
        for isolation in ("fork", "process"):
            run = self.run_json("run", binary, "--isolate", isolation)
            leaks = {r["test"]: r["leaks"]["children"] for r in gordian.results(run)}
            self.assertEqual(leaks["Hostile.LeavesChild"], 1, isolation)
            self.assertEqual(leaks["Harmless.Passes"], 0, isolation)

    def test_left_children_are_told_on_the_screen(self):
        for isolation in ("snapshot", "fork", "process"):
            with self.subTest(isolation=isolation):
                ran = self.gordian("run", self.zoo_copy("hostile/leaves_child"), "--isolate", isolation)
                told = [line for line in ran.err.splitlines() if "LEAK" in line]
                self.assertEqual(len(told), 1, ran)
                self.assertIn("Hostile.LeavesChild (left 1 child process running)", told[0])

    def test_killing_the_parent_has_one_outcome(self):
        """Whoever the parent is, its death is the same event each time."""
        binary = self.zoo_copy("hostile/kills_parent")
        for isolation in ("none", "fork", "process"):
            with self.subTest(isolation=isolation):
                run = self.run_json("run", binary, "--isolate", isolation, "--repeat", "20", "-j2")
                seen = {tuple(r["outcome"] for r in order["results"]) for order in run["orders"]}
                self.assertEqual(seen, {("pass", "pass", "pass")})

    def test_without_us_a_child_would_be_left(self):
        """The search for leftovers can find one."""
        binary = self.zoo_copy("hostile/daemonises")
        subprocess.run([binary], cwd=self.dir, stdout=subprocess.DEVNULL, check=True)
        self.assertNotEqual(processes_of(self.dir), {})


class InTheMiddle(Hostile):
    """gordian is stopped while a test hangs."""

    ISOLATIONS = ("none", "fork", "process")

    def start(self, isolation, name="hangs", test="Hostile.Hangs"):
        """gordian at work on harmless tests first and a hanging one last."""
        binary = self.zoo_copy("hostile/" + name)
        order = ["Harmless.Passes", "Harmless.StillAdds", test]
        (self.dir / "order").write_text("\n".join(order) + "\n")
        words = ["run", binary, "--order", "order", "--isolate", isolation, "-j1",
                 "--timeout", "0", "-v", "--json", "report.json"]
        process = subprocess.Popen([gordian.BIN, *map(str, words)], cwd=self.dir,
                                   env=gordian.clean_environment(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        seen = ""
        while seen.count(" Harmless.") < 2:  # a line for each test that has ended
            line = process.stderr.readline()
            self.assertTrue(line, f"gordian has ended early: {seen}")
            seen += line
        return process

    def stored_outcomes(self):
        """What the database holds, as another reader sees it while gordian runs."""
        db = self.dir / ".gordian" / "gordian.db"
        if not db.exists():
            return []
        try:
            connection = sqlite3.connect(f"file:{db}?mode=ro", uri=True)
            with connection:
                rows = connection.execute(
                    "select kind from results order by run_id, position").fetchall()
            connection.close()
        except sqlite3.OperationalError:  # it is being created
            return []
        return [row[0] for row in rows]

    def stop_with(self, number, isolation, **what):
        process = self.start(isolation, **what)
        process.send_signal(number)
        out, err = process.communicate(timeout=gordian.PATIENCE)
        return process.returncode, out, err

    def check_polite_end(self, number, isolation, **what):
        code, _, err = self.stop_with(number, isolation, **what)
        self.assertEqual(code, 130, err)
        self.assertIn("Summary", err)
        self.assert_nothing_left()
        report = json.loads((self.dir / "report.json").read_text())
        self.assertEqual(report["end"], "interrupted")
        self.assertEqual([r["outcome"] for r in gordian.results(report)],
                         ["pass", "pass", "not_run"])
        self.assert_database_is_sound()
        self.assertEqual(self.stored_outcomes(), ["pass", "pass"])

    def assert_database_is_sound(self):
        connection = sqlite3.connect(self.dir / ".gordian" / "gordian.db")
        self.assertEqual(connection.execute("pragma integrity_check").fetchall(), [("ok",)])
        self.assertEqual(connection.execute("pragma foreign_key_check").fetchall(), [])
        connection.close()

    def test_ctrl_c(self):
        for isolation in self.ISOLATIONS:
            with self.subTest(isolation=isolation):
                self.check_polite_end(signal.SIGINT, isolation)
                self.clear()

    def test_sigterm(self):
        for isolation in self.ISOLATIONS:
            with self.subTest(isolation=isolation):
                self.check_polite_end(signal.SIGTERM, isolation)
                self.clear()

    def test_ctrl_c_with_a_test_that_ignores_it(self):
        self.check_polite_end(signal.SIGINT, "fork", name="hangs_busily",
                              test="Hostile.IgnoresTermination")

    def test_ctrl_c_with_a_stopped_test(self):
        self.check_polite_end(signal.SIGINT, "process", name="stops_itself",
                              test="Hostile.StopsItself")

    def test_results_are_stored_while_a_test_hangs(self):
        """Nobody knows how long it will hang, nor what will end it."""
        for isolation in self.ISOLATIONS:
            with self.subTest(isolation=isolation):
                process = self.start(isolation)
                self.assertTrue(wait_until(lambda: self.stored_outcomes() == ["pass", "pass"]),
                                self.stored_outcomes())
                process.send_signal(signal.SIGINT)
                process.wait(gordian.PATIENCE)
                self.clear()

    def program(self):
        """The process of the program itself, whose forks (a worker, a branch) run the test; None
        while there are none. Its parent is another program."""
        def runs_it(pid):
            return link(f"/proc/{pid}/exe") == str(self.dir / "hangs")

        running = [pid for pid in processes_of(self.dir) if runs_it(pid)]
        for pid in running:
            status = read(f"/proc/{pid}/status").partition("PPid:")[2].split()
            if status and not runs_it(status[0]) and len(running) >= 3:
                return pid
        return None

    def test_what_was_lost_and_runs_again_is_told_once(self):
        """Somebody kills the program under a test: the test is repeated, and nothing else is said."""
        process = self.start("fork")
        self.assertTrue(wait_until(self.program))
        first = self.program()
        os.kill(first, signal.SIGKILL)
        self.assertTrue(wait_until(lambda: self.program() not in (None, first)))
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=gordian.PATIENCE)
        self.assertEqual(process.returncode, 130, err)
        self.assertNotIn("LOST", err)
        report = json.loads((self.dir / "report.json").read_text())
        self.assertEqual([r["outcome"] for r in gordian.results(report)],
                         ["pass", "pass", "not_run"])
        self.assertEqual(self.stored_outcomes(), ["pass", "pass"])

    def test_kill_9(self):
        for isolation in self.ISOLATIONS:
            with self.subTest(isolation=isolation):
                process = self.start(isolation)
                # Results are stored while a later test hangs, some twenty times a second.
                self.assertTrue(wait_until(lambda: self.stored_outcomes()[:1] == ["pass"]))
                process.send_signal(signal.SIGKILL)
                _, err = process.communicate(timeout=gordian.PATIENCE)
                self.assertEqual(process.returncode, -signal.SIGKILL, err)
                self.assertTrue(wait_until(lambda: not processes_of(self.dir)),
                                processes_of(self.dir))
                self.check_next_run()
                self.clear()

    def test_kill_9_with_a_test_that_ignores_polite_signals(self):
        for isolation in self.ISOLATIONS:
            with self.subTest(isolation=isolation):
                self.stop_with(signal.SIGKILL, isolation, name="hangs_busily",
                               test="Hostile.IgnoresTermination")
                self.assertTrue(wait_until(lambda: not processes_of(self.dir)),
                                processes_of(self.dir))
                self.clear()

    def check_next_run(self):
        """The half-finished run is kept as such, and does not stand in the way."""
        self.assertEqual(self.stored_outcomes()[:1], ["pass"])
        ran = self.gordian("run", "hangs", "--filter", "Harmless.*")
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("R2", ran.err)
        self.assert_database_is_sound()

    def clear(self):
        """The next isolation starts without a database."""
        for path in (self.dir / ".gordian").iterdir():
            path.unlink()


if __name__ == "__main__":
    gordian.main()
