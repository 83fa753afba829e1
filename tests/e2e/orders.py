#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""The order that was asked for is the order that is run, and `replay` runs it again."""
import shutil

import gordian

# Two suites of three tests each, and free of dependence in any order.
MANY = "clean/interleaving_safe"


class Orders(gordian.Case):
    def run_none(self, binary, *words, **how):
        return self.run_json("run", binary, "--isolate", "none", *words, **how)

    def default_order(self, binary):
        return gordian.order_of(self.run_none(binary, "--no-db"))


class Asked(Orders):
    def test_reverse(self):
        binary = self.zoo(MANY)
        reverse = gordian.order_of(self.run_none(binary, "--order", "reverse"))
        self.assertEqual(reverse, self.default_order(binary)[::-1])

    def test_the_order_is_what_really_happens(self):
        """A victim passes before its polluter and fails after it."""
        binary = self.zoo("guilty/global_int")
        run = self.run_none(binary, code=0)
        self.assertEqual(gordian.outcomes(run)["Account.StartsEmpty"], "pass")
        run = self.run_none(binary, "--order", "reverse", code=1)
        self.assertEqual(gordian.outcomes(run)["Account.StartsEmpty"], "fail")

    def test_a_seed_is_an_order(self):
        binary = self.zoo(MANY)
        for kind in ("random", "interleave"):
            orders = [gordian.order_of(self.run_none(binary, "--order", f"{kind}:{seed}"))
                      for seed in (1, 1, 2, 3, 4)]
            self.assertEqual(orders[0], orders[1])
            self.assertGreater(len({tuple(order) for order in orders}), 1, kind)
            for order in orders:
                self.assertEqual(sorted(order), sorted(self.default_order(binary)))

    def test_random_keeps_suites_together_and_interleave_does_not(self):
        binary = self.zoo(MANY)
        def switches(order):
            suites = [test.split(".")[0] for test in order]
            return sum(a != b for a, b in zip(suites, suites[1:]))
        fewest = len({test.split(".")[0] for test in self.default_order(binary)}) - 1
        self.assertGreater(fewest, 0)
        for seed in range(5):
            order = gordian.order_of(self.run_none(binary, "--order", f"random:{seed}"))
            self.assertEqual(switches(order), fewest, order)
        self.assertTrue(any(
            switches(gordian.order_of(self.run_none(binary, "--order", f"interleave:{s}"))) > fewest
            for s in range(5)))

    def test_a_seed_of_our_choice_is_told_and_works(self):
        binary = self.zoo(MANY)
        run = self.run_none(binary, "--order", "random")
        seed = run["header"]["seed"]
        self.assertEqual(run["header"]["order_spec"], f"random:{seed}")
        again = self.run_none(binary, "--order", f"random:{seed}")
        self.assertEqual(gordian.order_of(again), gordian.order_of(run))

    def test_order_file(self):
        wanted = ["Account.DepositGrowsBalance", "Account.AcceptsPositiveAmount",
                  "Account.DepositGrowsBalance"]
        (self.dir / "order").write_text("# twice\n" + "\n".join(wanted) + "   # again\n\n")
        for isolation in ("none", "fork", "process"):
            run = self.run_json("run", self.zoo("guilty/global_int"), "--order", "order",
                                "--isolate", isolation)
            self.assertEqual(gordian.order_of(run), wanted)
            self.assertEqual([r["test"] for r in gordian.results(run)], wanted)

    def test_a_test_that_stands_twice_runs_twice(self):
        test = self.self_dependent()
        (self.dir / "order").write_text(f"{test}\n{test}\n")
        binary = self.zoo("guilty/self_dependent")
        run = self.run_none(binary, "--order", "order", code=1)
        self.assertEqual([r["outcome"] for r in gordian.results(run)], ["pass", "fail"])
        run = self.run_json("run", binary, "--order", "order", "--isolate", "fork", code=0)
        self.assertEqual([r["outcome"] for r in gordian.results(run)], ["pass", "pass"])

    def self_dependent(self):
        verdicts = gordian.zoo_suites()
        suite = next(s for s in verdicts if s["name"] == "self_dependent")
        return suite["dependences"][0]["test"]

    def test_repeat(self):
        for isolation in ("none", "fork", "process"):
            run = self.run_json("run", self.zoo("guilty/global_int"), "--repeat", "3",
                                "--isolate", isolation)
            self.assertEqual(len(run["orders"]), 3)
            self.assertEqual(run["counts"]["total"], 12)
            # A repeat starts from nothing: StartsEmpty would fail after DepositGrowsBalance.
            self.assertEqual(run["counts"]["pass"], 12, isolation)

    def test_filter(self):
        run = self.run_none(self.zoo("guilty/global_int"), "--filter", "*.S*:*Amount-*Negative*")
        self.assertEqual(gordian.order_of(run),
                         ["Account.StartsEmpty", "Account.AcceptsPositiveAmount"])

    def test_filter_over_several_binaries(self):
        """A binary without a selected test is passed over; one with some is run."""
        ran = self.gordian("run", self.zoo("guilty/global_string"), self.zoo("guilty/global_int"),
                           "--filter", "Account.*")
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("4 passed", ran.err)

    def test_also_run_disabled(self):
        binary = self.zoo("clean/disabled_tests")
        self.assertFalse(any("DISABLED" in t for t in self.default_order(binary)))
        for isolation in ("none", "fork", "process"):
            run = self.run_json("run", binary, "--also-run-disabled", "--isolate", isolation)
            ran = {r["test"] for r in gordian.results(run) if r["outcome"] in ("pass", "fail")}
            self.assertLessEqual({"Enabled.DISABLED_WritesState", "DISABLED_Suite.WritesState"},
                                 ran, isolation)

    def test_fail_fast(self):
        (self.dir / "order").write_text("Harmless.Fails\nHarmless.Passes\nHostile.ClosesOutput\n")
        binary = self.zoo("hostile/closes_output")
        run = self.run_json("run", binary, "--order", "order", "--fail-fast", "--isolate",
                            "process", "-j1", code=1)
        self.assertEqual(run["end"], "failed_fast")
        self.assertEqual([r["outcome"] for r in gordian.results(run)],
                         ["fail", "not_run", "not_run"])
        run = self.run_json("run", binary, "--order", "order", "--isolate", "process", "-j1",
                            code=1)
        self.assertEqual([r["outcome"] for r in gordian.results(run)], ["fail", "pass", "pass"])

    def test_arguments_go_to_the_program(self):
        """What follows -- is the program's; its own filter decides which tests would run."""
        ran = self.gordian("run", self.zoo("guilty/global_int"), "--isolate", "none", "--json", "-",
                           "--", "--gtest_filter=Account.S*")
        self.assertEqual(ran.code, 0, ran)
        self.assertEqual(ran.json()["target"]["args"], ["--gtest_filter=Account.S*"])
        self.assertEqual(gordian.order_of(ran.json()), ["Account.StartsEmpty"])


class Replayed(Orders):
    def check(self, binary, *words):
        run = self.run_none(binary, *words)
        ran = self.gordian("replay", run["id"], "--json", "-")
        replay = ran.json()
        self.assertEqual(gordian.order_of(replay), gordian.order_of(run))
        self.assertEqual([r["outcome"] for r in gordian.results(replay)],
                         [r["outcome"] for r in gordian.results(run)])
        self.assertEqual([gordian.failure_of(r) for r in gordian.results(replay)],
                         [gordian.failure_of(r) for r in gordian.results(run)])
        self.assertEqual(replay["header"]["isolation_used"], "none")
        self.assertIn(f"All results are as in {run['id']}", ran.err)
        return run, ran

    def test_reverse(self):
        run, ran = self.check(self.zoo("guilty/global_int"), "--order", "reverse")
        self.assertEqual(ran.code, 1, "a replayed failure is a failure")
        self.assertEqual(run["counts"]["fail"], 1)

    def test_random(self):
        for seed in (1, 2, 3):
            self.check(self.zoo("guilty/chain"), "--order", f"random:{seed}")

    def test_interleave(self):
        for seed in (1, 2, 3):
            self.check(self.zoo("guilty/three_tests"), "--order", f"interleave:{seed}")

    def test_order_with_a_crash(self):
        self.check(self.zoo("clean/stable_crash_middle"))

    def test_order_file_that_is_gone(self):
        """What is stored is the order, not the name of a file."""
        (self.dir / "order").write_text("Account.DepositGrowsBalance\nAccount.StartsEmpty\n")
        run = self.run_none(self.zoo("guilty/global_int"), "--order", "order")
        (self.dir / "order").unlink()
        replay = self.run_json("replay", run["id"], code=1)
        self.assertEqual(gordian.order_of(replay), gordian.order_of(run))

    def test_filter_and_arguments(self):
        run = self.run_none(self.zoo("guilty/global_int"), "--filter", "*.S*")
        replay = self.run_json("replay", run["id"], code=0)
        self.assertEqual(gordian.order_of(replay), ["Account.StartsEmpty"])

    def test_disabled_tests(self):
        run = self.run_none(self.zoo("clean/disabled_tests"), "--also-run-disabled")
        replay = self.run_json("replay", run["id"])
        self.assertEqual(gordian.order_of(replay), gordian.order_of(run))
        self.assertEqual(gordian.outcomes(replay), gordian.outcomes(run))

    def test_another_isolation(self):
        run = self.run_none(self.zoo("guilty/global_int"), "--order", "reverse", code=1)
        ran = self.gordian("replay", run["id"], "--isolate", "fork")
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("differs: Account.StartsEmpty: fail then, pass now", ran.err)

    def test_from_another_directory(self):
        """The run knows where it was made."""
        run = self.run_none(self.zoo("guilty/file_in_cwd"), "--order", "reverse", code=1)
        elsewhere = self.dir / "elsewhere"
        elsewhere.mkdir()
        replay = self.run_json("replay", run["id"], "--db", self.dir / ".gordian" / "gordian.db",
                               cwd=elsewhere)
        self.assertEqual(replay["target"]["working_dir"], str(self.dir))
        self.assertEqual(gordian.outcomes(replay), gordian.outcomes(run))

    def test_binary_was_replaced(self):
        binary = self.zoo_copy("guilty/global_int")
        run = self.run_none(binary)
        with open(binary, "ab") as file:
            file.write(b"\0")  # another file, the same program
        ran = self.gordian("replay", run["id"])
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("The binary has changed since R1", ran.err)

    def test_binary_has_other_tests(self):
        binary = self.zoo_copy("guilty/global_int")
        run = self.run_none(binary)
        shutil.copy2(self.zoo("guilty/global_string"), binary)
        ran = self.gordian("replay", run["id"])
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("Account.StartsEmpty", ran.err)
        self.assertIn("rebuilt", ran.err)

    def test_binary_is_gone(self):
        binary = self.zoo_copy("guilty/global_int")
        run = self.run_none(binary)
        binary.unlink()
        ran = self.gordian("replay", run["id"])
        self.assertEqual(ran.code, 3, ran)
        self.assertIn(str(binary), ran.err)

    def test_unchanged_binary_says_nothing(self):
        run = self.run_none(self.zoo("guilty/global_int"))
        self.assertNotIn("has changed", self.gordian("replay", run["id"]).err)


if __name__ == "__main__":
    gordian.main()
