#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""docs/json.md lists the keys that the documents of --json have: all of them, and no others. The
documents are the golden ones, which other tests hold against what is written now; those that are
kept nowhere are made here.
"""
import json
import re
import unittest

import gordian

PAGE = gordian.SOURCE / "docs" / "json.md"
GOLDEN = gordian.SOURCE / "tests" / "report" / "golden"
E2E = gordian.SOURCE / "tests" / "e2e" / "golden"

# Sections whose documents are kept nowhere.
MADE = {"report", "graph", "estimate", "prioritize, impact, reduce", "doctor", "config"}
TOP = ("kind", "version")
# Somebody's own data of what the tests of guilty/brittle_init cover.
COVERED = """TN:Table.IsLoaded
SF:table.cc
FN:3,load
FNDA:1,load
DA:3,1
DA:4,1
end_of_record
TN:Table.HoldsSquares
SF:table.cc
DA:4,1
DA:9,1
end_of_record
"""


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
            of = (", ".join(words(before)) or before[:-1]) if before.endswith(":") else ""
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


class JsonPage(gordian.Case):
    def setUp(self):
        super().setUp()
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
        run = golden(GOLDEN / "run.json")
        self.compare("run", "", [run], TOP)
        self.compare("run", "target", samples(run, "target"))
        self.compare("run", "header", samples(run, "header"))
        self.compare("run", "tests", samples(run, "tests"))
        self.compare("run", "results", samples(run, "orders", "results"))

        detect = golden(GOLDEN / "detect_search.json")
        self.compare("detect", "", [detect], TOP)
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
        self.compare("fix", "", [fix], TOP)
        self.compare("fix", "repairs", samples(fix, "repairs"))

        self.compare("comparison", "", [golden(GOLDEN / "compare.json")], TOP)

        shards = golden(E2E / "shard.json")
        self.compare("shards", "", [shards], TOP)
        self.compare("shards", "targets", samples(shards, "targets"))

        left = {key for key in self.tables if key[0] not in MADE} - self.compared
        self.assertFalse(left, "tables that nothing was compared with")

    def made(self, *words, codes=(0,)):
        """The document that a command writes."""
        ran = self.gordian(*words, "--json", "made.json")
        self.assertIn(ran.code, codes, ran)
        return golden(self.dir / "made.json")

    def test_documents_that_are_kept_nowhere(self):
        binary = self.zoo("guilty/brittle_init")
        (self.dir / "covered.info").write_text(COVERED)
        covered = ("--coverage", "covered.info")
        self.made("detect", binary, "--explain", codes=(1,))
        self.gordian("run", binary)

        report = self.made("report", codes=(0, 1))
        self.compare_suites(samples(report, "suites"))

        graph = self.made("graph", "--both-ways", binary)
        self.compare("graph", "", [graph], TOP)
        self.compare("graph", "data_flows", samples(graph, "data_flows"))
        self.compare("graph", "dependences", samples(graph, "data_flows", "dependences"))

        estimate = self.made("detect", "--estimate", binary)
        self.compare("estimate", "", [estimate], TOP)
        self.compare("estimate", "searches", samples(estimate, "searches"))

        ranked = [self.made("prioritize", binary, "-t", "T3", "--aware", *covered),
                  self.made("impact", binary, "-t", "T3", *covered, codes=(0, 1)),
                  self.made("reduce", binary, *covered)]
        self.compare_ranked(ranked)

        doctor = self.gordian("doctor", binary, "--json").json()
        self.compare("doctor", "", [doctor], TOP)
        config = self.gordian("config", binary, "--json").json()
        self.compare("config", "", [config], TOP)
        self.assertEqual({key for key in self.tables if key[0] in MADE}, self.compared)

    def compare_suites(self, suites):
        """The keys of detect, but for its kind, and those of the table."""
        table = self.tables["report", ""]
        self.compared.add(("report", ""))
        inherited = set(self.tables["detect", ""].keys())
        for suite in suites:
            self.assertEqual(sorted(suite), sorted(inherited | set(table.keys())))
            for keys, said in table.rows:
                for key in keys:
                    if key != "dependences":  # its row says how they differ from those of detect
                        self.assertTrue(suite[key] or key == "curves", key)
                        self.compare_inside(f"report: {key}", suite[key], said)

    def compare_ranked(self, documents):
        """One table for three commands: each key of it in one of them at least."""
        section = "prioritize, impact, reduce"
        text = PAGE.read_text()
        begin = re.search(r"^All three begin with (.*?)They end with (.*?)\.$", text, re.M | re.S)
        common = set(words(begin.group(1))) | set(words(begin.group(2)))
        keys = set(self.tables[section, ""].keys())
        self.compared.add((section, ""))
        for document in documents:
            self.assertLessEqual(set(document) - set(TOP), keys | common, document["kind"])
            self.assertEqual(set(document["coverage"]) - common, set())
        self.assertEqual(keys - {key for document in documents for key in document}, set())
        orders = [order for document in documents for key in ("order", "unaware", "default_order")
                  for order in samples(document, key)] + samples(documents[1], "orders")
        self.assertGreater(len(orders), 3)
        self.compare(section, "An order", orders)

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
