#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""`gordian report`: what was found is told again from the database, with nothing run anew."""
import base64
import json
import re
import unittest

import gordian


def embedded(html):
    """The document that a page holds."""
    found = re.search(r'<script type="application/json" id="gordian-report">(.*?)</script>', html,
                      re.S)
    return json.loads(found.group(1))


def listed(value, names):
    """Long lists of tests with their names, wherever they stand."""
    if isinstance(value, dict) and "tests_at" in value:
        runs = value["tests_at"]
        return [names[first + (i if count > 0 else -i)]
                for first, count in zip(runs[::2], runs[1::2]) for i in range(abs(count))]
    if isinstance(value, dict):
        return {key: listed(part, names) for key, part in value.items()}
    return [listed(part, names) for part in value] if isinstance(value, list) else value


def bits(row, tests):
    """One row of pairs in base64, from its runs or as it is."""
    if len(row) == 1:
        return row[0]
    packed = bytearray((tests + 7) // 8)
    for first, count in zip(row[::2], row[1::2]):
        for place in range(first, first + count):
            packed[place // 8] |= 1 << place % 8
    return base64.b64encode(packed).decode()


def whole(suite):
    """A suite of a page (src/report/page/report_json.cc) as the public document has it."""
    tests, names = suite["tests"], suite["tests"]["names"]
    files = [place for place, count in zip(tests["file"][::2], tests["file"][1::2])
             for _ in range(count)]
    suite = listed({key: value for key, value in suite.items() if key not in ("tests", "pairs")},
                   names) | {"pairs": suite["pairs"]}
    suite["tests"] = [{"name": name, "file": None if files[i] < 0 else tests["files"][files[i]],
                       "line": tests["line"][i] or None, "disabled": i in tests["disabled"]}
                      for i, name in enumerate(names)]
    if suite["pairs"]:
        rows = {first: row for first, *row in suite["pairs"]["covered"]}
        suite["pairs"] = {"tests": names, "changed": suite["pairs"]["changed"],
                          "covered": [bits(rows.get(i, []), len(names))
                                      for i in range(len(names))]}
    return suite


class Report(gordian.Case):
    def search(self, name):
        binary = self.zoo(name)
        ran = self.gordian("detect", binary, "--explain")
        self.assertIn(ran.code, (0, 1), ran)
        return binary

    def report(self, *words):
        ran = self.gordian("report", *words, "--json", "report.json")
        self.assertIn(ran.code, (0, 1), ran)
        return ran, json.loads((self.dir / "report.json").read_text())

    def test_tells_what_detect_has_told(self):
        binary = self.zoo("guilty/singleton")
        told = self.gordian("detect", binary, "--json", "detect.json")
        self.assertEqual(told.code, 1, told)
        detect = json.loads((self.dir / "detect.json").read_text())
        ran, report = self.report()
        self.assertEqual(ran.code, 1, "dependences are known")
        suite = report["suites"][0]
        self.assertEqual([d["id"] for d in suite["dependences"]],
                         [d["id"] for d in detect["dependences"]])
        for key in ("search", "nondeterministic", "left_out", "suite"):
            self.assertEqual(suite[key], detect[key])
        self.assertIn("SettingsTest.AreQuiet", ran.err)

    def test_has_carrier_lines_and_pairs(self):
        self.search("guilty/singleton")
        suite = self.report()[1]["suites"][0]
        carrier = suite["dependences"][0]["explanation"]["carriers"][0]
        self.assertEqual(carrier["name"], "Settings::instance()::settings.verbosity_")
        hit = [line for line in carrier["write"]["excerpt"]
               if line["line"] == carrier["write"]["line"]]
        self.assertIn("// WRITE", hit[0]["text"])
        self.assertEqual(len(suite["pairs"]["covered"]), 3)
        self.assertEqual(suite["pairs"]["changed"], [[2, 0]])

    def test_durations_of_runs_of_this_build(self):
        binary = self.search("guilty/singleton")
        self.gordian("run", binary, "--isolate", "none")
        self.gordian("run", binary, "--isolate", "fork")
        runs = self.report()[1]["suites"][0]["runs"]
        self.assertEqual(sorted(run["isolation"] for run in runs), ["fork", "none"])
        for run in runs:
            self.assertEqual(len(run["duration_ns"]), 3)

    def test_past_runs_in_any_order(self):
        binary = self.search("guilty/singleton")
        self.gordian("run", binary, "--isolate", "none", "--order", "reverse")
        history = self.report()[1]["suites"][0]["history"]
        self.assertEqual([(run["order"], run["isolation"], run["tests"], run["failed"])
                          for run in history], [("reverse", "none", 3, 1)])

    def test_several_binaries_and_one_of_them(self):
        guilty, clean = self.search("guilty/singleton"), self.search("clean/singleton_reset")
        self.assertEqual(len(self.report()[1]["suites"]), 2)
        ran, report = self.report(clean)
        self.assertEqual(ran.code, 0, "nothing was found in that one")
        self.assertEqual(report["suites"][0]["suite"]["binary"], str(clean))
        self.assertEqual(self.report(guilty)[0].code, 1)

    def test_page_holds_the_same_document(self):
        """In short forms, of which the whole can be made again."""
        self.search("guilty/singleton")
        self.search("guilty/chain")
        ran = self.gordian("report", "--html", "out.html", "--json", "out.json")
        self.assertEqual(ran.code, 1, ran)
        page = (self.dir / "out.html").read_text()
        self.assertEqual([whole(suite) for suite in embedded(page)["suites"]],
                         json.loads((self.dir / "out.json").read_text())["suites"])
        self.assertNotRegex(page, r'(src|href)="https?:')

    def test_nothing_to_tell(self):
        ran = self.gordian("report", "--html", "out.html")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("gordian detect", ran.err)
        self.assertEqual(list(self.dir.iterdir()), [], "asking leaves nothing behind")
        self.search("clean/singleton_reset")
        ran = self.gordian("report", self.zoo("guilty/singleton"))
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("no search of", ran.err)

    def test_full_disk_is_told(self):
        self.search("guilty/singleton")
        ran = self.gordian("report", "--html", "/dev/full")
        self.assertEqual(ran.code, 4, ran)


if __name__ == "__main__":
    unittest.main()
