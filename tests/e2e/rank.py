# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Prioritised orders and reduced suites: what they cover, and that orders which know of dependences
fool nobody. What orders that do not know of them do to suites: impact.py."""
import json

from covered_suite import IN_ORDER, Room
from gordian import Case, main, outcomes


class Covered(Case):
    @classmethod
    def setUpClass(cls):
        room = Room()
        cls.addClassCleanup(room.remove)
        cls.queue = room.queue


class Prioritize(Covered):
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


class Aware(Covered):
    def test_a_brittle_test_stays_behind_its_setter(self):
        unaware = self.run_json("prioritize", self.queue, "-t", "T4", "--verify", *IN_ORDER,
                                code=1)
        changed = unaware["order"]["checked"]["changed"]
        self.assertEqual([one["test"] for one in changed], ["Queue.Pushes"])
        self.assertRegex(changed[0]["dependence"], r"^D\d+$")
        aware = self.run_json("prioritize", self.queue, "-t", "T4", "--aware", *IN_ORDER, code=0)
        order = aware["order"]["processes"][0]["order"]
        self.assertLess(order.index("Queue.Opens"), order.index("Queue.Pushes"))
        self.assertEqual(aware["order"]["checked"]["changed"], [])
        price = (aware["unaware"]["curves"]["statements"]["rate"] -
                 aware["order"]["curves"]["statements"]["rate"])
        self.assertGreater(price, 0)
        ran = self.gordian("prioritize", self.queue, "-t", "T4", "--aware", *IN_ORDER, "-o",
                           "order.txt")
        self.assertIn("Price of keeping to dependences", ran.err)
        run = self.run_json("run", self.queue, "--order", "order.txt", "--isolate", "none", code=0)
        self.assertEqual(set(outcomes(run).values()), {"pass"})

    def test_what_checking_shows_is_learned_without_any_search(self):
        facts = self.run_json("prioritize", self.queue, "-t", "T4", "--aware", *IN_ORDER,
                              code=0)
        self.assertTrue(facts["order"]["aware"]["learned"])
        self.assertIn("never searched", " ".join(notice["text"] for notice in facts["notices"]))


    def test_what_is_learned_joins_the_search_that_is_reported(self):
        self.gordian("detect", self.queue, "--filter", "Deep.*")
        before = self.gordian("report", "--json", "-").json()["suites"]
        self.run_json("prioritize", self.queue, "-t", "T4", "--verify", *IN_ORDER, code=1)
        after = self.gordian("report", "--json", "-").json()["suites"]
        self.assertEqual(len(after), 1)
        self.assertEqual(before[0]["dependences"], [])
        self.assertEqual([d["test"] for d in after[0]["dependences"]], ["Queue.Pushes"])
        self.assertEqual(after[0]["search"], before[0]["search"])


class Reduce(Covered):
    def test_what_is_kept_covers_the_same_and_keeps_its_setter(self):
        self.gordian("detect", self.queue)
        facts = self.run_json("reduce", self.queue, *IN_ORDER, "-o", "reduced.txt", code=0)
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
        run = self.run_json("run", self.queue, "--order", "reduced.txt", "--isolate", "none", code=0)
        self.assertEqual(set(outcomes(run).values()), {"pass"})

    def test_by_coverage_alone_it_may_fail(self):
        facts = self.run_json("reduce", self.queue, *IN_ORDER, "--unaware", "--no-times", code=1)
        self.assertEqual([one["test"] for one in facts["order"]["checked"]["changed"]],
                         ["Queue.Pushes"])

    def test_the_code_of_tests_counts_if_asked_for(self):
        facts = self.run_json("reduce", self.queue, *IN_ORDER, "--test-code", "--no-times",
                              code=0)
        self.assertEqual(facts["kept"], 6)

    def test_seeded_faults(self):
        (self.dir / "faults").write_text("# some\nweight: FAULT_WEIGHT=1\ndeep: FAULT_DEEP=1\n"
                                         "one: FAULT_ONE=1\ngone: ./no_such_binary\n")
        facts = self.run_json("reduce", self.queue, *IN_ORDER, "--faults", "faults",
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
        ran = self.gordian("reduce", self.queue, "--faults", "faults")
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("faults:1", ran.err)

    def test_without_counters(self):
        ran = self.gordian("reduce", self.zoo("clean/counter_delta"))
        self.assertEqual(ran.code, 3, ran)
        self.assertIn("cxxflags --coverage", ran.err)


if __name__ == "__main__":
    main()
