#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""--level process: each ctest test of a build is one test, and files carry what they leave.

The suites of zoo/process say what zoo/process/verdicts.json says, which plain ctest, run test by
test in a fresh copy of the build, confirms. Smaller builds are spelled here.
"""
import hashlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import apart
import gordian
from hostile import processes_of, wait_until

VERDICTS = json.loads((gordian.SOURCE / "zoo/process/verdicts.json").read_text())["suites"]


def contents(directory):
    """What stands below a directory: names, rights and bytes."""
    found = {}
    for path in sorted(Path(directory).rglob("*")):
        mode = path.lstat().st_mode
        data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found[str(path.relative_to(directory))] = (mode, hashlib.sha256(data).hexdigest())
    return found


class Zoo(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.scratch = Path(tempfile.mkdtemp(prefix="gordian_e2e_")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        cls.build, cls.home, tmp = cls.scratch / "build", cls.scratch / "home", cls.scratch / "tmp"
        cls.home.mkdir()
        tmp.mkdir()
        cls.env = gordian.clean_environment(HOME=str(cls.home), TMPDIR=str(tmp))
        for words in (["-S", gordian.SOURCE / "zoo/process", "-B", cls.build],
                      ["--build", cls.build]):
            subprocess.run(["cmake", *words], check=True, stdout=subprocess.DEVNULL, env=cls.env)
        before = contents(cls.scratch)
        cls.ran = {suite["name"]: gordian.gordian(
            "detect", cls.build / suite["folder"] / suite["name"], "--level", "process", "--explain",
            "--all", "--seed", "1", "--budget", "60s", "--no-db", "--json", "-", "-j", "4",
            cwd=cls.scratch, env=cls.env) for suite in VERDICTS}
        # ctest writes its own log when it is asked for the list of tests.
        after = contents(cls.scratch)
        cls.changed = {name for name in before.keys() | after.keys()
                       if before.get(name) != after.get(name) and "Testing" not in name}

    def for_each(self, check):
        for suite in VERDICTS:
            with self.subTest(suite=suite["folder"] + "/" + suite["name"]):
                ran = self.ran[suite["name"]]
                self.assertIn(ran.code, (0, 1), ran)
                check(suite, ran, ran.json())

    def test_exactly_these_are_dependent(self):
        def check(suite, ran, facts):
            found = {(d["test"], d["role"].replace("-", "_")): d for d in facts["dependences"]}
            wanted = {(d["test"], d["role"]): d for d in suite["dependences"]}
            self.assertEqual(set(found), set(wanted), ran)
            self.assertEqual(facts["nondeterministic"], [], ran)
            self.assertEqual(ran.code, 1 if wanted else 0, ran)
            for key, listed in wanted.items():
                d = found[key]
                self.assertEqual(d["witness"], listed["witness"])
                self.assertEqual(d["alone"]["outcome"], listed["alone"])
                self.assertEqual(d["observed"]["outcome"], listed["observed"])
                if listed["role"] == "victim":
                    self.assertEqual(d["polluters"], listed["polluters"])
                    self.assertEqual(d["cleaners"], listed["cleaners"])
        self.for_each(check)

    def test_the_file_that_carries_it_is_proved(self):
        def check(suite, ran, facts):
            found = {d["test"]: d for d in facts["dependences"]}
            for listed in suite["dependences"]:
                self.assertEqual(len(found[listed["test"]]["carriers"]), 1, ran)
                carrier, wanted = found[listed["test"]]["carriers"][0], listed["carrier"]
                self.assertTrue(carrier["proved"], ran)
                self.assertEqual(carrier["kind"], wanted["kind"])
                if "name" in wanted:
                    self.assertEqual(carrier["name"], wanted["name"])
                else:
                    self.assertTrue(carrier["name"].endswith(wanted["name_ends"]), carrier)
                for word in ("old", "new"):
                    if word in wanted:
                        self.assertEqual(carrier[word], wanted[word])
                self.assertEqual(carrier["write"]["test"], wanted["write"])
                self.assertEqual(carrier["read"]["test"], wanted["read"])
        self.for_each(check)

    def test_tests_and_what_is_declared(self):
        def check(suite, ran, facts):
            listed = gordian.gordian("list", self.build / suite["folder"] / suite["name"],
                                     "--level", "process", "--json", "-", cwd=self.scratch)
            names = [test["name"] for test in listed.json()["suites"][0]["tests"]]
            self.assertEqual(names, suite["tests"], listed)
            declared = [{"test": d["test"], "on": d["on"], "without": d["without"]["outcome"],
                         "needed": d["needed"]} for d in facts["declared"]]
            self.assertEqual(declared, suite.get("declared", []), ran)
        self.for_each(check)

    def test_results_are_those_of_ctest(self):
        for suite in VERDICTS:
            if "results" not in suite:
                continue
            ran = gordian.gordian("run", self.build / suite["folder"] / suite["name"], "--level",
                                  "process", "--no-db", "--json", "-", cwd=self.scratch)
            self.assertEqual(gordian.outcomes(ran.json()), suite["results"], ran)

    def test_real_files_are_as_before(self):
        self.assertEqual(self.changed, set())

    def test_nothing_is_left_running(self):
        self.assertTrue(wait_until(lambda: not processes_of(self.scratch)))

    def ctest(self, copy, home, test):
        env = dict(self.env, HOME=str(home), TMPDIR=str(home))
        ran = subprocess.run(["ctest", "-R", f"^{test}$"], cwd=copy, env=env, check=False,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return "pass" if ran.returncode == 0 else "fail"

    def reference(self, suite, order):
        """What the last test of an order does by plain ctest, from the files of the build."""
        place = self.build / suite["folder"] / suite["name"]
        with tempfile.TemporaryDirectory(prefix="gordian_e2e_") as scratch:
            kept, home = Path(scratch) / "kept", Path(scratch) / "home"
            home.mkdir()
            shutil.copytree(place, kept, symlinks=True)
            try:
                return [self.ctest(place, home, test) for test in order][-1]
            finally:
                shutil.rmtree(place)
                shutil.copytree(kept, place, symlinks=True)

    def test_plain_ctest_agrees(self):
        def check(suite, _, __):
            for d in suite["dependences"]:
                self.assertEqual(self.reference(suite, [d["test"]]), d["alone"])
                witnessed = "pass" if d["role"] == "brittle" else d["observed"]
                self.assertEqual(self.reference(suite, d["witness"]), witnessed)
        self.for_each(check)


class Level(apart.Case):
    """Builds of a few lines: ctest needs no more than its own file."""

    def setUp(self):
        super().setUp()
        self.build = self.dir / "build"
        self.build.mkdir()
        self.lines = []

    def add(self, name, script, **properties):
        self.lines.append(f'add_test({name} "/bin/sh" "-c" [==[{script}]==])')
        for key, value in properties.items():
            self.lines.append(f'set_tests_properties({name} PROPERTIES {key} "{value}")')
        (self.build / "CTestTestfile.cmake").write_text("\n".join(self.lines) + "\n")
        return self

    def polluted(self):
        self.add("fresh", "test ! -e state").add("writes", "echo 1 > state")
        return self.add("idle", "true")

    def detect(self, *words, code=None):
        ran = self.gordian("detect", self.build, "--level", "process", "--seed", "1", "--json", "-",
                           *words)
        if code is not None:
            self.assertEqual(ran.code, code, ran)
        return ran

    def only(self, ran):
        found = ran.json()["dependences"]
        self.assertEqual(len(found), 1, ran)
        return found[0]

    def test_from_detection_to_explanation(self):
        self.polluted()
        found = self.only(self.detect("--budget", "20s", code=1))
        self.assertEqual(found["witness"], ["writes", "fresh"])
        replay = self.gordian("replay", "D1")
        self.assertEqual(replay.code, 1, replay)
        self.assertIn("D1 shows again: fresh gives fail after writes", replay.err)
        explained = self.gordian("explain", "D1")
        self.assertEqual(explained.code, 0, explained)
        self.assertRegex(explained.out, r"carrier +state +\(file\) +proved")
        self.assertIn("not there -> 2 bytes: 1", explained.out)
        self.assertRegex(explained.out, r"written +sh +by writes")
        self.assertRegex(explained.out, r"read +sh +by fresh")
        self.assertIn("with state removed after writes the test passes", explained.out)
        self.assertNotIn("--debugger", explained.out)
        debug = self.gordian("replay", "D1", "--debugger", "gdb")
        self.assertEqual(debug.code, 2, debug)
        self.assertIn("not for --level process", debug.err)

    def test_a_second_search_has_nothing_left_to_do(self):
        self.polluted()
        self.detect(code=1)
        again = self.detect(code=1).json()["search"]
        self.assertEqual(again["earlier"]["kind"], "finished", again)
        self.add("another", "true")
        rebuilt = self.detect(code=1).json()["search"]["earlier"]
        self.assertEqual((rebuilt["kind"], rebuilt["changed_tests"]), ("rebuilt", 1))

    def test_run_alone_and_together(self):
        self.polluted()
        (self.dir / "order").write_text("writes\nfresh\nidle\n")
        words = ("run", self.build, "--level", "process", "--no-db", "--order", self.dir / "order")
        alone = self.run_json(*words, code=0)
        self.assertEqual(set(gordian.outcomes(alone).values()), {"pass"})
        together = self.run_json(*words, "--isolate", "none", code=1)
        self.assertEqual(gordian.outcomes(together),
                         {"writes": "pass", "fresh": "fail", "idle": "pass"})

    def test_a_test_that_stops_whoever_started_it(self):
        self.add("stops", "kill -STOP $PPID").add("idle", "true")
        for isolation in ("none", "process"):
            with self.subTest(isolation=isolation):
                ran = self.apart("run", self.build, "--level", "process", "--no-db", "--isolate",
                                 isolation, "--json", "-", patience=60)
                self.assertEqual(gordian.outcomes(ran.json()), {"stops": "pass", "idle": "pass"})

    def test_shared_beginnings_change_nothing(self):
        """Every order of three tests: as trees of layers, and each by itself."""
        self.add("put", "mkdir -p d && echo 1 > d/f").add("drop", "rm -rf d")
        self.add("link", "test ! -e d/f || ln d/f d/g").add("count", "test $(ls d | wc -l) -lt 2")
        self.add("daemon", "(setsid sleep 1000 > /dev/null 2>&1 &)").add("fresh", "test ! -e d")
        found = []
        for how in ("auto", "process"):
            facts = self.detect("--algorithm", "exhaustive", "-k", "3", "--no-db", "--isolate", how,
                                code=1).json()
            found.append([(d["test"], d["role"], d["witness"], d["polluters"], d["cleaners"])
                          for d in facts["dependences"]])
            self.assertEqual(facts["nondeterministic"], [])
        self.assertEqual(sorted(found[0]), sorted(found[1]))
        self.assertEqual({(test, tuple(witness)) for test, _, witness, _, _ in found[0]},
                         {("fresh", ("put", "fresh")), ("count", ("put", "link", "count"))})

    def test_what_is_declared_hides_no_other_dependence(self):
        self.add("make", "echo good > state").add("spoil", "test ! -e state || echo bad > state")
        self.add("use", "grep -q good state", DEPENDS="make")
        ran = self.detect("--budget", "20s", code=1)
        found = self.only(ran)
        self.assertEqual((found["test"], found["role"]), ("use", "victim"))
        self.assertEqual(found["witness"], ["make", "spoil", "use"])
        declared = ran.json()["declared"]
        self.assertEqual([(d["test"], d["on"], d["needed"]) for d in declared],
                         [("use", ["make"], True)])

    def test_run_gives_each_test_what_it_declares(self):
        self.add("use", "grep -q good state", DEPENDS="make").add("make", "echo good > state")
        run = self.run_json("run", self.build, "--level", "process", "--no-db", code=0)
        self.assertEqual(gordian.order_of(run), ["make", "use"])
        self.assertEqual(gordian.outcomes(run), {"make": "pass", "use": "pass"})

    def test_needless_declarations_are_told(self):
        self.add("first", "true").add("second", "true", DEPENDS="first")
        declared = self.detect(code=0).json()["declared"]
        self.assertEqual([(d["test"], d["needed"]) for d in declared], [("second", False)])

    def test_a_failing_set_up_fails_its_test(self):
        self.add("set_up", "exit 1", FIXTURES_SETUP="f")
        self.add("user", "true", FIXTURES_REQUIRED="f")
        run = self.run_json("run", self.build, "--level", "process", "--no-db", code=1)
        result, = gordian.results(run)
        self.assertEqual((result["test"], result["outcome"]), ("user", "fail"))
        self.assertIn("its set-up set_up failed", result["message"])

    def test_required_files(self):
        self.add("wants", "true", REQUIRED_FILES="input")
        run = self.run_json("run", self.build, "--level", "process", "--no-db", code=1)
        self.assertIn("the required file input is missing", gordian.results(run)[0]["message"])
        (self.build / "input").write_text("")
        self.run_json("run", self.build, "--level", "process", "--no-db", code=0)

    def test_a_crash_ends_nobody_else(self):
        self.add("crashes", "kill -SEGV $$").add("fresh", "test ! -e state")
        self.add("writes", "echo > state")
        found = self.only(self.detect("--budget", "20s", code=1))
        self.assertEqual(found["witness"], ["writes", "fresh"])
        run = self.run_json("run", self.build, "--level", "process", "--isolate", "none", "--no-db")
        self.assertEqual(gordian.outcomes(run)["crashes"], "crash")
        self.assertEqual(gordian.outcomes(run)["writes"], "pass")

    def test_a_time_out_ends_the_whole_tree(self):
        self.add("hangs", "setsid sleep 1000 & sleep 1000", TIMEOUT="1")
        self.add("next", "true")
        run = self.run_json("run", self.build, "--level", "process", "--isolate", "none", "--no-db")
        self.assertEqual(gordian.outcomes(run), {"hangs": "timeout", "next": "pass"})
        self.assertTrue(wait_until(lambda: not processes_of(self.dir)))

    def test_what_is_left_running_ends_with_its_order(self):
        self.add("starts", "(setsid sleep 1000 > /dev/null 2>&1 &) ; touch started")
        self.add("idle", "true")
        self.detect(code=0)
        self.assertTrue(wait_until(lambda: not processes_of(self.dir)))

    def start_hanging(self):
        self.add("hangs", "touch begun; setsid sleep 1000 & sleep 1000")
        process = subprocess.Popen([gordian.BIN, "detect", self.build, "--level", "process",
                                    "--no-db", "--timeout", "0"], cwd=self.dir,
                                   env=gordian.clean_environment(), stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertTrue(wait_until(lambda: any(
            "sleep" in signs[1] for signs in processes_of(self.dir).values())))
        return process

    def test_ctrl_c(self):
        process = self.start_hanging()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(gordian.PATIENCE), 130)
        self.assertTrue(wait_until(lambda: not processes_of(self.dir)))
        self.assertFalse((self.build / "begun").exists())
        self.assertNotIn("gordian-fs", Path("/proc/self/mountinfo").read_text())

    def test_kill_9(self):
        process = self.start_hanging()
        process.kill()
        process.wait(gordian.PATIENCE)
        self.assertTrue(wait_until(lambda: not processes_of(self.dir)), processes_of(self.dir))

    def test_graph(self):
        self.polluted()
        ran = self.gordian("graph", self.build, "--level", "process", "--no-db", "--both-ways",
                           "--json", "-")
        self.assertEqual(ran.code, 0, ran)
        self.assertIn('"state"', ran.out)
        flows = [self.detect("--algorithm", "dataflow", "--both-ways", "--no-db", code=1)]
        self.assertEqual(self.only(flows[0])["witness"], ["writes", "fresh"])

    def test_serial_tests_are_never_together(self):
        """Each would see the other's mark in a directory that is not covered."""
        with tempfile.TemporaryDirectory(dir="/var/lib", prefix="gordian_e2e_") as shared:
            script = f"mkdir {shared}/mark && sleep 0.02 && rmdir {shared}/mark"
            for name in ("one", "two", "three"):
                self.add(name, script, RUN_SERIAL="ON")
            facts = self.detect("-j", "4", "--no-db", code=0).json()
            self.assertEqual(facts["nondeterministic"], [])

    def test_without_a_private_file_system(self):
        self.add("writes", "echo > state")
        ran = self.gordian("run", self.build, "--level", "process", "--private-fs", "off",
                           "--no-db")
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("change your real files", ran.err)
        self.assertTrue((self.build / "state").exists())

    def test_bad_input(self):
        def complaint(*words, code):
            ran = self.gordian(*words, "--level", "process")
            self.assertEqual(ran.code, code, ran)
            return ran.err
        self.assertIn("is not a directory", complaint("detect", gordian.BIN, code=2))
        self.assertIn("not a CMake build with tests", complaint("detect", self.dir, code=3))
        (self.build / "CTestTestfile.cmake").write_text("")
        self.assertIn("has no test that could be run", complaint("list", self.build, code=3))
        (self.build / "CTestTestfile.cmake").write_text('add_test(unbuilt "no_such_program")\n')
        said = complaint("detect", self.build, code=3)
        self.assertIn("cmake --build", said)
        self.add("built", "true")
        self.lines.insert(0, 'add_test(unbuilt "no_such_program")')
        self.add("other", "true")
        ran = self.detect("--no-db", code=0)
        self.assertIn("unbuilt: its program is not built yet", ran.err)
        self.assertIn("--trace is for test binaries",
                      complaint("detect", self.build, "--trace", code=2))
        ran = self.gordian("detect", self.build, "--level", "process", "--", "--arg")
        self.assertEqual(ran.code, 2, ran)


if __name__ == "__main__":
    gordian.main()
