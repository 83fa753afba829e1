#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""docs/tutorial.md can be followed: its commands, one after the other, print what the page says.

A block marked `console` holds commands after `$ ` and their output. `[...]` stands for any lines, or
within a line for any text. `<!-- exit code N -->` before a block says how its commands end; else 0.
"""
import os
import re
import subprocess

import gordian

PAGE = gordian.SOURCE / "docs" / "tutorial.md"
# What a slow machine gets to see besides: where a command has got to after ten seconds.
PROGRESS = re.compile(r"^ *\w+ \[ *[\d.]+ s\].*\n", re.M)
BLOCK = re.compile(r"(?:<!-- exit code (\d+) -->\n)?```console\n(.*?)^```$", re.S | re.M)


def steps(page):
    """(command, lines of output, exit code) in the order of the page."""
    for code, block in BLOCK.findall(page):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *lines = part.splitlines()
            yield command, lines, int(code or 0)


def as_pattern(lines):
    any_lines = r"(?:.*\n)*?"
    return "".join(any_lines if line.strip() == "[...]" else
                   ".*".join(map(re.escape, line.rstrip().split("[...]"))) + r"\n"
                   for line in lines)


class Tutorial(gordian.Case):
    def setUp(self):
        super().setUp()
        who = {f"GIT_{role}_{what}": "me@example.org" for role in ("AUTHOR", "COMMITTER")
               for what in ("NAME", "EMAIL")}
        path = f"{gordian.BIN.parent}:{os.environ['PATH']}"
        self.env = gordian.clean_environment(PATH=path, **who)
        self.cwd = self.dir

    def follow(self, command):
        """Its exit code, and what it printed, without folders and spaces at the end of lines."""
        if command.startswith("cd "):
            self.cwd = self.cwd / command[3:]
            return 0, ""
        command = command.replace("path/to/gordian", str(gordian.SOURCE))
        done = subprocess.run(["bash", "-c", command], cwd=self.cwd, env=self.env, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=10 * gordian.PATIENCE, check=False)
        text = PROGRESS.sub("", done.stdout).replace(f"{self.cwd}/", "").replace(f"{self.dir}/", "")
        return done.returncode, "".join(line.rstrip() + "\n" for line in text.splitlines())

    def test_every_step(self):
        followed = 0
        for command, lines, wanted in steps(PAGE.read_text()):
            with self.subTest(command):
                code, text = self.follow(command)
                self.assertEqual(code, wanted, text)
                expected = "\n".join(lines)
                self.assertIsNotNone(re.fullmatch(as_pattern(lines), text),
                                     f"the page says:\n{expected}\n\nit printed:\n{text}")
                followed += 1
        self.assertGreater(followed, 15, "the page has lost its commands")


if __name__ == "__main__":
    gordian.main()
