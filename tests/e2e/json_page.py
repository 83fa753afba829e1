#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""docs/json.md lists the keys that the documents of --json have: all of them, and no others. The
documents are the golden ones, which other tests hold against what is written now."""
import json
import re
import unittest

import gordian

PAGE = gordian.SOURCE / "docs" / "json.md"
GOLDEN = gordian.SOURCE / "tests" / "report" / "golden"
E2E = gordian.SOURCE / "tests" / "e2e" / "golden"

# Sections whose documents are kept nowhere: nothing is compared of them.
NOT_KEPT = {"report", "graph", "estimate", "prioritize, impact, reduce", "doctor", "config"}


def words(text):
    return re.findall(r"`([^`]+)`", text)


class Table:
    """The rows between two lines that are none."""

    def __init__(self, section, of):
        self.name = f"{section}: {of}" if of else section
        self.rows = []  # keys of a row, and what is said of them

    def keys(self):
        return [key for keys, _ in self.rows for key in keys]


def tables():
    """By section and by the words of the line before it ("One of `results`:"); in the page's order."""
    found, section, before, table = {}, "", "", None
    for line in PAGE.read_text().splitlines():
        if line.startswith("## "):
            section, before, table = line[3:].strip(), "", None
        elif line.startswith("| key |"):
            of = ", ".join(words(before)) if before.endswith(":") else ""
            table = found.setdefault((section, of), Table(section, of))
        elif line.startswith("|---"):
            continue
        elif line.startswith("|") and table is not None:
            cells = line.strip("|").split("|")
            table.rows.append((words(cells[0]), "|".join(cells[1:])))
        elif line:
            before, table = line, None
    return found


def golden(path):
    return json.loads(path.read_text())


def samples(document, *path):
    """All objects that a path of keys leads to, through lists."""
    nodes = [document]
    for key in path + (None,):
        nodes = [one for node in nodes for one in (node if isinstance(node, list) else [node])]
        if key is not None:
            nodes = [node[key] for node in nodes if node.get(key) is not None]
    return nodes


class JsonPage(unittest.TestCase):
    def setUp(self):
        self.tables = tables()
        self.compared = set()

    def compare(self, section, of, objects, besides=()):
        """Both ways; and what a row says of an object without a table of its own."""
        table = self.tables[section, of]
        self.compared.add((section, of))
        self.assertTrue(objects, f"no sample of {table.name}")
        own_tables = {key for where, key in self.tables if where == section and key}
        for sample in objects:
            self.assertEqual(sorted(table.keys()), sorted(set(sample) - set(besides)), table.name)
            for keys, said in table.rows:
                for key in keys:
                    if key not in own_tables and "see below" not in said and "as in" not in said:
                        self.compare_inside(f"{table.name}: {key}", sample[key], said)

    def compare_inside(self, name, value, said):
        for part in samples({"": value}, ""):
            if not isinstance(part, dict) or not words(said) or "outcome" in part:
                continue  # an outcome is described once
            missing = set(part) - set(words(said))
            self.assertFalse(missing, f"{name} does not speak of {sorted(missing)}")

    def test_every_key_is_on_the_page_and_every_key_of_the_page_is_there(self):
        top = ("kind", "version")
        run = golden(GOLDEN / "run.json")
        self.compare("run", "", [run], top)
        self.compare("run", "target", samples(run, "target"))
        self.compare("run", "header", samples(run, "header"))
        self.compare("run", "tests", samples(run, "tests"))
        self.compare("run", "results", samples(run, "orders", "results"))

        detect = golden(GOLDEN / "detect_search.json")
        self.compare("detect", "", [detect], top)
        self.compare("detect", "search", samples(detect, "search"))
        self.compare("detect", "dependences", samples(detect, "dependences"))
        self.compare("detect", "nondeterministic", samples(detect, "nondeterministic"))

        explain = golden(GOLDEN / "explain.json")
        self.compare("explain", "", samples(explain, "explanations"))
        carriers = samples(explain, "explanations", "carriers")
        self.compare("explain", "carriers", carriers)
        self.compare("explain", "write, read",
                     samples(carriers, "write") + samples(carriers, "read"))

        fix = golden(GOLDEN / "fix.json")
        self.compare("fix", "", [fix], top)
        self.compare("fix", "repairs", samples(fix, "repairs"))

        self.compare("comparison", "", [golden(GOLDEN / "compare.json")], top)

        shards = golden(E2E / "shard.json")
        self.compare("shards", "", [shards], top)
        self.compare("shards", "targets", samples(shards, "targets"))

        left = {key for key in self.tables if key[0] not in NOT_KEPT} - self.compared
        self.assertFalse(left, "tables that nothing was compared with")

    def test_an_outcome_is_the_same_everywhere(self):
        sentence = re.search(r"^An outcome: (.*?), as in$", PAGE.read_text(), re.M).group(1)
        detect = golden(GOLDEN / "detect_search.json")
        for key in ("expected", "observed", "alone", "witnessed"):
            for outcome in samples(detect, "dependences", key):
                self.assertEqual(sorted(words(sentence)), sorted(outcome))
        for result in samples(golden(GOLDEN / "run.json"), "orders", "results"):
            self.assertLessEqual(set(words(sentence)), set(result))

    def test_what_the_page_tells_in_sentences(self):
        text = PAGE.read_text()
        fix = golden(GOLDEN / "fix.json")
        patch = re.search(r"^A `patch`: (.*?)\.\s", text, re.M | re.S).group(1)
        for sample in samples(fix, "repairs", "attempts", "patch"):
            self.assertEqual(sorted(words(patch)), sorted(sample))
        change = re.search(r"^A dependence has (.*?)\.$", text, re.M | re.S).group(1)
        compare = golden(GOLDEN / "compare.json")
        for sample in samples(compare, "new") + samples(compare, "gone"):
            self.assertEqual(sorted(words(change)), sorted(sample))
        suite = re.search(r"^`suites` has one entry per binary: (.*?),\s+as above", text,
                          re.M | re.S).group(1)
        for sample in samples(golden(E2E / "list.json"), "suites"):
            self.assertEqual(sorted(set(words(suite)) - {"suite"}), sorted(sample))


if __name__ == "__main__":
    unittest.main()
