#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""The page of `gordian report --html` in Debian's Chromium: the tests of web/tests, on the page of
this build, with made-up reports and with reports of the zoo. Skipped without Node.js or Chromium."""
import os
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

import gordian

PAGE = gordian.BUILD / "page" / "index.html"
PACKAGES = gordian.BUILD / "page" / "work" / "node_modules"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 1500  # a hanging browser fails its test; never a measure of anything
# One of each role, and what a report has to say when there is nothing.
SUITES = ("guilty/singleton", "guilty/brittle_init", "guilty/self_dependent",
          "clean/singleton_reset")


@unittest.skipIf(shutil.which("npm") is None, "npm is not installed: there is no page to look at")
class Page(gordian.Case):
    def setUp(self):
        super().setUp()
        self.assertGreater(PAGE.stat().st_size, 0,
                           f"the page was left out of this build, see {PAGE.parent}/npm.log")
        self.web = self.dir / "web"
        shutil.copytree(gordian.SOURCE / "web", self.web,
                        ignore=shutil.ignore_patterns("node_modules", "dist", "test-results"))
        (self.web / "node_modules").symlink_to(PACKAGES)

    def node(self, program, *words, **environment):
        """Runs a program of the page's packages; whatever it writes goes below our directory."""
        env = gordian.clean_environment(HOME=str(self.dir), TMPDIR=str(self.dir), **environment)
        ran = subprocess.Popen([PACKAGES / ".bin" / program, *words], cwd=self.web, env=env,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, start_new_session=True)
        try:
            told = ran.communicate(timeout=PATIENCE)[0]
        except subprocess.TimeoutExpired:
            os.killpg(ran.pid, signal.SIGKILL)  # its browser too
            self.fail(f"{program} did not end in {PATIENCE} s: {ran.communicate()[0][-6000:]}")
        print(told[-2000:])
        self.assertEqual(ran.returncode, 0, told[-6000:])
        return told

    def reports(self):
        """A folder with one page for each suite, as the program writes them."""
        folder = self.dir / "reports"
        folder.mkdir()
        for name in SUITES:
            db, html = self.dir / "db", folder / f"{Path(name).name}.html"
            for words in (("run", "--isolate", "none"), ("run", "--isolate", "fork"),
                          ("detect", "--explain")):
                self.gordian(*words, self.zoo(name), "--db", db)
            ran = self.gordian("report", self.zoo(name), "--db", db, "--html", html)
            self.assertIn(ran.code, (0, 1), ran)
        return folder

    def test_types(self):
        self.node("tsc", "--noEmit")

    @unittest.skipIf(CHROMIUM is None, "there is no browser (package chromium)")
    def test_in_a_browser(self):
        told = self.node("playwright", "test", GORDIAN_PAGE=str(PAGE), GORDIAN_CHROMIUM=CHROMIUM,
                         GORDIAN_REPORTS=str(self.reports()))
        for name in SUITES:
            self.assertIn(f"a page of the program: {Path(name).name}.html", told)


if __name__ == "__main__":
    unittest.main(verbosity=2)
