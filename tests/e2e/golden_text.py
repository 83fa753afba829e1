#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What every command shows, on a terminal and in a pipe, as golden files. `doctor` is left out: its
text is about the machine. One job and a named isolation, so that no machine makes a difference."""
import shutil

import golden
import gordian

PLAIN = ("--isolate", "fork", "-j1")


class Tests(golden.GoldenCase):
    """Commands that run tests."""

    def both(self, name, *words, **how):
        self.assert_golden_both(name, *words, **how)

    def test_list(self):
        self.both("list", "list", self.zoo("guilty/singleton"))

    def test_run_that_passes(self):
        self.both("run_pass", "run", self.zoo("clean/singleton_reset"), *PLAIN, "--no-db")

    def test_run_with_a_line_for_each(self):
        self.both("run_verbose", "run", self.zoo("clean/always_skip"), *PLAIN, "-v", "--no-db")

    def test_run_that_fails(self):
        self.both("run_fail", "run", self.zoo("clean/stable_failure"), *PLAIN)

    def test_run_that_crashes(self):
        self.both("run_crash", "run", self.zoo("clean/stable_crash_middle"), *PLAIN,
                  "--no-crash-stacks")

    def test_run_that_hangs(self):
        """The stack of the hanging test depends on the C library: only the summary is compared."""
        text = self.in_pipe("run", self.zoo("hostile/hangs"), *PLAIN, "--timeout", "300ms", code=1)
        self.assert_golden("run_hang.pipe.txt", text[text.index("  Summary"):])

    def test_run_in_one_process_that_ends_early(self):
        self.both("run_not_run", "run", self.zoo("clean/stable_crash_middle"), "--isolate", "none",
                  "-j1", "--no-crash-stacks")

    def test_several_binaries(self):
        self.both("run_several", "run", self.zoo("clean/singleton_reset"),
                  self.zoo("clean/stable_failure"), *PLAIN)

    def test_dumb_terminal_and_no_colours(self):
        words = ("run", self.zoo("clean/stable_failure"), *PLAIN, "--no-db")
        self.assert_golden("run_fail.dumb.txt", self.on_terminal(*words, TERM="dumb"))
        self.assert_golden("run_fail.no_color.txt", self.on_terminal(*words, "--no-color"))


class Searches(golden.GoldenCase):
    """Commands around one search of the README's suite."""

    def setUp(self):
        super().setUp()
        shutil.copy2(self.zoo("guilty/singleton"), self.dir / "settings_test")

    def search(self):
        return ("detect", "./settings_test", "--algorithm", "exhaustive", "--isolate", "fork",
                "--seed", "1", "--full")

    def test_detect(self):
        self.assert_golden_both("detect", *self.search())

    def test_detect_that_finds_nothing(self):
        self.assert_golden_both("detect_clean", "detect", self.zoo("clean/singleton_reset"),
                                "--algorithm", "exhaustive", "--isolate", "fork", "--seed", "1",
                                "--no-db")

    def test_what_follows(self):
        self.in_pipe(*self.search(), code=1)
        self.assert_golden_both("explain", "explain", "D1", "--again")
        self.assert_golden_both("report", "report")
        self.assert_golden_both("replay_dependence", "replay", "D1")
        self.in_pipe("run", "./settings_test", *PLAIN, code=0)
        self.assert_golden_both("replay_run", "replay", "R3")

    def test_graph(self):
        self.assert_golden_both("graph", "graph", "./settings_test", "--no-db", "--both-ways")

    def test_config(self):
        (self.dir / ".gordian.toml").write_text(
            "[profile.default]\ntimeout = \"30s\"\n[profile.default.detect]\ntimeout = \"5s\"\n"
            "[profile.ci]\nfail-fast = true\n[[override]]\nfilter = \"SettingsTest.Are*\"\n"
            "timeout = \"2m\"\nserial = true\nignore-state = [\"g_*\"]\n[ignore]\nfiles = [\"/var/x/\"]\n")
        self.assert_golden_both("config", "config", "--profile", "ci", "./settings_test",
                                GORDIAN_JOBS="3")
        self.assert_golden_both("config_explain", "config", "--explain")


class Words(golden.GoldenCase):
    """Commands that run nothing."""

    def test_help(self):
        self.assert_golden("help.pipe.txt", self.in_pipe("help", code=0))
        for name in ("run", "detect", "explain", "replay", "config"):
            self.assert_golden(f"help_{name}.pipe.txt", self.in_pipe(name, "--help", code=0))
        self.assert_golden("help_verdicts.pipe.txt", self.in_pipe("help", "verdicts", code=0))

    def test_ignore(self):
        self.assert_golden("ignore.pipe.txt",
                           self.in_pipe("ignore", "Cache::entries", "/tmp/x", code=0))
        self.assert_golden_both("ignore_list", "ignore", "--list")
        self.assertEqual((self.dir / ".gordian.toml").read_text(),
                         '[ignore]\nfiles = ["/tmp/x"]\nvariables = ["Cache::entries"]\n')

    def test_cxxflags(self):
        self.assert_golden("cxxflags.pipe.txt",
                           self.in_pipe("cxxflags", "--compiler", "gcc", code=0))

    def test_what_is_mistyped(self):
        lines = []
        for words in (["detekt", "x"], ["run", "x", "--timout", "1s"], ["run", "x", "--isolate", "forc"],
                      ["help", "verdict"], ["run"], ["run", "no_such_test"], ["explain", "D1"],
                      ["replay", "X1"], ["run", "x", "--timeout", "soon"],
                      ["run", "x", "--profile", "ci"], ["run", "x", "--color", "allways"]):
            lines.append(f"$ gordian {' '.join(words)}\n{self.in_pipe(*words)}")
        self.assert_golden("mistyped.pipe.txt", "".join(lines))


if __name__ == "__main__":
    gordian.main()
