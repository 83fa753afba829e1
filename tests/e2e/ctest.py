#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""gordian_discover_tests: the example project under ctest, as its users would run it.

The example is built once, from an installation and with a multi-configuration generator, and is
shared by the tests. What ctest says is read from its own JUnit file.
"""
import os
import shutil
import signal
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import gordian
from hostile import processes_of, wait_until

CLIENT = gordian.BIN.parent / "gordian-ctest"
SHOP = ["Prices.CanBeRaised", "Receipt.AddsUp", "Receipt.IsPrinted",
        "Receipt.UnknownItemEndsTheProgram", "Delivery.NeedsAVan", "Delivery.TakesAWhile",
        "Delivery.ByDrone", "Counter.StartsAtZero<int>", "Counter.StartsAtZero<unsigned long>",
        'Codes/Discount.IsKnown/"ten % off"', 'Codes/Discount.IsKnown/"2 for 1; today"',
        'Codes/Discount.IsKnown/"[vip]"']


def do(*command, **how):
    how.setdefault("env", gordian.clean_environment())
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=600, check=False, **how)


def must(*command, **how):
    done = do(*command, **how)
    if done.returncode != 0:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return done


class Results:
    """ctest's answer: {test: status} in .status, {test: output} in .output."""

    def __init__(self, build, words, env, code, text):
        self.code, self.text = code, text
        self.status, self.output = {}, {}
        for case in xml.parse(build / "junit.xml").getroot().iter("testcase"):
            self.status[case.get("name")] = case.get("status")
            self.output[case.get("name")] = case.findtext("system-out") or ""


def ctest(build, *words, **environment):
    env = gordian.clean_environment(**environment)
    command = ["ctest", "-C", "Debug", "--output-junit", "junit.xml", *map(str, words)]
    done = do(*command, cwd=build, env=env)
    return Results(build, words, env, done.returncode, done.stdout + done.stderr)


class Example(gordian.Case):
    @classmethod
    def setUpClass(cls):
        cls.place = Path(tempfile.mkdtemp(prefix="gordian_ctest_")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        must("cmake", "--install", gordian.BUILD, "--prefix", cls.place / "prefix")
        cls.build = cls.place / "build"
        must("cmake", "-S", gordian.SOURCE / "examples/ctest", "-B", cls.build,
             "-G", "Ninja Multi-Config", f"-DCMAKE_PREFIX_PATH={cls.place / 'prefix'}")
        must("cmake", "--build", cls.build, "--config", "Debug")

    def setUp(self):
        super().setUp()
        self.addCleanup(self.end_leftovers)

    def end_leftovers(self):
        for pid in processes_of(self.place):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def assert_nothing_left(self):
        self.assertTrue(wait_until(lambda: not processes_of(self.place)), processes_of(self.place))

    def starts(self, *words):
        """How often the program was started for `ctest words`; its note is out of the reach of
        private files."""
        with tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="gordian_starts_") as note:
            ran = ctest(self.build, *words, SHOP_STARTS=note.name)
            return ran, len(Path(note.name).read_text().splitlines())


class Running(Example):
    def test_each_test_has_its_own_result(self):
        ran = ctest(self.build, "-j2")
        want = {name: "run" for name in SHOP}
        want.update({"Delivery.NeedsAVan": "notrun", "Delivery.ByDrone": "disabled",
                     "broken.Broken.NotAtAll": "run"})
        want.update({f"broken.Broken.{name}": "fail"
                     for name in ("Fails", "Crashes", "Exits", "Hangs")})
        self.assertEqual(ran.status, want, ran.text)
        self.assertNotEqual(ran.code, 0)
        self.assertRegex(ran.text, r"Broken\.Crashes \.+Subprocess aborted")
        self.assertRegex(ran.text, r"Broken\.Hangs \.+\*\*\*Timeout")
        self.assertRegex(ran.text, r"Delivery\.NeedsAVan \.+\*\*\*Skipped")
        self.assert_nothing_left()

    def test_the_victim_fails_without_us(self):
        plain = do(self.build / "Debug/shop_tests", cwd=self.build)
        self.assertEqual(plain.returncode, 1, plain.stdout)
        self.assertIn("[  FAILED  ] Receipt.AddsUp", plain.stdout)

    def test_output_is_the_tests_own(self):
        ran = ctest(self.build, "-R", "Receipt.IsPrinted|Broken.Fails|Broken.Crashes")
        self.assertRegex(ran.output["Receipt.IsPrinted"],
                         r"^\[ RUN      \] Receipt.IsPrinted\napple 3\n"
                         r"\[       OK \] Receipt.IsPrinted \(\d+ ms\)\n$")
        failed = ran.output["broken.Broken.Fails"]
        self.assertRegex(failed, r"broken_tests.cc:\d+: Failure\n")
        self.assertIn("arithmetic as usual\n[  FAILED  ] Broken.Fails", failed)
        self.assertIn("SIGABRT", ran.output["broken.Broken.Crashes"])

    def test_one_start_for_all_tests(self):
        ran, starts = self.starts("-L", "shop")
        self.assertEqual(ran.code, 0, ran.text)
        self.assertEqual(len(ran.status), len(SHOP))
        self.assertEqual(starts, 1)

    def test_as_many_starts_as_tests_at_a_time(self):
        for _ in range(3):
            ran, starts = self.starts("-L", "shop", "-j2", "--schedule-random")
            self.assertEqual(ran.code, 0, ran.text)
            self.assertLessEqual(starts, 2)

    def test_the_counter_counts(self):
        """A fresh process for each test is what the tests above would notice."""
        with tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="gordian_starts_") as note:
            for name in SHOP[:3]:
                must(self.build / "Debug/shop_tests", f"--gtest_filter={name}",
                     env=gordian.clean_environment(SHOP_STARTS=note.name))
            self.assertEqual(len(Path(note.name).read_text().splitlines()), 3)

    def test_selections(self):
        self.assertEqual(set(ctest(self.build, "-R", "Receipt").status), set(SHOP[1:4]))
        self.assertEqual(set(ctest(self.build, "-L", "fast").status), set(SHOP))
        self.assertEqual(set(ctest(self.build, "-L", "shop", "-E", "Receipt").status),
                         set(SHOP) - set(SHOP[1:4]))

    def test_rerun_failed(self):
        ctest(self.build, "-R", "Receipt|Broken.Fails|Broken.Exits")
        again = ctest(self.build, "--rerun-failed")
        self.assertEqual(again.status, {"broken.Broken.Fails": "fail", "broken.Broken.Exits": "fail"})

    def test_time_limit_of_the_command_line(self):
        ran = ctest(self.build, "-R", "TakesAWhile", "--timeout", "0.1")
        self.assertIn("***Timeout", ran.text)
        self.assert_nothing_left()

    def test_a_hang_does_not_disturb_the_others(self):
        ran = ctest(self.build, "-L", "broken", "--repeat", "until-fail:2", "-E", "Fails|Crash|Exit")
        self.assertEqual(ran.status, {"broken.Broken.Hangs": "fail", "broken.Broken.NotAtAll": "run"})

    def test_xml_reports(self):
        shutil.rmtree(self.build / "xml", ignore_errors=True)
        ctest(self.build, "-R", "Broken.Fails|NotAtAll")
        failed = xml.parse(self.build / "xml/broken.Broken.Fails.xml").getroot()
        self.assertIn("arithmetic", next(failed.iter("failure")).get("message") +
                      (next(failed.iter("failure")).text or ""))
        passed = xml.parse(self.build / "xml/broken.Broken.NotAtAll.xml").getroot()
        self.assertEqual(list(passed.iter("failure")), [])


class Ending(Example):
    """Whatever ends ctest, or the server: nothing is left, and every test has a result."""

    def start(self, *words):
        process = subprocess.Popen([str(word) for word in words], cwd=self.build,
                                   env=gordian.clean_environment(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertTrue(wait_until(self.forked_programs), processes_of(self.place))
        return process

    def forked_programs(self):
        """The program before its first test, and the fork that hangs."""
        running = [signs for signs in processes_of(self.place).values()
                   if signs[0].endswith("/broken_tests")]
        return len(running) >= 2

    def servers(self):
        found = {pid for pid, signs in processes_of(self.place).items()
                 if "ctest-serve" in signs[1] and "broken_tests" not in signs[0]}
        # workers are forks of it
        return {pid for pid in found
                if int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
                not in found}

    def test_ctrl_c(self):
        process = self.start("ctest", "-C", "Debug", "-R", "Hangs")
        os.killpg(process.pid, signal.SIGINT)
        process.wait(gordian.PATIENCE)
        self.assert_nothing_left()

    def test_kill_9(self):
        process = self.start("ctest", "-C", "Debug", "-R", "Hangs")
        process.kill()
        process.wait(gordian.PATIENCE)
        self.assert_nothing_left()

    def test_client_killed(self):
        process = self.start(CLIENT, self.build / "Debug/broken_tests", "Broken.Hangs", "--")
        process.kill()
        process.wait(gordian.PATIENCE)
        self.assertTrue(wait_until(lambda: not self.forked_programs()))

    def test_idle_server_ends(self):
        must(CLIENT, self.build / "Debug/shop_tests", "Receipt.AddsUp", "--", cwd=self.build)
        self.assertNotEqual(processes_of(self.place), {})
        self.assert_nothing_left()

    def test_server_killed(self):
        process = self.start(CLIENT, self.build / "Debug/broken_tests", "Broken.Hangs", "--")
        servers = self.servers()
        self.assertEqual(len(servers), 1, processes_of(self.place))
        os.kill(servers.pop(), signal.SIGKILL)
        line = process.stdout.readline()
        self.assertRegex(line, "run in a fresh process: .*the batch server (was )?ended")
        process.kill()
        self.assert_nothing_left()


class Client(gordian.Case):
    def client(self, *words):
        return do(CLIENT, *words, cwd=self.dir)

    def test_a_rebuilt_binary_is_another_batch(self):
        binary = self.zoo_copy("guilty/singleton", self.dir)
        self.assertEqual(self.client(binary, "SettingsTest.AreQuiet").returncode, 0)
        binary.unlink()
        shutil.copy2(self.zoo("clean/always_skip"), binary)
        self.assertEqual(self.client(binary, "NeedsHardware.Blinks").returncode, 77)

    def test_unknown_test(self):
        """The framework takes a filter that matches nothing for success."""
        ran = self.client(self.zoo("guilty/singleton"), "SettingsTest.IsNoMore")
        self.assertEqual(ran.returncode, 2, ran)
        self.assertIn("has no test called SettingsTest.IsNoMore", ran.stderr)

    def test_unservable_binary(self):
        ran = self.client(self.zoo("hostile/exits_before_tests"), "Harmless.Passes")
        self.assertEqual(ran.returncode, 5, ran)
        self.assertIn("run in a fresh process:", ran.stderr)

    def test_skip_in_a_fresh_process(self):
        """An option that no server takes: the client helps itself, and says so."""
        ran = self.client("--isolate=magic", self.zoo("clean/always_skip"), "NeedsHardware.Blinks")
        self.assertEqual(ran.returncode, 77, ran)
        self.assertIn("--isolate", ran.stderr)

    def test_failed_global_set_up_is_no_skip(self):
        """gtest_discover_tests takes it for one: the framework prints SKIPPED, and exits with 1."""
        binary = self.zoo("hostile/environment_fails")
        self.assertEqual(do(binary, "--gtest_filter=Harmless.First", cwd=self.dir).returncode, 1)
        ran = self.client(binary, "Harmless.First")
        self.assertEqual(ran.returncode, 1, ran)
        self.assertIn("no environment", ran.stdout)

    def test_output_of_a_passing_test(self):
        """What it leaves in stdout's buffer counts; what looks like the framework's does not."""
        for isolation in ("fork", "process"):
            with self.subTest(isolation=isolation):
                ran = self.client(f"--isolate={isolation}", self.zoo("clean/prints_a_lot"),
                                  "Noise.Imitates")
                self.assertEqual(ran.returncode, 0, ran)
                self.assertIn("[ RUN      ] Noise.Nobody\n[       OK ] Noise.Imitates", ran.stdout)

    def test_usage(self):
        self.assertEqual(self.client("--help").returncode, 0)
        self.assertEqual(self.client().returncode, 2)
        self.assertEqual(self.client(self.dir / "nothing", "A.B").returncode, 3)


class BesideGtestDiscoverTests(gordian.Case):
    """The same binaries through both functions: same names, same results."""

    BINARIES = ("clean/parametrised", "clean/typed", "clean/disabled_tests", "clean/death_fast",
                "clean/death_threadsafe", "clean/always_skip", "clean/stable_failure",
                "clean/stable_crash_middle", "clean/throws_exceptions", "clean/global_environment",
                "clean/own_main_listener", "guilty/singleton", "guilty/param_victim",
                "guilty/brittle_init", "guilty/suite_fixture_once",
                "hostile/thread_before_tests")

    def test_same_names_and_results(self):
        lines = ["cmake_minimum_required(VERSION 3.19)", "project(both NONE)", "enable_testing()",
                 "include(GoogleTest)", "find_package(gordian REQUIRED)"]
        for number, name in enumerate(self.BINARIES):
            lines += [f"add_executable(t{number} IMPORTED)",
                      f"set_target_properties(t{number} PROPERTIES IMPORTED_LOCATION "
                      f"{self.zoo(name)})"]
            lines += [f"{function}(t{number} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 "
                      f"TEST_PREFIX {prefix}:t{number}: EXTRA_ARGS --an_argument)"
                      for function, prefix in (("gtest_discover_tests", "plain"),
                                               ("gordian_discover_tests", "gordian"))]
        (self.dir / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
        build = self.dir / "build"
        must("cmake", "-S", self.dir, "-B", build, "-G", "Ninja", f"-Dgordian_DIR={gordian.BUILD}")
        ran = ctest(build, "-j2")
        by_function = {"plain": {}, "gordian": {}}
        for name, status in ran.status.items():
            function, rest = name.split(":", 1)
            by_function[function][rest] = status
        self.assertGreater(len(by_function["plain"]), 40, ran.text)
        self.assertEqual(by_function["gordian"], by_function["plain"])
        self.assertNotIn("fresh process", "".join(ran.output.values()))


class Mistakes(gordian.Case):
    def configure(self, call):
        (self.dir / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.19)\nproject(wrong NONE)\nenable_testing()\n"
            "find_package(gordian REQUIRED)\nadd_executable(t IMPORTED)\n"
            f"set_target_properties(t PROPERTIES IMPORTED_LOCATION {self.zoo('clean/typed')})\n"
            f"{call}\n")
        return do("cmake", "-S", self.dir, "-B", self.dir / "b", "-G", "Ninja",
                  f"-Dgordian_DIR={gordian.BUILD}")

    def test_unknown_word(self):
        self.assertIn("unknown words: TEST_PREFFIX",
                      self.configure("gordian_discover_tests(t TEST_PREFFIX a)").stderr)

    def test_unknown_mode(self):
        self.assertIn("POST_BUILD or PRE_TEST",
                      self.configure("gordian_discover_tests(t DISCOVERY_MODE LATER)").stderr)

    def test_isolation_that_is_none(self):
        made = self.configure("gordian_discover_tests(t DISCOVERY_MODE PRE_TEST ISOLATE none)")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("--isolate none makes no sense",
                      do("ctest", "-N", cwd=self.dir / "b").stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
