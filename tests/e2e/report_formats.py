#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""The formats for CI systems: what others' validators say of them, on real searches and on reports
that were made up to be hostile."""
import json
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

import gordian
import validators

FORMATS = ("junit", "sarif", "markdown", "gitlab", "tap", "dot")


def tap_of(file):
    """What perl's own harness reads: the numbers of the tests that are not ok."""
    ran = validators.run("prove", "--exec", "cat", "-v", file)
    return [int(n) for n in re.findall(r"^not ok (\d+)", ran.stdout, re.M)], ran


class Validated(gordian.Case):
    """Checks a file of each format; subclasses say which files."""

    def files(self, kind):
        raise NotImplementedError

    def check(self, kind, complaints):
        files = self.files(kind)
        self.assertTrue(files)
        for file in files:
            with self.subTest(file=file.name):
                self.assertEqual(complaints(file), "")


class Formats:
    """The tests; mixed into both kinds of reports."""

    def test_sarif_has_the_official_schema(self):
        self.check("sarif", lambda file: validators.complaints("sarif", file))

    def test_junit_has_the_schema_of_jenkins(self):
        self.check("junit", validators.junit_complaints)

    def test_gitlab_has_what_its_documentation_asks_for(self):
        self.check("gitlab", lambda file: validators.complaints("gitlab", file))

    def test_github_reads_what_its_own_library_would_print(self):
        self.check("github", lambda file: validators.complaints("github", file))

    def test_markdown_has_no_markup_of_tests(self):
        self.check("markdown", lambda file: validators.complaints("markdown", file))

    def test_tap_is_read_by_npm(self):
        self.check("tap", lambda file: validators.complaints("tap", file))

    def test_tap_is_read_by_perl(self):
        validators.need("prove")
        for file in self.files("tap"):
            numbers, ran = tap_of(file)
            self.assertNotRegex(ran.stdout, "Parse errors", ran.stdout[-2000:])
            self.assertEqual(len(numbers), len(re.findall("(?m)^not ok ", file.read_text())))

    def test_dot_is_drawn(self):
        validators.need("dot")
        for file in self.files("dot"):
            ran = validators.run("dot", "-Tsvg", file, "-o", self.dir / "graph.svg")
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            drawn = (self.dir / "graph.svg").read_text()
            self.assertEqual(drawn.count('class="edge"'), file.read_text().count(" -> "))


class MadeUp(Formats, Validated):
    """One report with everything in it, one with hostile text in every place, one without tests."""

    ENDS = {"junit": "xml", "markdown": "md"}

    def setUp(self):
        super().setUp()
        subprocess.run([gordian.BUILD / "bin" / "gordian_formats_dump", self.dir], check=True)

    def files(self, kind):
        return sorted(self.dir.glob("*." + self.ENDS.get(kind, kind)))


class Searched(Formats, Validated):
    """A dependence that `detect` has found and explained itself, in one command."""

    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory(prefix="gordian_e2e_")
        cls.out = Path(cls.kept.name)
        cls.addClassCleanup(cls.kept.cleanup)
        words = [word for name in FORMATS for word in (f"--{name}", f"out.{name}")]
        cls.ran = gordian.gordian(
            "detect", gordian.ZOO / "guilty/singleton", "--explain", *words, "--github", "--root",
            gordian.SOURCE, cwd=cls.out,
            env=gordian.clean_environment(GITHUB_STEP_SUMMARY=str(cls.out / "summary.md")))
        (cls.out / "out.github").write_text(cls.ran.out)

    def files(self, kind):
        return [self.out / f"out.{kind}"]

    def test_the_exit_code_is_that_of_detect(self):
        self.assertEqual(self.ran.code, 1, self.ran)

    def test_the_write_is_shown_at_its_line(self):
        result = json.loads((self.out / "out.sarif").read_text())["runs"][0]["results"][0]
        place = result["locations"][0]["physicalLocation"]
        uri, line = place["artifactLocation"]["uri"], place["region"]["startLine"]
        source = (gordian.SOURCE / uri).read_text().splitlines()
        self.assertIn("// WRITE", source[line - 1])
        flow = result["codeFlows"][0]["threadFlows"][0]["locations"]
        self.assertGreaterEqual(len(flow), 2)
        self.assertRegex(self.ran.out, rf"^::error title=[^,]*,file={re.escape(uri)},line={line}::")
        issue = json.loads((self.out / "out.gitlab").read_text())[0]
        self.assertEqual(issue["location"], {"path": uri, "lines": {"begin": line}})

    def test_junit_names_the_dependent_test(self):
        root = xml.etree.ElementTree.parse(self.out / "out.junit").getroot()
        failed = [case for case in root.iter("testcase") if case.find("failure") is not None]
        self.assertEqual([case.get("name") for case in failed], ["AreQuiet"])
        properties = {p.get("name"): p.get("value") for p in root.iter("property")}
        self.assertEqual(properties["SettingsTest.AreQuiet.role"], "victim")
        self.assertIn("verbosity_", properties["SettingsTest.AreQuiet.carrier"])
        self.assertEqual(len(list(root.iter("testcase"))), 3)

    def test_the_summary_of_the_step(self):
        summary = (self.out / "summary.md").read_text()
        self.assertEqual(summary, (self.out / "out.markdown").read_text())
        self.assertIn("`SettingsTest.AreQuiet` fails after", summary)

    def test_report_writes_the_same_again(self):
        for name in FORMATS:
            with self.subTest(format=name):
                ran = gordian.gordian("report", f"--{name}", "-", "--root", gordian.SOURCE,
                                      cwd=self.out)
                self.assertEqual(ran.code, 1, ran)
                self.assertEqual(ran.out, (self.out / f"out.{name}").read_text())
        ran = gordian.gordian("report", "--github", "--root", gordian.SOURCE, cwd=self.out)
        self.assertEqual(ran.out, self.ran.out, "no summary is asked for outside of a workflow")


class Options(gordian.Case):
    def test_without_a_database_what_was_found_is_written_too(self):
        ran = self.gordian("detect", self.zoo("guilty/singleton"), "--no-db", "--sarif", "-")
        self.assertEqual(ran.code, 1, ran)
        self.assertEqual(len(ran.json()["runs"][0]["results"]), 1)
        self.assertEqual(list(self.dir.iterdir()), [])

    def test_a_page_at_the_end_of_a_search(self):
        ran = self.gordian("detect", self.zoo("guilty/singleton"), "--html", "out.html")
        if "no page for reports" in ran.err:
            self.skipTest("built without Node.js")
        self.assertEqual(ran.code, 1, ran)
        self.assertIn("SettingsTest.AreQuiet", (self.dir / "out.html").read_text())

    def test_only_one_goes_to_standard_output(self):
        ran = self.gordian("report", "--github", "--sarif", "-")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("standard output", ran.err)
        ran = self.gordian("detect", self.zoo("guilty/singleton"), "--json", "-", "--tap", "-")
        self.assertEqual((ran.code, ran.out), (2, ""), ran)

    def test_nothing_found_is_a_file_too(self):
        ran = self.gordian("detect", self.zoo("clean/singleton_reset"), "--sarif", "out.sarif",
                           "--junit", "out.xml", "--gitlab", "out.json", "--github")
        self.assertEqual((ran.code, ran.out), (0, ""), ran)
        self.assertEqual(json.loads((self.dir / "out.json").read_text()), [])
        self.assertEqual(validators.complaints("sarif", self.dir / "out.sarif"), "")
        self.assertEqual(validators.junit_complaints(self.dir / "out.xml"), "")

    def test_bad_places(self):
        self.gordian("detect", self.zoo("guilty/singleton"))
        for words, code in ((("--sarif", "/nowhere/x"), 2), (("--junit", "/dev/full"), 4),
                            (("--root", "/nowhere"), 2)):
            ran = self.gordian("report", *words)
            self.assertEqual(ran.code, code, ran)
            self.assertIn("gordian", ran.err)
        ran = self.gordian("report", "--github", env=gordian.clean_environment(
            GITHUB_STEP_SUMMARY="/nowhere/summary.md"))
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("/nowhere/summary.md", ran.err)

    def test_fail_on(self):
        self.gordian("detect", self.zoo("guilty/singleton"))
        self.assertEqual(self.gordian("report", "--fail-on", "none").code, 0)
        self.assertEqual(self.gordian("report", "--fail-on", "any").code, 1)
        ran = self.gordian("report", "--fail-on", "new")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("--compare", ran.err)

    def test_an_estimate_has_no_report(self):
        ran = self.gordian("detect", self.zoo("guilty/singleton"), "--estimate", "--sarif", "x")
        self.assertEqual(ran.code, 2, ran)


class Documentation(gordian.Case):
    """The set-ups of docs/ci.md are what GitHub, GitLab and Jenkins would take."""

    def blocks(self, heading, language="yaml"):
        text = (gordian.SOURCE / "docs" / "ci.md").read_text()
        section = re.split(r"(?m)^## ", text.split(f"\n## {heading}\n", 1)[1])[0]
        found = re.findall(rf"```{language}\n(.*?)```", section, re.S)
        self.assertTrue(found, heading)
        for number, block in enumerate(found):
            path = self.dir / f"{number}.yml"
            path.write_text(block)
            yield path

    def test_github_actions(self):
        for file in self.blocks("GitHub Actions"):
            self.assertEqual(validators.complaints("workflow", file), "")

    def test_gitlab_ci(self):
        for file in self.blocks("GitLab CI"):
            self.assertEqual(validators.complaints("gitlab-ci", file), "")

    def test_jenkins(self):
        for file in self.blocks("Jenkins", "groovy"):
            self.assertEqual(validators.complaints("jenkinsfile", file), "")
            file.write_text(file.read_text().replace("steps {", "steps (", 1))
            self.assertIn("no Groovy", validators.complaints("jenkinsfile", file))

    def test_every_option_is_one(self):
        text = (gordian.SOURCE / "docs" / "ci.md").read_text()
        for command in ("detect", "report"):
            known = self.gordian(command, "--help").out
            for line in re.findall(rf"gordian {command} [^`\n]*(?:\\\n[^`\n]*)*", text):
                for option in re.findall(r"(?<=\s)--[a-z-]+", line.split(" -- ")[0]):
                    self.assertIn(option, known, line)


if __name__ == "__main__":
    gordian.main()
