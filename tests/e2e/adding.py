#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""docs/adding.md, followed: the program with the output format that it adds (tests/adding), and a
kind of state that is known where the page says."""
import csv
import re
import subprocess

import gordian

ADDED = gordian.BUILD / "bin" / "gordian_adding"


class Adding(gordian.Case):
    def added(self, *words):
        return subprocess.run([ADDED, *map(str, words)], cwd=self.dir, stdin=subprocess.DEVNULL,
                              env=gordian.clean_environment(), capture_output=True, text=True,
                              timeout=gordian.PATIENCE, check=False)

    def test_the_row_is_an_option_with_help_and_completion(self):
        for command in ("report", "detect"):
            self.assertNotIn("--csv", self.gordian(command, "--help").out)
            self.assertRegex(self.added(command, "--help").stdout, r"--csv FILE\s+Write comma-")
        self.assertIn("--csv", self.added("completion", "bash").stdout)

    def test_the_format_is_written(self):
        binary = self.zoo("guilty/polluter_and_cleaner")
        ran = self.added("detect", binary, "--csv", "found.csv", "--tap", "found.tap")
        self.assertEqual(ran.returncode, 1, ran)
        rows = list(csv.DictReader((self.dir / "found.csv").open()))
        self.assertEqual([(row["binary"], row["test"], row["role"]) for row in rows],
                         [(binary.name, "Printer.StartsInTextMode", "victim")])
        self.assertIn("not ok", (self.dir / "found.tap").read_text(), "the others are still there")

    def test_a_kind_of_state_is_known_to_the_files_of_its_recipe_alone(self):
        recipe = (gordian.SOURCE / "docs/adding.md").read_text().split("\n## A kind of state\n")[1].split("\n## ")[0]
        files = {name.replace("NAME", "sysv_segments") for name in re.findall(r"^\| `(src/\S+)`", recipe, re.M)}
        self.assertLessEqual(len(files), 5)
        self.assertLessEqual(len({name.split("/")[1] for name in files}), 2)
        its_own = re.compile(r"SegmentKey|CarrierKind::sysv|ScopedSegment|kinds::segments")
        sources = [path for path in (gordian.SOURCE / "src").rglob("*") if path.suffix in (".h", ".cc")]
        knowing = {str(path.relative_to(gordian.SOURCE)) for path in sources if its_own.search(path.read_text())}
        self.assertLessEqual(knowing, files)


if __name__ == "__main__":
    gordian.main()
