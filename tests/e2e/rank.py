# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Prioritised orders and reduced suites: what they cover, whom they fool, and that orders which
know of dependences fool nobody."""
import concurrent.futures
import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from gordian import SOURCE, Case, main, outcomes, zoo_suites

TECHNIQUES = ["T1", "T3", "T4", "T5", "T7"]
# Built for coverage: one for each role, a chain of both, one that crashes, and innocent ones.
GUILTY = ["brittle_init", "polluter_and_cleaner", "chain", "three_tests_ordered", "crash_victim"]
CLEAN = ["counter_delta", "parametrised"]
ROOM = Path(tempfile.mkdtemp(prefix="gordian_rank_")).resolve()

# In the default order two of the six tests cover everything: Pushes, which needs Opens to have run
# before it, and Shallow.
QUEUE = """
#include <cstdlib>
#include <vector>
std::vector<int> g_queue;
int weigh(int a) {
  if (std::getenv("FAULT_WEIGHT")) a += 1;
  if (std::getenv("FAULT_ONE") && a == 1) a = 5;
  int sum = 0;
  for (int i = 0; i < a; ++i) {
    if (i % 2 == 0) {
      sum += i;
    } else {
      sum -= 1;
    }
  }
  return sum;
}
int deep(int a) {
  if (a > 2) {
    return weigh(a) + 1;
  }
  return a - (std::getenv("FAULT_DEEP") ? 1 : 0);
}
int push(int a) {
  g_queue.push_back(a);
  return g_queue.front();
}
"""
QUEUE_TEST = """
#include <gtest/gtest.h>
int weigh(int a), deep(int a), push(int a);
bool g_open = false;
TEST(Queue, Opens) { g_open = true; }
TEST(Queue, Pushes) {
  ASSERT_TRUE(g_open);
  EXPECT_EQ(push(weigh(3)), 1);
  EXPECT_EQ(deep(5), 5);
}
TEST(Weigh, Small) { EXPECT_EQ(weigh(1), 0); }
TEST(Weigh, Odd) { EXPECT_EQ(weigh(3), 1); }
TEST(Deep, Shallow) { EXPECT_EQ(deep(1), 1); }
TEST(Deep, Deep) { EXPECT_EQ(deep(5), 5); }
"""
IN_ORDER = ("--cover", "in-order")  # a brittle test covers nothing alone


def compiled(name, *sources):
    binary = ROOM / name
    done = subprocess.run(["g++", "-std=c++17", "-g", "-w", "--coverage", *map(str, sources),
                           "-lgtest", "-lgtest_main", "-lpthread", "-o", str(binary)], cwd=ROOM,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return binary


def setUpModule():
    if not shutil.which("g++"):
        raise unittest.SkipTest("no g++")
    (ROOM / "queue.cc").write_text(QUEUE)
    (ROOM / "queue_test.cc").write_text(QUEUE_TEST)
    compiled("queue", ROOM / "queue.cc", ROOM / "queue_test.cc")


def tearDownModule():
    shutil.rmtree(ROOM, ignore_errors=True)


def dependents(suite):
    """Those that some order of different tests shows."""
    return {d["test"] for d in suite["dependences"] if d["role"] != "self_dependent"}


def of_googletest(kind):
    return [suite for suite in zoo_suites(kind) if suite.get("framework", "gtest") == "gtest"]


def two_at_a_time(make, things):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(make, things))


class Prioritize(Case):
    queue = property(lambda self: ROOM / "queue")

    def test_an_order_file_that_run_takes(self):
        ran = self.gordian("prioritize", self.queue, "--technique", "T4", "-o", "order.txt",
                           *IN_ORDER, "--json", "facts.json")
        self.assertEqual(ran.code, 0, ran)
        facts = json.loads((self.dir / "facts.json").read_text())
        self.assertEqual((facts["kind"], facts["version"]), ("prioritize", 1))
        order = facts["order"]["processes"][0]["order"]
        named = [line for line in (self.dir / "order.txt").read_text().splitlines()
                 if not line.startswith("#")]
        self.assertEqual(named, order)
        self.assertEqual(len(set(order)), 6)
        self.assertEqual(order[0], "Queue.Pushes", "it covers most")
        run = self.run_json("run", self.queue, "--order", "order.txt", "--isolate", "none")
        self.assertEqual(run["orders"][0]["order"], order)
        curve = facts["order"]["curves"]["statements"]
        self.assertEqual(len(curve["covered"]), 6)
        self.assertEqual(curve["covered"], sorted(curve["covered"]))
        self.assertEqual(curve["covered"][-1], curve["total"])
        unranked = facts["default_order"]["curves"]["statements"]
        self.assertGreater(curve["rate"], unranked["rate"])
        self.assertIn("rate", ran.err)

    def test_a_seed_gives_one_order_and_coverage_is_kept(self):
        def order(*words):
            return self.run_json("prioritize", self.queue, *words, code=0)
        first, again = order("-t", "T1", "--seed", "5"), order("-t", "t1", "--seed", "5")
        self.assertIsNone(first["coverage"]["age_seconds"])
        self.assertIsNotNone(again["coverage"]["age_seconds"])
        self.assertEqual(first["order"]["processes"], again["order"]["processes"])
        others = [order("-t", "T1", "--seed", str(seed))["order"]["processes"]
                  for seed in range(6, 10)]
        self.assertTrue(any(other != first["order"]["processes"] for other in others))
        anew = order("-t", "T3", "--again")
        self.assertIsNone(anew["coverage"]["age_seconds"])

    def test_without_counters_only_t1(self):
        plain = self.zoo("guilty/global_int")
        ran = self.gordian("prioritize", plain, "-t", "T4")
        self.assertEqual(ran.code, 3, ran)
        for words in ("cxxflags --coverage", "gordian_coverage()", "--coverage FILE", "T1"):
            self.assertIn(words, ran.err)
        facts = self.run_json("prioritize", plain, "-t", "T1", code=0)
        self.assertIsNone(facts["coverage"])
        self.assertIsNone(facts["order"]["curves"]["statements"])

    def test_data_of_ones_own(self):
        plain = self.zoo("guilty/global_int")
        tests = self.run_json("run", plain, "--no-db")["orders"][0]["order"]
        lines = []
        for index, test in enumerate(tests):
            lines += [f"TN:{test}", "SF:/a.cc", *(f"DA:{n},1" for n in range(1, index + 2)),
                      "end_of_record"]
        (self.dir / "own.info").write_text("\n".join(lines) + "\n")
        facts = self.run_json("prioritize", plain, "-t", "T3", "--coverage", "own.info", code=0)
        self.assertEqual(facts["order"]["processes"][0]["order"], tests[::-1])
        ran = self.gordian("prioritize", plain, "-t", "T3", "--coverage", "none.info")
        self.assertEqual(ran.code, 2, ran)

    def test_bad_words(self):
        ran = self.gordian("prioritize", self.queue, "-t", "T2")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("T1, T3, T4, T5 and T7", ran.err)
        self.assertEqual(self.gordian("prioritize", self.queue).code, 2)
        ran = self.gordian("prioritize", self.queue, "-t", "T1", "--filter", "Nothing.*")
        self.assertEqual(ran.code, 2, ran)
        ran = self.gordian("prioritize", "/bin/true", "-t", "T1")
        self.assertEqual(ran.code, 3, ran)

    def test_the_report_has_the_curves(self):
        self.gordian("detect", self.queue)
        self.gordian("prioritize", self.queue, "-t", "T4", "-o", "order.txt")
        self.gordian("prioritize", self.queue, "-t", "T7", "--aware", "-o", "order.txt")
        ran = self.gordian("report", "--json", "-")
        curves = ran.json()["suites"][0]["curves"]
        names = {(curve["technique"], curve["units"]) for curve in curves}
        self.assertLessEqual({("default", "statements"), ("T4", "statements"),
                              ("T7 aware", "functions"), ("T7", "functions")}, names)
        for curve in curves:
            self.assertEqual(curve["total"], curve["covered"][-1])


class Aware(Case):
    def test_a_brittle_test_stays_behind_its_setter(self):
        queue = ROOM / "queue"
        unaware = self.run_json("prioritize", queue, "-t", "T4", "--verify", *IN_ORDER,
                                code=1)
        changed = unaware["order"]["checked"]["changed"]
        self.assertEqual([one["test"] for one in changed], ["Queue.Pushes"])
        self.assertRegex(changed[0]["dependence"], r"^D\d+$")
        aware = self.run_json("prioritize", queue, "-t", "T4", "--aware", *IN_ORDER, code=0)
        order = aware["order"]["processes"][0]["order"]
        self.assertLess(order.index("Queue.Opens"), order.index("Queue.Pushes"))
        self.assertEqual(aware["order"]["checked"]["changed"], [])
        price = (aware["unaware"]["curves"]["statements"]["rate"] -
                 aware["order"]["curves"]["statements"]["rate"])
        self.assertGreater(price, 0)
        ran = self.gordian("prioritize", queue, "-t", "T4", "--aware", *IN_ORDER, "-o",
                           "order.txt")
        self.assertIn("Price of keeping to dependences", ran.err)
        run = self.run_json("run", queue, "--order", "order.txt", "--isolate", "none", code=0)
        self.assertEqual(set(outcomes(run).values()), {"pass"})

    def test_what_checking_shows_is_learned_without_any_search(self):
        facts = self.run_json("prioritize", ROOM / "queue", "-t", "T4", "--aware", *IN_ORDER,
                              code=0)
        self.assertTrue(facts["order"]["aware"]["learned"])
        self.assertIn("never searched", " ".join(notice["text"] for notice in facts["notices"]))


    def test_what_is_learned_joins_the_search_that_is_reported(self):
        queue = ROOM / "queue"
        self.gordian("detect", queue, "--filter", "Deep.*")
        before = self.gordian("report", "--json", "-").json()["suites"]
        self.run_json("prioritize", queue, "-t", "T4", "--verify", *IN_ORDER, code=1)
        after = self.gordian("report", "--json", "-").json()["suites"]
        self.assertEqual(len(after), 1)
        self.assertEqual(before[0]["dependences"], [])
        self.assertEqual([d["test"] for d in after[0]["dependences"]], ["Queue.Pushes"])
        self.assertEqual(after[0]["search"], before[0]["search"])


class Impact(Case):
    @classmethod
    def setUpClass(cls):
        sources = [SOURCE / "zoo" / folder / f"{name}.cc"
                   for folder, names in (("guilty", GUILTY), ("clean", CLEAN)) for name in names]
        cls.built = {source.stem: binary for source, binary in
                     zip(sources, two_at_a_time(lambda source: compiled(source.stem, source),
                                                sources))}

    def test_all_techniques_on_clean_suites_change_nothing(self):
        for name in CLEAN:
            with self.subTest(suite=name):
                facts = self.run_json("impact", self.built[name], code=0)
                self.assertEqual([order["technique"] for order in facts["orders"]], TECHNIQUES)
                self.assertEqual(facts["affected"], [])
                self.assertGreater(facts["orders"][0]["checked"]["tests"], 0)

    def test_all_techniques_on_guilty_suites_and_aware_ones(self):
        known = {suite["name"]: suite for suite in zoo_suites("guilty")}
        fooled = set()
        for name in GUILTY:
            with self.subTest(suite=name):
                facts = self.run_json("impact", self.built[name], "--seeds", "5")
                for order in facts["orders"]:
                    for one in order["checked"]["changed"]:
                        self.assertIn(one["test"], dependents(known[name]))
                        self.assertIsNotNone(one["dependence"], one)
                fooled |= {name} if facts["affected"] else set()
                self.gordian("detect", self.built[name])
                aware = self.run_json("impact", self.built[name], "--aware", "--seeds", "5", code=0)
                self.assertEqual(aware["affected"], [])
        self.assertGreater(len(fooled), len(GUILTY) // 2, fooled)

    def random_orders(self, suites, seeds):
        """(suite, tests whose result a random order changes), without coverage or a search."""
        def affected(suite):
            name = suite["name"]
            facts = self.run_json("impact", self.zoo(f"{suite['folder']}/{name}"), "-t", "T1",
                                  "--seeds", str(seeds), "--db", f"{name}.db")
            return set(facts["affected"])
        return zip(suites, two_at_a_time(affected, suites))

    def test_random_orders_find_the_dependents_of_the_zoo(self):
        special = {"brittle", "chain", "three", "two", "crash", "exit", "polluter", "param", "typed"}
        suites = [suite for index, suite in enumerate(of_googletest("guilty"))
                  if dependents(suite) and suite["name"] != "hang_victim" and
                  (index % 4 == 0 or special & set(suite["name"].split("_")))]
        self.assertGreater(len(suites), 25)
        missed = {}
        for suite, affected in self.random_orders(suites, seeds=12):
            with self.subTest(suite=suite["name"]):
                self.assertLessEqual(affected, dependents(suite))
            if dependents(suite) - affected:
                missed[suite["name"]] = dependents(suite) - affected
        self.assertLessEqual(len(missed), 2, missed)

    def test_random_orders_of_clean_suites_change_nothing(self):
        for suite, affected in self.random_orders(of_googletest("clean")[::3], seeds=4):
            with self.subTest(suite=suite["name"]):
                self.assertEqual(affected, set())

    def test_a_table_for_people(self):
        ran = self.gordian("impact", ROOM / "queue", *IN_ORDER)
        self.assertEqual(ran.code, 1, ran)
        for word in [*TECHNIQUES, "changed results", "Queue.Pushes"]:
            self.assertIn(word, ran.err)
        ran = self.gordian("impact", self.zoo("guilty/global_int"))
        self.assertEqual(ran.code, 3, ran)
        self.assertIn("T1 needs no coverage", ran.err)


class Reduce(Case):
    def test_what_is_kept_covers_the_same_and_keeps_its_setter(self):
        queue = ROOM / "queue"
        self.gordian("detect", queue)
        facts = self.run_json("reduce", queue, *IN_ORDER, "-o", "reduced.txt", code=0)
        self.assertEqual(facts["statements"]["all"], facts["statements"]["kept"])
        self.assertEqual(facts["by_coverage"], ["Queue.Pushes", "Deep.Shallow"])
        self.assertEqual(facts["kept_for_dependences"], ["Queue.Opens"])
        order = facts["order"]["processes"][0]["order"]
        self.assertIn("Queue.Pushes", order)
        self.assertLess(order.index("Queue.Opens"), order.index("Queue.Pushes"))
        self.assertEqual(facts["order"]["checked"]["changed"], [])
        self.assertEqual([time["isolation"] for time in facts["times"]],
                         ["process", "snapshot", "none"])
        for time in facts["times"]:
            self.assertGreater(time["seconds_all"], 0)
            self.assertGreater(time["seconds_reduced"], 0)
        run = self.run_json("run", queue, "--order", "reduced.txt", "--isolate", "none", code=0)
        self.assertEqual(set(outcomes(run).values()), {"pass"})

    def test_by_coverage_alone_it_may_fail(self):
        facts = self.run_json("reduce", ROOM / "queue", *IN_ORDER, "--unaware", "--no-times", code=1)
        self.assertEqual([one["test"] for one in facts["order"]["checked"]["changed"]],
                         ["Queue.Pushes"])

    def test_the_code_of_tests_counts_if_asked_for(self):
        facts = self.run_json("reduce", ROOM / "queue", *IN_ORDER, "--test-code", "--no-times",
                              code=0)
        self.assertEqual(facts["kept"], 6)

    def test_seeded_faults(self):
        (self.dir / "faults").write_text("# some\nweight: FAULT_WEIGHT=1\ndeep: FAULT_DEEP=1\n"
                                         "one: FAULT_ONE=1\ngone: ./no_such_binary\n")
        facts = self.run_json("reduce", ROOM / "queue", *IN_ORDER, "--faults", "faults",
                              "--no-times", code=1)
        faults = {fault["name"]: fault for fault in facts["faults"]}
        self.assertIn("Weigh.Odd", faults["weight"]["found_by"])
        self.assertEqual(faults["weight"]["found_by_reduced"], ["Queue.Pushes"])
        self.assertEqual(faults["deep"]["found_by"], ["Deep.Shallow"])
        self.assertEqual(faults["deep"]["found_by_reduced"], ["Deep.Shallow"])
        self.assertEqual(faults["one"]["found_by"], ["Weigh.Small"])
        self.assertEqual(faults["one"]["found_by_reduced"], [])
        self.assertIsNotNone(faults["gone"]["trouble"])
        self.assertIsNone(faults["deep"]["trouble"])
        (self.dir / "faults").write_text("nothing\n")
        ran = self.gordian("reduce", ROOM / "queue", "--faults", "faults")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("faults:1", ran.err)

    def test_without_counters(self):
        ran = self.gordian("reduce", self.zoo("clean/counter_delta"))
        self.assertEqual(ran.code, 3, ran)
        self.assertIn("cxxflags --coverage", ran.err)


if __name__ == "__main__":
    main()
