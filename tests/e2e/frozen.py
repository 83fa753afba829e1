#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What version 0.1 wrote is read, and what its scripts read is still there.

frozen/ is from that version and does not change with the program:
  documents.json  what its commands wrote with --json for two suites of the zoo, a document a line:
                  guilty/singleton as /frozen/b/settings_test, guilty/brittle_init as table_test
  gordian.sql     the database that it had in the end, as sqlite3 dumps it
                  It quotes lines of those two sources: should they change, it wants copies of them
  invented.json   its golden documents of invented facts (tests/report/golden), which have all kinds
"""
import json
import re
import shutil
import sqlite3
import unittest

import gordian
from json_page import COVERED

FROZEN = gordian.SOURCE / "tests" / "e2e" / "frozen"
GOLDEN = gordian.SOURCE / "tests" / "report" / "golden"
E2E = gordian.SOURCE / "tests" / "e2e" / "golden"
ELEMENT = re.compile(r"\[\]")
SEARCHED = ("--isolate", "fork", "-j1", "--seed", "1")


def documents(name="documents.json"):
    return json.loads((FROZEN / name).read_text())


def kind_of(value):
    """As JSON has them: there is one kind of numbers."""
    names = {bool: "true or false", int: "number", float: "number", str: "string", list: "list",
             dict: "object"}
    return names[type(value)]


def shape(value, at="", found=None):
    """{place: kinds of values there, but for null}; all elements of a list are one place."""
    found = {} if found is None else found
    kinds = found.setdefault(at, set())
    if value is not None:
        kinds.add(kind_of(value))
    if isinstance(value, dict):
        for key, inner in value.items():
            shape(inner, f"{at}.{key}", found)
    elif isinstance(value, list):
        for inner in value:
            shape(inner, f"{at}[]", found)
    return found


def missing(then, now, at=""):
    """Where `now` does not say what `then` does. More keys are no difference."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key, inner in then.items():
            if key not in now:
                yield f"{at}.{key} is gone"
            else:
                yield from missing(inner, now[key], f"{at}.{key}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for i, inner in enumerate(then):
            yield from missing(inner, now[i], f"{at}[{i}]")
    elif then != now:
        yield f"{at} was {then!r:.200} and is {now!r:.200}"


class Documents(gordian.Case):
    """What a script of then reads is there, and of the same type."""

    def setUp(self):
        super().setUp()
        shutil.copy2(self.zoo("guilty/singleton"), self.dir / "settings_test")
        shutil.copy2(self.zoo("guilty/brittle_init"), self.dir / "table_test")
        (self.dir / "covered.info").write_text(COVERED)

    def made(self):
        """The same documents by the same commands."""
        s, t = "./settings_test", "./table_test"
        plain, covered = SEARCHED[:3], ("--coverage", "covered.info")
        (self.dir / "old.json").write_text(json.dumps(documents()["detect"]))
        for name, *words in (
                ("run", "run", s, *plain),
                ("runs", "run", s, t, *plain),
                ("list", "list", s, t),
                ("detect", "detect", s, "--algorithm", "exhaustive", "--isolate", "fork", "--seed",
                 "1", "--explain"),
                ("detects", "detect", s, t, *SEARCHED),
                ("explain", "explain", "D1", "--again"),
                ("graph", "graph", t, "--both-ways"),
                ("graphs", "graph", s, t),
                ("estimate", "detect", "--estimate", t),
                ("prioritize", "prioritize", t, "-t", "T3", "--aware", *covered),
                ("impact", "impact", t, "-t", "T3", *covered),
                ("reduce", "reduce", t, *covered),
                ("shards", "shard", t, "--count", "2"),
                ("replay", "replay", "R1"),
                ("comparison", "report", "--compare", "old.json", ".gordian/gordian.db")):
            ran = self.gordian(*words, "--json", "made.json")
            self.assertIn(ran.code, (0, 1), ran)
            yield name, json.loads((self.dir / "made.json").read_text())
        for name in ("doctor", "config"):
            yield name, self.gordian(name, t, "--json").json()

    def assert_same_shape(self, name, then, now):
        then, now = shape(then), shape(now)
        for place, kinds in then.items():
            around = [place[:end.start()] for end in ELEMENT.finditer(place)]
            if any(now.get(one) == {"list"} and f"{one}[]" not in now for one in around):
                continue  # this time it has no elements
            with self.subTest(document=name, place=place):
                if place not in now:
                    self.fail("it is gone")
                elif kinds and not now[place] <= kinds:
                    self.fail(f"it is {now[place]} and was {kinds}")

    def test_of_real_suites(self):
        then = documents()
        seen = {"fix", "fixes", "report"}  # the last is made of the database, below
        for name, now in self.made():
            seen.add(name)
            self.assertEqual((now["kind"], now["version"]), (then[name]["kind"], 1))
            self.assert_same_shape(name, then[name], now)
        # Made by another test, which takes minutes for it.
        fix = (E2E / "fix.json").read_text().replace('"MEASURED"', "null")
        self.assert_same_shape("fix", then["fix"], json.loads(fix))
        self.assertEqual(seen, set(then))

    def test_of_invented_facts(self):
        """The same facts: the same values, too."""
        for name, then in documents("invented.json").items():
            now = json.loads((GOLDEN / f"{name}.json").read_text())
            self.assertEqual(list(missing(then, now)), [], name)

class Database(gordian.Case):
    """The database of then, as if it were about the builds of now."""

    def setUp(self):
        super().setUp()
        self.suites = {"settings_test": "singleton", "table_test": "brittle_init"}
        (self.dir / "b").mkdir()
        for name, zoo in self.suites.items():
            shutil.copy2(self.zoo(f"guilty/{zoo}"), self.dir / "b" / name)
        self.db = self.dir / "gordian.db"
        database = sqlite3.connect(self.db)
        database.executescript(self.moved((FROZEN / "gordian.sql").read_text()))
        database.close()

    def moved(self, text):
        """To where this test has its suites, with the sources and builds that they have."""
        suites = [one["suite"] for one in documents()["detects"]["detects"]]
        for (name, zoo), then in zip(self.suites.items(), suites):
            now = self.run_json("run", self.dir / "b" / name, "--no-db")["binary"]
            for key in ("sha256", "build_id"):
                text = text.replace(then[key], now[key])
            text = text.replace(f"/frozen/{name}.cc", str(gordian.SOURCE / f"zoo/guilty/{zoo}.cc"))
        return text.replace("/frozen/.gordian", str(self.dir)).replace("/frozen", str(self.dir))

    def on(self, *words, code=0):
        ran = self.gordian(*words, "--db", self.db)
        self.assertEqual(ran.code, code, ran)
        return ran.out + ran.err

    def test_is_reported_as_then(self):
        then = json.loads(self.moved(json.dumps(documents()["report"])))
        self.on("report", "--json", "now.json", code=1)
        now = json.loads((self.dir / "now.json").read_text())
        del then["made_unix_ms"]
        for suite in then["suites"]:
            del suite["pairs"]["covered"]  # where a test depends on another they are run again
        self.assertEqual(list(missing(then, now)), [])

    def test_is_read_by_all_that_read_one(self):
        table = self.dir / "b" / "table_test"
        self.assertIn("explained ", self.on("explain", "D1"))
        self.assertIn("D1 shows again", self.on("replay", "D1", code=1))
        self.assertIn("D2 shows again", self.on("replay", "D2"))  # it passes after the other
        self.assertIn("All results are as in R3.", self.on("replay", "R3", code=1))
        ranked = self.on("prioritize", table, "--aware", "-t", "T1")
        self.assertIn("Keeps to 1 constraint", ranked)
        shards = self.on("shard", table, "--count", "2")
        self.assertIn("1 known dependence, times of R", shards)
        self.assertRegex(shards, "Kept together  Table.IsLoaded, Table.HoldsSquares")
        found = self.on("detect", table, *SEARCHED, code=1)
        self.assertRegex(found, r"(?m)^D2  brittle  Table\.HoldsSquares")
        self.assertIn("D1  victim", self.on("report", code=1))

    def test_is_compared_with_documents(self):
        """Of then: every two of them tell of the same dependences."""
        for name in ("detects", "report"):
            (self.dir / f"{name}.json").write_text(json.dumps(documents()[name]))
        for two in (("detects.json", self.db), (self.db, "report.json"),
                    ("report.json", "detects.json")):
            ran = self.gordian("report", "--compare", *two, "--fail-on", "new")
            self.assertEqual(ran.code, 0, ran)
            self.assertIn("No new dependence, none gone, 2 remaining.", ran.out + ran.err)


if __name__ == "__main__":
    gordian.main()
