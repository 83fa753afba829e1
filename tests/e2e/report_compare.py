#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""`gordian report --compare OLD NEW`: what is new, gone and remaining between two searches that
stand in different databases, with the binaries at different places."""
import json
import unittest

import gordian
import validators


class Compare(gordian.Case):
    def searched(self, place, name, *options):
        """The database of a search for a copy of a suite, always called settings_test."""
        folder = self.dir / place
        folder.mkdir()
        binary = self.zoo_copy(name, folder).rename(folder / "settings_test")
        ran = self.gordian("detect", binary, "--db", folder / "found.db", *options, "--json",
                           folder / "detect.json")
        self.assertIn(ran.code, (0, 1), ran)
        return folder / "found.db"

    def compare(self, old, new, *words, code):
        ran = self.gordian("report", "--compare", old, new, "--json", "out.json", *words)
        self.assertEqual(ran.code, code, ran)
        return ran, json.loads((self.dir / "out.json").read_text())

    def counts(self, told):
        return {key: len(told[key]) for key in ("new", "gone", "remaining", "not_searched")}

    def test_the_same_elsewhere_remains(self):
        old = self.searched("mine", "guilty/singleton")
        new = self.searched("theirs", "guilty/singleton", "--explain")
        ran, told = self.compare(old, new, code=0)
        self.assertEqual(self.counts(told),
                         {"new": 0, "gone": 0, "remaining": 1, "not_searched": 0})
        self.assertIn("No new dependence, none gone, 1 remaining.", ran.err)
        self.assertEqual(told["remaining"][0]["test"], "SettingsTest.AreQuiet")
        self.compare(old, new, "--fail-on", "any", code=1)
        self.compare(old, new, "--fail-on", "none", code=0)

    def test_new_and_gone(self):
        clean = self.searched("clean", "clean/singleton_reset")
        guilty = self.searched("guilty", "guilty/singleton")
        ran, told = self.compare(clean, guilty, code=1)
        self.assertEqual([one["role"] for one in told["new"]], ["victim"])
        self.assertIn("SettingsTest.AreQuiet", ran.err)
        self.compare(clean, guilty, "--fail-on", "none", code=0)
        told = self.compare(guilty, clean, code=0)[1]
        self.assertEqual(len(told["gone"]), 1)

    def test_reports_in_json_compare_as_databases_do(self):
        clean = self.searched("clean", "clean/singleton_reset")
        guilty = self.searched("guilty", "guilty/singleton", "--explain")
        by_databases = self.compare(clean, guilty, code=1)[1]
        self.gordian("report", "--db", guilty, "--json", self.dir / "guilty.json")
        for new in (self.dir / "guilty.json", guilty.parent / "detect.json"):
            told = self.compare(clean, new, code=1)[1]
            self.assertEqual(told["new"], by_databases["new"])

    def test_markdown_and_annotations(self):
        clean = self.searched("clean", "clean/singleton_reset")
        guilty = self.searched("guilty", "guilty/singleton")
        env = gordian.clean_environment(GITHUB_STEP_SUMMARY=str(self.dir / "summary.md"))
        ran = self.gordian("report", "--compare", clean, guilty, "--markdown", "out.md",
                           "--github", "--root", gordian.SOURCE, env=env)
        self.assertEqual(ran.code, 1, ran)
        text = (self.dir / "out.md").read_text()
        self.assertIn("1 new dependence", text)
        self.assertEqual((self.dir / "summary.md").read_text(), text)
        self.assertRegex(ran.out, "^::error title=New dependent test,file=zoo/")
        (self.dir / "out.github").write_text(ran.out)
        self.assertEqual(validators.complaints("github", self.dir / "out.github"), "")
        self.assertEqual(validators.complaints("markdown", self.dir / "out.md"), "")

    def test_a_binary_that_was_not_searched_again_is_not_gone(self):
        old = self.searched("mine", "guilty/singleton")
        other = self.dir / "other.db"
        self.gordian("detect", self.zoo("clean/stable_failure"), "--db", other)
        told = self.compare(old, other, code=0)[1]
        self.assertEqual(self.counts(told),
                         {"new": 0, "gone": 0, "remaining": 0, "not_searched": 1})
        self.compare(old, other, "--fail-on", "any", code=1)

    def test_files_that_are_no_reports(self):
        good = self.searched("mine", "guilty/singleton")
        (self.dir / "text").write_text("hello")
        (self.dir / "run.json").write_text('{"kind": "run", "version": 1}')
        (self.dir / "cut.db").write_bytes(good.read_bytes()[:100])
        for bad in ("text", "run.json", "nowhere", "cut.db", "."):
            for words in ((bad, good), (good, bad)):
                ran = self.gordian("report", "--compare", *words)
                self.assertIn(ran.code, (2, 4), ran)
                self.assertIn(bad, ran.err)

    def test_options_that_do_not_go_together(self):
        good = self.searched("mine", "guilty/singleton")
        for words in (("--compare", good), ("--compare", good, good, "--sarif", "x"),
                      ("settings_test", "--compare", good, good)):
            self.assertEqual(self.gordian("report", *words).code, 2, words)


if __name__ == "__main__":
    unittest.main()
