# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What orders that know nothing of dependences do to suites: they fool the dependent tests of the
zoo, and nobody else; orders that know of them fool nobody."""
import concurrent.futures

from covered_suite import IN_ORDER, Room
from gordian import SOURCE, Case, every, main, zoo_suites

TECHNIQUES = ["T1", "T3", "T4", "T5", "T7"]
# Built for coverage: one for each role, a chain of both, one that crashes, and innocent ones.
GUILTY = ["brittle_init", "polluter_and_cleaner", "chain", "three_tests_ordered", "crash_victim"]
CLEAN = ["counter_delta", "parametrised"]


def dependents(suite):
    """Those that some order of different tests shows."""
    return {d["test"] for d in suite["dependences"] if d["role"] != "self_dependent"}


def two_at_a_time(make, things):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(make, things))


class Impact(Case):
    @classmethod
    def setUpClass(cls):
        sources = [SOURCE / "zoo" / folder / f"{name}.cc"
                   for folder, names in (("guilty", GUILTY), ("clean", CLEAN)) for name in names]
        room = Room()
        cls.addClassCleanup(room.remove)
        cls.queue = room.queue
        binaries = two_at_a_time(lambda source: room.compiled(source.stem, source), sources)
        cls.built = {source.stem: binary for source, binary in zip(sources, binaries)}

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
                                  "--seeds", str(seeds), "--db",
                                  f"{suite['folder']}-{name}.db")
            return set(facts["affected"])
        return zip(suites, two_at_a_time(affected, suites))

    def test_random_orders_find_the_dependents_of_the_zoo(self):
        suites = every(2, [suite for suite in zoo_suites("guilty") if dependents(suite)
                           and suite["name"] != "hang_victim"])  # each hang takes seconds
        found, missed = 0, {}
        for suite, affected in self.random_orders(suites, seeds=12):
            with self.subTest(suite=suite["name"]):
                self.assertLessEqual(affected, dependents(suite))
            found += len(affected)
            if dependents(suite) - affected:
                missed[f"{suite['folder']}/{suite['name']}"] = dependents(suite) - affected
        self.assertGreater(found, 50)
        self.assertEqual(missed, {})

    def test_random_orders_of_clean_suites_change_nothing(self):
        for suite, affected in self.random_orders(every(2, zoo_suites("clean")), seeds=4):
            with self.subTest(suite=suite["name"]):
                self.assertEqual(affected, set())

    def test_a_table_for_people(self):
        ran = self.gordian("impact", self.queue, *IN_ORDER)
        self.assertEqual(ran.code, 1, ran)
        for word in [*TECHNIQUES, "changed results", "Queue.Pushes"]:
            self.assertIn(word, ran.err)
        ran = self.gordian("impact", self.zoo("guilty/global_int"))
        self.assertEqual(ran.code, 3, ran)
        self.assertIn("T1 needs no coverage", ran.err)


if __name__ == "__main__":
    main()
