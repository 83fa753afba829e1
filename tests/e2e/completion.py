#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Completion in bash, zsh and fish, and the manual page: each as its own program sees it."""
import os
import shutil
import subprocess
import unittest

import gordian

# Completes one command line as bash does: words and the place of the cursor in, candidates out.
BASH = r"""
source "$1"; shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
COMPREPLY=()
_gordian
printf '%s\n' "${COMPREPLY[@]}"
"""


class Bash(gordian.Case):
    def setUp(self):
        super().setUp()
        self.script = self.dir / "gordian.bash"
        self.script.write_text(self.gordian("completion", "bash").out)

    def complete(self, *words):
        """Candidates for the last of the words behind `gordian`."""
        command = ["bash", "--norc", "-u", "-c", BASH, "bash", self.script, gordian.BIN, *words]
        ran = subprocess.run(command, cwd=self.dir, env=gordian.clean_environment(), text=True,
                             capture_output=True, timeout=gordian.PATIENCE, check=False)
        self.assertEqual(ran.stderr, "")
        return ran.stdout.split()

    def test_commands(self):
        self.assertIn("detect", self.complete(""))
        self.assertEqual(self.complete("expl"), ["explain"])
        self.assertNotIn("ctest-serve", self.complete(""))

    def test_options_of_the_command(self):
        self.assertEqual(self.complete("run", "--total"), ["--total-timeout"])
        self.assertIn("--estimate", self.complete("detect", "x", "--"))
        self.assertNotIn("--estimate", self.complete("run", "x", "--"))

    def test_values(self):
        self.assertEqual(self.complete("run", "--isolate", ""),
                         ["auto", "none", "snapshot", "fork", "process"])
        self.assertEqual(self.complete("run", "--isolate", "=", "fo"), ["fork"])
        self.assertEqual(self.complete("detect", "--color", "a"), ["auto", "always"])
        self.assertEqual(self.complete("run", "--timeout", ""), [])

    def test_files(self):
        (self.dir / "my_test").write_text("")
        (self.dir / "order.txt").write_text("")
        self.assertEqual(self.complete("run", "my"), ["my_test"])
        self.assertEqual(self.complete("run", "my_test", "--junit", "or"), ["order.txt"])
        self.assertEqual(self.complete("run", "my_test", "--", "or"), ["order.txt"])

    def test_topics_and_shells(self):
        self.assertEqual(self.complete("help", "verd"), ["verdicts"])
        self.assertEqual(self.complete("completion", ""), ["bash", "zsh", "fish"])

    def test_stored_ids(self):
        self.assertEqual(self.complete("explain", ""), [])
        self.gordian("detect", self.zoo("guilty/global_int"))
        self.gordian("run", self.zoo("guilty/global_int"))
        self.assertEqual(self.complete("explain", "D"), ["D1"])
        self.assertEqual(self.complete("replay", "R"), ["R1"])
        os.rename(self.dir / ".gordian", self.dir / "elsewhere")
        self.assertEqual(self.complete("replay", "D"), [])
        self.assertEqual(self.complete("replay", "--db", "elsewhere/gordian.db", "D"), ["D1"])
        self.assertFalse((self.dir / ".gordian").exists(), "completing leaves nothing behind")

    def test_a_broken_database_is_no_noise(self):
        (self.dir / ".gordian").mkdir()
        (self.dir / ".gordian" / "gordian.db").write_text("this is no database" * 100)
        self.assertEqual(self.complete("explain", ""), [])

    def test_shellcheck(self):
        if not shutil.which("shellcheck"):
            self.skipTest("shellcheck is not installed")
        ran = subprocess.run(["shellcheck", "-s", "bash", "-S", "error", self.script], text=True,
                             capture_output=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout)


class OtherShells(gordian.Case):
    def parse(self, shell, *options):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed")
        script = self.dir / "script"
        script.write_text(self.gordian("completion", shell).out)
        ran = subprocess.run([shell, *options, script], text=True, capture_output=True, check=False)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        return script

    def test_zsh_parses_it(self):
        self.parse("zsh", "-n")

    def test_zsh_loads_it(self):
        script = self.parse("zsh", "-n")
        (self.dir / "_gordian").write_text(script.read_text())
        ran = subprocess.run(["zsh", "-f", "-c", "fpath=($PWD $fpath); autoload -Uz compinit; compinit "
                              "-u -D; print $_comps[gordian]; autoload +X _gordian"],
                             cwd=self.dir, text=True, capture_output=True, check=False)
        self.assertEqual((ran.stdout, ran.stderr), ("_gordian\n", ""))

    def test_fish_parses_it(self):
        self.parse("fish", "--no-execute")

    def test_fish_completes(self):
        script = self.parse("fish", "--no-execute")
        def complete(line):
            path = f"{gordian.BIN.parent}:{os.environ['PATH']}"
            ran = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"],
                                 cwd=self.dir, env=gordian.clean_environment(PATH=path, HOME=str(self.dir)),
                                 text=True, capture_output=True, check=False)
            return [word.split("\t")[0] for word in ran.stdout.splitlines()]
        self.assertEqual(complete("gordian expl"), ["explain"])
        self.assertEqual(complete("gordian run --isolate fo"), ["fork"])
        self.assertIn("--total-timeout", complete("gordian run --total"))

    def test_an_unknown_shell(self):
        ran = self.gordian("completion", "bahs")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("bash", ran.err)


class ManPage(gordian.Case):
    def setUp(self):
        super().setUp()
        self.page = self.dir / "gordian.1"
        self.page.write_text(self.gordian("man").out)

    def test_groff_has_nothing_to_say(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        ran = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", self.page], text=True,
                             capture_output=True, check=False)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def test_it_can_be_read(self):
        if not shutil.which("man"):
            self.skipTest("man is not installed")
        ran = subprocess.run(["man", "--warnings", "-l", self.page], text=True, capture_output=True,
                             env=gordian.clean_environment(MANWIDTH="80", MAN_KEEP_FORMATTING="",
                                                           PAGER="cat"), check=False)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        for word in ("gordian detect", "--algorithm", "EXIT-CODES", "--isolate", "polluter"):
            self.assertIn(word, ran.stdout)

    def test_mandoc_finds_no_error(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed")
        ran = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", self.page], text=True,
                             capture_output=True, check=False)
        self.assertEqual(ran.stdout, "")


class Installed(gordian.Case):
    def test_in_the_usual_places(self):
        ran = subprocess.run(["cmake", "--install", gordian.BUILD, "--prefix", self.dir], text=True,
                             capture_output=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        for place in ("share/man/man1/gordian.1", "share/bash-completion/completions/gordian",
                      "share/zsh/site-functions/_gordian",
                      "share/fish/vendor_completions.d/gordian.fish"):
            self.assertTrue((self.dir / place).stat().st_size > 1000, place)


if __name__ == "__main__":
    gordian.main()
