#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""`.gordian.toml`: profiles, overrides and the environment act on what commands do; what is wrong is
said with its place; `gordian config` tells where values come from."""
import subprocess
import time

import gordian

USAGE = 2


class Config(gordian.Case):
    def config(self, text, at=None):
        path = (at or self.dir) / ".gordian.toml"
        path.write_text(text)
        return path

    def outcomes(self, *words, env=None):
        return gordian.outcomes(self.run_json("run", *words, "--no-db", env=env))

    def jobs(self, *words, **env):
        run = self.run_json("run", self.zoo("clean/parametrised"), *words, "--no-db",
                            env=gordian.clean_environment(**env))
        return run["header"]["jobs"]


class Precedence(Config):
    def test_each_beats_the_next(self):
        self.config("[profile.default]\njobs = 2\n[profile.ci]\njobs = 3\n")
        self.assertEqual(self.jobs(), 2)
        self.assertEqual(self.jobs("--profile", "ci"), 3)
        self.assertEqual(self.jobs(GORDIAN_PROFILE="ci"), 3)
        self.assertEqual(self.jobs("--profile", "default", GORDIAN_PROFILE="ci"), 2)
        self.assertEqual(self.jobs("--profile", "ci", GORDIAN_JOBS="4"), 4)
        self.assertEqual(self.jobs("-j5", "--profile", "ci", GORDIAN_JOBS="4"), 5)

    def test_ci_is_never_chosen_by_itself(self):
        self.config("[profile.default]\njobs = 2\n[profile.ci]\njobs = 3\n")
        self.assertEqual(self.jobs(CI="true"), 2)

    def test_the_file_is_looked_for_up_to_the_repository(self):
        deep = self.dir / "a" / "b"
        deep.mkdir(parents=True)
        self.config("[profile.default]\nfail-on = \"none\"\n")
        ran = self.gordian("detect", self.zoo("guilty/global_int"), "--no-db", cwd=deep)
        self.assertEqual(ran.code, 0, ran)
        (self.dir / "a" / ".git").mkdir()
        ran = self.gordian("detect", self.zoo("guilty/global_int"), "--no-db", cwd=deep)
        self.assertEqual(ran.code, 1, ran)

    def test_paths_are_relative_to_the_file(self):
        deep = self.dir / "deep"
        deep.mkdir()
        self.config("[profile.default]\ndb = \"kept/runs.db\"\njunit = \"j.xml\"\n")
        self.gordian("run", self.zoo("clean/parametrised"), cwd=deep)
        self.assertTrue((self.dir / "kept" / "runs.db").exists())
        self.assertTrue((self.dir / "j.xml").exists())
        self.assertEqual(list(deep.iterdir()), [])

    def test_colours(self):
        self.config("[profile.default]\ncolor = \"always\"\n")
        self.assertIn("\x1b[", self.gordian("run", self.zoo("clean/stable_failure")).err)
        for words, env in ((["--no-color"], {}), (["--color", "never"], {}),
                           ([], {"GORDIAN_COLOR": "never"})):
            ran = self.gordian("run", self.zoo("clean/stable_failure"), *words,
                               env=gordian.clean_environment(**env))
            self.assertNotIn("\x1b[", ran.err, ran)


class Overrides(Config):
    def test_timeout_in_run(self):
        binary = self.zoo("hostile/hangs")
        for isolation in ("none", "fork", "process"):
            with self.subTest(isolation=isolation):
                self.config("[[override]]\nfilter = \"*Hangs*\"\ntimeout = \"300ms\"\n")
                began = time.monotonic()
                run = self.run_json("run", binary, "--no-db", "--isolate", isolation)
                self.assertLess(time.monotonic() - began, 50)
                hung = [r for r in gordian.results(run) if r["outcome"] == "timeout"]
                self.assertEqual([r["test"] for r in hung], ["Hostile.Hangs"], run)

    def test_a_longer_limit_than_all_others(self):
        self.config("[profile.default]\ntimeout = \"50ms\"\n"
                    "[[override]]\nfilter = \"Slow.Sleeps\"\ntimeout = \"20s\"\n")
        binary = self.slow_suite()
        self.assertEqual(self.outcomes(binary, "--filter", "Slow.Sleeps"),
                         {"Slow.Sleeps": "pass"})
        self.assertEqual(self.outcomes(binary, "--filter", "Slow.Hangs"),
                         {"Slow.Hangs": "timeout"})

    def test_the_command_line_counts_more(self):
        self.config("[[override]]\nfilter = \"*\"\ntimeout = \"1h\"\n")
        for words, env in ((["--timeout", "300ms"], {}), ([], {"GORDIAN_TIMEOUT": "300ms"})):
            self.assertEqual(self.outcomes(self.slow_suite(), "--filter", "Slow.Hangs", *words,
                                           env=gordian.clean_environment(**env)),
                             {"Slow.Hangs": "timeout"})

    def test_timeout_in_detect(self):
        """Without the override this search would never end: there is no limit for other tests."""
        self.config("[profile.default]\ntimeout = 0\n"
                    "[[override]]\nfilter = \"*Hangs*\"\ntimeout = \"200ms\"\n")
        ran = self.gordian("detect", self.zoo("hostile/hangs"), "--algorithm", "isolation",
                           "--no-db", "--json", "-")
        self.assertEqual(ran.code, 0, ran)
        self.assertEqual(ran.json()["dependences"], [])

    def test_serial(self):
        """Tests that note when they run: serial ones never at the same time as another."""
        binary = self.slow_suite()
        def overlaps(*words):
            log = self.dir / "log"
            log.write_text("")
            run = self.run_json("run", binary, "--no-db", "--filter", "Noted.*", "-j4",
                                "--private-fs", "off", "--isolate", "fork", *words,
                                env=gordian.clean_environment(SPAN_LOG=str(log)))
            self.assertEqual(set(gordian.outcomes(run).values()), {"pass"}, run)
            self.assertEqual(gordian.order_of(run), [r["test"] for r in gordian.results(run)])
            spans = [(float(a), float(b), name) for name, a, b in
                     (line.split() for line in log.read_text().splitlines())]
            self.assertEqual(len(spans), 6)
            return {x[2] for x in spans for y in spans
                    if x is not y and x[0] < y[1] and y[0] < x[1]}
        self.assertEqual(len(overlaps()), 6, "they do run at the same time, without a word")
        self.config("[[override]]\nfilter = \"Noted.Alone*\"\nserial = true\n")
        self.assertEqual(overlaps(), {"Noted.Free1", "Noted.Free2", "Noted.Free3"})

    def slow_suite(self):
        binary = gordian.BUILD / "e2e_config" / "slow_suite"
        return build_suite(binary, SLOW)

    def test_ignored_states_of_some_tests(self):
        binary = self.zoo("guilty/global_int")
        def dependences():
            """In the default order backwards, where the polluter comes first."""
            flows = self.run_json("graph", binary, "--no-db", "--both-ways")["data_flows"]
            return [d for flow in flows for d in flow["dependences"]]
        before = dependences()
        self.assertTrue(before)
        self.config("[[override]]\nfilter = \"Account.StartsEmpty\"\nignore-state = [\"g_*\"]\n")
        after = dependences()
        self.assertLess(len(after), len(before))
        self.assertFalse([d for d in after if "Account.StartsEmpty" in (d["reader"], d["writer"])])
        self.config("[[override]]\nfilter = \"Nobody.*\"\nignore-state = [\"g_*\"]\n")
        self.assertEqual(len(dependences()), len(before))


SLOW = r"""#include <gtest/gtest.h>
#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
TEST(Slow, Sleeps) { sleep(2); }
TEST(Slow, Hangs) { for (;;) pause(); }
static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
static void note(const char* name) {
  const char* log = std::getenv("SPAN_LOG");
  if (log == nullptr) return;
  const double begin = now();
  usleep(300000);
  std::FILE* file = std::fopen(log, "a");
  std::fprintf(file, "Noted.%s %f %f\n", name, begin, now());
  std::fclose(file);
}
TEST(Noted, Free1) { note("Free1"); }
TEST(Noted, Alone1) { note("Alone1"); }
TEST(Noted, Free2) { note("Free2"); }
TEST(Noted, Alone2) { note("Alone2"); }
TEST(Noted, Free3) { note("Free3"); }
TEST(Noted, Alone3) { note("Alone3"); }
"""


def build_suite(binary, text):
    """Compiled once, kept in the build directory."""
    source = binary.with_suffix(".cc")
    if binary.exists() and source.exists() and source.read_text() == text:
        return binary
    binary.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    subprocess.run(["c++", "-std=c++17", "-g", source, "-o", binary, "-lgtest", "-lgtest_main",
                    "-pthread"], check=True)
    return binary


class Wrong(Config):
    def refused(self, text, *says):
        path = self.config(text)
        ran = self.gordian("run", self.zoo("clean/parametrised"), "--no-db")
        self.assertEqual(ran.code, USAGE, ran)
        for part in says:
            self.assertIn(part.replace("FILE", str(path)), ran.err)

    def test_what_is_wrong_is_said_with_its_place(self):
        self.refused("[profile.default]\n timout = \"5s\"\n", "FILE:2:2: ", "did you mean 'timeout'?")
        self.refused("[profile.default]\njobs = \"4\"\n", "FILE:2:8: ", "whole number")
        self.refused("[profile.default.rnu]\njobs = 4\n", "FILE:2:1: ", "[profile.default.run]?")
        self.refused("[profile.default]\nisolate = \"none\"\n", "FILE:2:1: ", "gordian detect",
                     "[profile.default.COMMAND]")
        self.refused("[profile.ci]\njobs = 4000\n", "FILE:2:1: ", "4000")
        self.refused("[profile.default.explain]\njobs = 4\n", "FILE:2:1: ", "no setting of gordian explain")
        self.refused("[profile.default\n", "FILE:1:")

    def test_profiles(self):
        ran = self.gordian("run", self.zoo("clean/parametrised"), "--profile", "ci")
        self.assertEqual(ran.code, USAGE, ran)
        self.assertIn("no .gordian.toml", ran.err)
        self.config("[profile.nightly]\njobs = 1\n")
        ran = self.gordian("run", self.zoo("clean/parametrised"), "--profile", "nigthly")
        self.assertEqual(ran.code, USAGE, ran)
        self.assertIn("did you mean 'nightly'?", ran.err)

    def test_help_works_all_the_same(self):
        self.config("nonsense = 1\n")
        for words in (["help"], ["--help"], ["run", "--help"], ["completion", "bash"]):
            self.assertEqual(self.gordian(*words).code, 0, words)


class Trust(Config):
    """Who can put a file where it is found must not decide what we do."""

    def setUp(self):
        super().setUp()
        self.planted = self.config("[profile.default]\njobs = 2\nbuild = \"touch was_run\"\n")
        self.dir.chmod(0o1777)  # as /tmp is
        self.mine = self.dir / "mine"
        self.mine.mkdir()

    def run_in_mine(self, *words, **env):
        return self.gordian("run", self.zoo("clean/parametrised"), "--json", "-", "--no-db", *words,
                            cwd=self.mine, env=gordian.clean_environment(**env))

    def test_a_file_that_anybody_could_have_put_there_is_not_obeyed_and_that_is_said(self):
        ran = self.run_in_mine("-j1")
        self.assertEqual(ran.code, 0, ran)
        self.assertIn(f"{self.planted} is not obeyed: {self.dir} can be written by every user", ran.err)
        self.assertIn("--config FILE", ran.err)
        built_in = self.gordian("config", "--json", cwd=self.mine).json()
        self.assertNotIn("was_run", str(built_in))

    def test_who_names_it_trusts_it(self):
        for words, env in ((("--config", self.planted), {}), (("--config", "../.gordian.toml"), {}),
                           ((), {"GORDIAN_CONFIG": str(self.planted)})):
            ran = self.run_in_mine(*words, **env)
            self.assertEqual(ran.json()["header"]["jobs"], 2, ran)
            self.assertNotIn("not obeyed", ran.err)
        ran = self.run_in_mine("--config", "no_such.toml")
        self.assertEqual(ran.code, USAGE, ran)

    def test_nothing_is_written_into_it(self):
        before = self.planted.read_text()
        ran = self.gordian("ignore", "--variable", "g_cache", cwd=self.mine)
        self.assertEqual(ran.code, USAGE, ran)
        self.assertIn("not obeyed", ran.err)
        self.assertEqual(self.planted.read_text(), before)
        self.assertEqual(list(self.mine.iterdir()), [])

    def test_a_command_of_a_file_is_shown_before_it_runs(self):
        words = ("fix", "D1", "--db", self.mine / "none.db")
        ran = self.gordian(*words, "--config", self.planted, cwd=self.mine)
        self.assertIn(f"{self.planted}:3:1 [profile.default] has this command run: ", ran.err)
        self.assertIn("touch was_run", ran.err)
        self.assertNotIn("touch was_run", self.gordian(*words, cwd=self.mine).err)


class Shown(Config):
    def shown(self, *words, **env):
        ran = self.gordian("config", "--json", *words, env=gordian.clean_environment(**env))
        self.assertEqual(ran.code, 0, ran)
        return ran.json()

    def test_where_each_value_comes_from(self):
        path = self.config("[profile.default]\ntimeout = \"7s\"\n[profile.default.detect]\n"
                           "timeout = 3\n[profile.ci]\nbudget = \"2m\"\n")
        facts = self.shown("--profile", "ci", GORDIAN_SLOW="9s")
        self.assertEqual((facts["kind"], facts["version"], facts["profile"], facts["file"]),
                         ("config", 1, "ci", str(path)))
        value = {(v["key"], v["command"]): v for v in facts["values"]}
        def of(key, command):
            v = value[key, command]
            return v["value"], v["origin"], v["line"]
        self.assertEqual(of("timeout", "run"), ("7s", "default_profile", 2))
        self.assertEqual(of("timeout", "detect"), ("3", "default_profile", 4))
        self.assertEqual(of("budget", "detect"), ("2m", "profile", 6))
        self.assertEqual(of("slow", "run"), ("9s", "environment", None))
        self.assertEqual(value["slow", "run"]["variable"], "GORDIAN_SLOW")
        self.assertEqual(of("isolate", "run"), ("auto", "built_in", None))

    def test_what_is_shown_is_what_holds(self):
        """Each shown value is the one that a run records."""
        self.config("[profile.default]\njobs = 3\ntimeout = \"7s\"\n[profile.default.run]\njobs = 2\n")
        shown = {v["key"]: v["value"] for v in self.shown()["values"] if v["command"] == "run"}
        run = self.run_json("run", self.zoo("clean/parametrised"), "--no-db")
        self.assertEqual((str(run["header"]["jobs"]), run["header"]["test_timeout_ms"]), (shown["jobs"], 7000))
        self.assertEqual(shown["jobs"], "2")

    def test_overrides_of_a_target(self):
        self.config("[[override]]\nfilter = \"Account.*-*Grows*\"\nserial = true\n")
        override, = self.shown(self.zoo("guilty/global_int"))["overrides"]
        target, = override["targets"]
        self.assertIn("Account.StartsEmpty", target["tests"])
        self.assertNotIn("Account.DepositGrowsBalance", target["tests"])

    def test_without_a_file(self):
        facts = self.shown()
        self.assertIsNone(facts["file"])
        self.assertEqual({v["origin"] for v in facts["values"]}, {"built_in"})


if __name__ == "__main__":
    gordian.main()
