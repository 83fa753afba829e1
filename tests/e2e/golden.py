# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Golden files: what gordian shows, kept in tests/e2e/golden and compared. What differs from run to
run is scrubbed first, by scrub() and nothing else. With GORDIAN_APPROVE=1 the files are written
instead, for review as a diff: `tools/approve` does that for all of them."""
import difflib
import os
import re

import gordian
from terminal import Screen, in_terminal

GOLDEN = gordian.SOURCE / "tests" / "e2e" / "golden"

# Pattern and what takes its place. Measured times have a blank before their unit; "30s" is an
# option. Columns that times stand in are as wide as the times: the blanks before them go, too.
TIME = r"\d[\d,.]* (?:ns|us|ms|s)\b|\d+[hm] \d\d[ms]\b"
SCRUBBED = [
    (rf" *\[ *(?:{TIME})\]", " [TIME]"),
    (rf"(^|\S) +(?:{TIME})", r"\1 TIME"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?", "DATE"),
    (r"\b[0-9a-f]{40,64}\b", "HASH"),
    (r"0x[0-9a-f]{6,}", "ADDRESS"),
    (r"\b[\d,]+ tests/s", "RATE tests/s"),
    (r"(?<=gordian )\d+\.\d+\.\d+", "VERSION"),
]


def scrub(text, scratch=None):
    """The one scrubber. `scratch`: the directory of the test."""
    places = [(str(scratch), "SCRATCH")] if scratch else []
    places += [(str(gordian.ZOO), "ZOO"), (str(gordian.BUILD), "BUILD"),
               (str(gordian.SOURCE), "SOURCE")]
    for place, name in places:
        text = text.replace(place, name)
    for pattern, stand_in in SCRUBBED:
        text = re.sub(pattern, stand_in, text)
    return text


class GoldenCase(gordian.Case):
    """A test that compares with golden files."""

    def assert_golden(self, name, text):
        """`text` is scrubbed here."""
        path, text = GOLDEN / name, scrub(text, self.dir)
        if os.environ.get("GORDIAN_APPROVE") == "1":
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        self.assertTrue(path.exists(), f"{path} is missing; tools/approve writes it")
        kept = path.read_text(encoding="utf-8")
        if text != kept:
            diff = difflib.unified_diff(kept.splitlines(), text.splitlines(), str(path), "now",
                                        lineterm="")
            self.fail("\n".join(diff) + "\nif the new text is right, tools/approve keeps it")

    def in_pipe(self, *words, code=None, **env):
        """What a pipe gets: standard output, then standard error if there is any."""
        ran = self.gordian(*words, env=gordian.clean_environment(**env))
        if code is not None:
            self.assertEqual(ran.code, code, ran)
        self.assertNotIn("\x1b", ran.out + ran.err)
        parts = [ran.out, f"--- stderr\n{ran.err}" if ran.err else "", f"--- exit code {ran.code}\n"]
        return "".join(parts)

    def on_terminal(self, *words, columns=240, **env):
        """What a person sees in the end, with inks written out. So wide that no path is cut: how
        long it is depends on where this repository lies."""
        code, text = in_terminal([str(gordian.BIN), *map(str, words)], self.dir,
                                 gordian.clean_environment(**env), columns)
        return Screen(text).marked() + f"--- exit code {code}\n"

    def assert_golden_both(self, name, *words, columns=240, **env):
        """NAME.pipe.txt and NAME.terminal.txt. The command is run twice: it must not mind."""
        self.assert_golden(f"{name}.pipe.txt", self.in_pipe(*words, **env))
        self.assert_golden(f"{name}.terminal.txt", self.on_terminal(*words, columns=columns, **env))
