#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What a user sees of an explanation: `gordian explain` shows it, and `gordian replay --debugger`
stops where it says. But for `Made` the explanations are put into the database by these tests, as
src/store/schema.md describes it, so that what they say is known."""
import hashlib
import json
import os
import pty
import re
import select
import shutil
import sqlite3
import time
import unittest

import gordian
from hostile import processes_of

GDB = shutil.which("gdb")


def line_of(source, mark):
    """The number of the line that ends with such a comment."""
    for number, line in enumerate(source.read_text().splitlines(), 1):
        if "// " in line and mark in line.split("// ")[1].split():
            return number
    raise AssertionError(f"{source} has no line marked {mark}")


class Explained(gordian.Case):
    """A copy of a zoo suite that was searched."""

    def search(self, name="guilty/global_int"):
        self.binary = self.zoo_copy(name)
        self.source = gordian.SOURCE / "zoo" / f"{name}.cc"
        ran = self.gordian("detect", self.binary, "--timeout", "1s", "--json", "-")
        self.found = ran.json()["dependences"]
        self.assertTrue(self.found, ran)
        return self.found[0]

    def site(self, test, mark, file=None, times=1):
        frames = [{"function": f"{test.replace('.', '_')}_Test::TestBody()",
                   "file": str(file or self.source), "line": line_of(self.source, mark),
                   "module": self.binary.name, "address": 1},
                  {"function": "testing::Test::Run()", "file": "", "line": 0,
                   "module": "libgtest.so", "address": 2}]
        return {"test": test, "stack": frames, "shown": 0, "times": times, "times_capped": False}

    def put(self, found, name="g_balance", file=None, times=1, proved=True, why_not=""):
        """Stores an explanation as if it had been made of this build."""
        write, read = found["witness"][0], found["witness"][-1]
        facts = {"carriers": [{"kind": "variable", "name": name, "type": "int", "old": "0",
                               "new": "50", "file": str(self.source), "line": 7, "proved": proved,
                               "write": self.site(write, "WRITE", file, times),
                               "read": self.site(read, "READ", file)}],
                 "proved": proved, "proofs": 3 if proved else 0, "changes": 4, "why_not": why_not,
                 "seconds": 0.5}
        digest = hashlib.sha256(self.binary.read_bytes()).hexdigest()
        with sqlite3.connect(self.dir / ".gordian" / "gordian.db") as database:
            database.execute("INSERT OR REPLACE INTO explanations VALUES (?, ?, ?, ?, ?, ?)",
                             (int(found["id"][1:]), digest, json.dumps(found["witness"]), 1,
                              int(time.time() * 1000) - 125_000, json.dumps(facts)))
        database.close()


class NotThere(Explained):
    def test_a_witness_that_shows_nothing_proves_nothing(self):
        """The polluter changes state, and the test passes with that state put back, as it does without:
        only a run with nothing put back can tell."""
        self.search()
        tests = ["Account.DepositGrowsBalance", "Account.AcceptsPositiveAmount"]
        with sqlite3.connect(self.dir / ".gordian" / "gordian.db") as database:
            facts = json.loads(database.execute("SELECT facts FROM dependences").fetchone()[0])
            facts["witness"] = tests
            database.execute("UPDATE dependences SET test = ?, facts = ?",
                             (tests[-1], json.dumps(facts)))
        database.close()
        ran = self.gordian("explain", "D1", "--json", "-")
        self.assertEqual(ran.code, 1, ran)
        entry = ran.json()["explanations"][0]
        self.assertEqual((entry["proved"], entry["carriers"]), (False, []))
        self.assertIn("does not show it again", entry["why_not"])


class Shown(Explained):
    def test_again_at_once(self):
        self.put(self.search())
        ran = self.gordian("explain", "D1")
        self.assertEqual(ran.code, 0, ran)
        for part in ("D1  Account.StartsEmpty  fails after  Account.DepositGrowsBalance",
                     "  expected  pass\n  observed  FAIL", "  carrier   g_balance  (int, ",
                     "   proved\n            0 -> 50\n", "explained 2 minutes ago",
                     "reset to 0 after Account.DepositGrowsBalance the test passes (3 runs",
                     "  replay    gordian replay D1\n",
                     "  debug     gordian replay D1 --debugger gdb --at read\n",
                     "1 dependence: 1 explained with proof.\n"):
            self.assertIn(part, ran.out)

    def test_the_lines_of_the_source(self):
        self.put(self.search())
        out = self.gordian("explain", "D1").out
        write, read = line_of(self.source, "WRITE"), line_of(self.source, "READ")
        self.assertIn(f"> {write} |   g_balance = 50;  // WRITE\n", out)
        self.assertIn(f"> {read} |   EXPECT_EQ(g_balance, 0);  // READ\n", out)

    def test_no_lines_of_a_source_that_is_newer_than_the_binary(self):
        found = self.search()
        copy = self.dir / "copy.cc"
        copy.write_text(self.source.read_text())
        built = self.binary.stat().st_mtime
        for age, shown in ((60, True), (-60, False)):
            os.utime(copy, (built - age, built - age))
            self.put(found, file=copy)
            out = self.gordian("explain", "D1").out
            self.assertEqual("// WRITE" in out, shown, out)
            self.assertIn(f"{copy}:{line_of(self.source, 'WRITE')} in Account_", out)

    def test_without_a_name_all_of_the_last_search(self):
        self.put(self.search())
        self.assertIn("D1  Account.StartsEmpty", self.gordian("explain").out)

    def test_json(self):
        self.put(self.search())
        ran = self.gordian("explain", "--json", "-")
        facts = ran.json()
        self.assertEqual((facts["kind"], facts["version"]), ("explain", 1))
        entry = facts["explanations"][0]
        self.assertEqual((entry["id"], entry["role"], entry["proved"]), ("D1", "victim", True))
        self.assertEqual(entry["carriers"][0]["write"]["line"], line_of(self.source, "WRITE"))
        self.assertGreaterEqual(entry["age_seconds"], 125)
        self.assertIn("carrier   g_balance", ran.err)
        self.gordian("explain", "--json", "facts.json")
        self.assertEqual(json.loads((self.dir / "facts.json").read_text())["kind"], "explain")

    def test_a_suspicion_is_called_one(self):
        self.put(self.search(), proved=False, why_not="resetting it changes nothing")
        ran = self.gordian("explain", "D1")
        self.assertEqual(ran.code, 1, ran)
        self.assertIn("suspected, not proved: resetting it changes nothing", ran.out)
        self.assertNotIn("   proved\n", ran.out)

    def test_victims_of_one_variable_stand_together(self):
        self.search("guilty/two_victims")
        for found in self.found:
            self.put(found, name="g_shared")
        out = self.gordian("explain", "D2", "D1", "D2").out
        self.assertTrue(out.startswith("2 victims, 1 variable: g_shared\n"), out)
        self.assertLess(out.index("D2  "), out.index("D1  "))
        self.assertIn("2 dependences: 2 explained with proof.", out)


class Made(Explained):
    """The whole way: search, explain, show again."""

    def test_then_shown_again_until_told_otherwise(self):
        self.search()
        first = self.gordian("explain", "--json", "facts.json")
        self.assertEqual(first.code, 0, first)
        self.assertIn("carrier   g_balance  (int, ", first.out)
        facts = json.loads((self.dir / "facts.json").read_text())["explanations"][0]
        self.assertIsNone(facts["age_seconds"])
        carrier = facts["carriers"][0]
        self.assertEqual((carrier["name"], carrier["old"], carrier["new"], carrier["proved"]),
                         ("g_balance", "0", "50", True))
        for access, mark in (("write", "WRITE"), ("read", "READ")):
            self.assertEqual(carrier[access]["line"], line_of(self.source, mark), access)
        self.assertIn("--again", self.gordian("explain").out)
        self.assertNotIn("note ", self.gordian("explain", "--again").out)
        self.assertNotIn("note ", self.gordian("explain", "--proofs", "4").out)

    def test_without_places(self):
        self.search()
        ran = self.gordian("explain", "--no-sites", "--json", "-")
        self.assertEqual(ran.code, 0, ran)
        carrier = ran.json()["explanations"][0]["carriers"][0]
        self.assertEqual((carrier["write"], carrier["read"]), (None, None))
        self.assertIsNotNone(self.gordian("explain", "--json", "-").json()
                             ["explanations"][0]["carriers"][0]["write"])

    def test_with_a_search(self):
        ran = self.gordian("detect", self.zoo("guilty/global_int"), "--explain", "--json", "-")
        found = ran.json()["dependences"][0]
        self.assertEqual([c["name"] for c in found["carriers"]], ["g_balance"], ran)
        self.assertRegex(ran.err, r"carrier     g_balance  \(int, .*\)  0 -> 50   proved\n")
        self.assertIn("note ", self.gordian("explain", "D1").out)

    @unittest.skipUnless(GDB, "gdb is not installed")
    def test_and_debugged_where_it_was_found(self):
        self.search()
        self.gordian("explain")
        for at, value in (("write", 0), ("read", 50)):
            ran = self.gordian("replay", "D1", "--debugger", "gdb", "--at", at,
                               "--debugger-arg=-nx", "--debugger-arg=-batch",
                               "--debugger-arg=-ex", "--debugger-arg=print g_balance")
            self.assertIn(f"$1 = {value}\n", ran.out, ran)


class Narrower(Explained):
    """A variable that the witness itself makes: the part that matters is seen behind a test that makes it."""

    def explained(self):
        self.search("guilty/lazy_registry")
        self.ran = self.gordian("explain", "--json", "facts.json")
        facts = json.loads((self.dir / "facts.json").read_text())["explanations"]
        return {e["test"].split(".")[1]: e for e in facts}

    def test_behind_the_dependent_test_itself(self):
        found = self.explained()["LevelIsTwoAtFirst"]
        level, raised = "RegistryTest.LevelIsTwoAtFirst", "RegistryTest.LevelCanBeRaised"
        self.assertEqual((found["behind"], found["witness"], found["proofs"]),
                         ([level], [raised, level], 3))
        carrier = found["carriers"][0]
        self.assertEqual((carrier["name"], carrier["old"], carrier["new"], carrier["proved"]),
                         ("Registry::instance()::registry.level_", "2", "5", True))
        for access, test, mark in (("write", raised, "WRITE"), ("read", level, "READ")):
            self.assertEqual((carrier[access]["test"], carrier[access]["line"]),
                             (test, line_of(self.source, mark)))
        self.assertIn(f"  seen in   {level}, {raised}, {level}   ({level} first, so that the "
                      "carrier is there before)\n", self.ran.out)
        self.assertIn("  seen in   ", self.gordian("explain", found["id"]).out)

    def test_behind_another_where_it_cannot_run_twice(self):
        found = self.explained()["FirstTicketIsRound"]
        self.assertEqual(found["behind"], ["RegistryTest.LevelIsTwoAtFirst"])
        self.assertEqual([(c["name"], c["old"], c["new"]) for c in found["carriers"]],
                         [("Registry::instance()::registry.tickets_", "100", "101")])

    def test_not_where_the_variable_is_there_at_once(self):
        self.search("guilty/singleton")
        ran = self.gordian("explain", "--json", "-")
        self.assertEqual(ran.json()["explanations"][0]["behind"], [])
        self.assertNotIn("seen in", ran.err)

    @unittest.skipUnless(GDB, "gdb is not installed")
    def test_debugged_in_the_order_that_was_run(self):
        found = self.explained()["LevelIsTwoAtFirst"]
        for at, value in (("write", 2), ("read", 5)):
            ran = self.gordian("replay", found["id"], "--debugger", "gdb", "--at", at,
                               "--debugger-arg=-nx", "--debugger-arg=-batch",
                               "--debugger-arg=-ex", "--debugger-arg=print level_",
                               "--debugger-arg=-ex", "--debugger-arg=print changes_")
            self.assertIn(f"$1 = {value}\n$2 = 1\n", ran.out, ran)


class Refused(Explained):
    def refused(self, code, *words, **how):
        ran = self.gordian(*words, **how)
        self.assertEqual(ran.code, code, ran)
        return ran.err

    def test_what_is_not_there(self):
        self.assertIn("there is no database", self.refused(2, "explain", "D1"))
        self.assertIn("--db", self.refused(2, "explain"))
        self.assertFalse((self.dir / ".gordian").exists())
        self.search()
        self.assertIn("the newest one is D1", self.refused(2, "explain", "D7"))
        self.assertIn("D1, D2", self.refused(2, "explain", "G1"))

    def test_a_rebuilt_binary(self):
        self.put(self.search())
        shutil.copy2(self.zoo("guilty/global_string"), self.binary)
        said = self.refused(3, "explain", "D1")
        self.assertIn("was rebuilt since D1 was found", said)
        self.assertIn(f"gordian detect {self.binary}", said)

    def test_a_binary_that_is_gone(self):
        self.put(self.search())
        self.binary.unlink()
        self.assertIn("is gone", self.refused(3, "explain"))
        self.assertIn("is gone", self.refused(3, "replay", "D1", "--debugger", "gdb"))

    def test_nothing_found_is_nothing_to_explain(self):
        self.gordian("detect", self.zoo("clean/global_restored"))
        ran = self.gordian("explain")
        self.assertEqual((ran.code, ran.out), (0, ""), ran)
        self.assertIn("nothing to explain", ran.err)

    def test_debuggers(self):
        self.search()
        self.assertIn("not supported", self.refused(2, "replay", "D1", "--debugger", "lldb"))
        self.assertIn("requires", self.refused(2, "replay", "D1", "--at", "read"))
        self.assertIn("not for runs", self.refused(2, "replay", "R1", "--debugger", "gdb"))
        without = gordian.clean_environment(PATH=str(self.dir))
        self.assertIn("install the package gdb",
                      self.refused(2, "replay", "D1", "--debugger", "gdb", env=without))

    @unittest.skipUnless(GDB, "gdb is not installed")
    def test_a_place_that_is_not_known(self):
        self.search()
        for at in ("read", "write"):
            said = self.refused(2, "replay", "D1", "--debugger", "gdb", "--at", at)
            self.assertIn("gordian explain D1", said)


@unittest.skipUnless(GDB, "gdb is not installed")
class Debugged(Explained):
    """gdb with commands instead of a person: what it says where it stopped."""

    def debug(self, *commands, at=None, id="D1"):
        words = ["replay", id, "--debugger", "gdb", "--debugger-arg=-nx", "--debugger-arg=-batch"]
        words += ["--at", at] if at else []
        for command in commands:
            words += ["--debugger-arg=-ex", f"--debugger-arg={command}"]
        ran = self.gordian(*words)
        self.assertEqual(processes_of(self.dir), {})
        self.assertEqual(ran.code, 0, ran)
        return ran.out + ran.err

    def test_at_the_last_write(self):
        self.put(self.search())
        said = self.debug("print g_balance", "frame", "next", "print g_balance", at="write")
        self.assertIn("$1 = 0", said)
        self.assertIn("$2 = 50", said)
        self.assertIn("Account_DepositGrowsBalance_Test::TestBody", said)
        self.assertIn("stops where Account.DepositGrowsBalance last writes g_balance", said)

    def test_at_the_first_read_of_the_last_test(self):
        self.put(self.search())
        for at in ("read", None):
            said = self.debug("print g_balance", "frame", at=at)
            self.assertIn("$1 = 50", said)
            self.assertIn("Account_StartsEmpty_Test::TestBody", said)

    def test_a_source_that_the_debugger_knows_by_another_path(self):
        """As after a normalised path, or in a build that was moved."""
        self.put(self.search(), file="/nowhere/else/global_int.cc")
        self.assertIn("$1 = 50", self.debug("print g_balance", at="read"))

    def test_at_the_failure(self):
        self.search()
        for at in ("failure", None):
            said = self.debug("backtrace", at=at)
            self.assertIn("Account_StartsEmpty_Test::TestBody", said)
            self.assertIn("AddTestPartResult", said)

    def test_at_a_crash(self):
        self.search("guilty/crash_victim")
        said = self.debug("backtrace", at="failure")
        self.assertIn("SIGSEGV", said)
        self.assertIn("Slot_HoldsSeven_Test::TestBody", said)

    def test_at_an_exit(self):
        self.search("guilty/exit_victim")
        said = self.debug("backtrace", at="failure")
        self.assertIn("exit_group", said)
        self.assertIn("_Test::TestBody", said)

    def test_the_last_of_several_writes(self):
        """Both polluters ask for an id more than once; the last write is the one that matters."""
        found = self.search("guilty/id_generator")
        self.put(found, name="last", times=2)
        said = self.debug("print last", at="write")
        given = int(re.search(r"Which is: (\d+)", said)[1])  # to the victim, one more than was left
        self.assertGreater(given, 2)
        self.assertIn(f"$1 = {given - 2}\n", said)

    def test_a_test_that_runs_twice(self):
        found = self.search("guilty/self_dependent")
        self.assertEqual(found["role"], "self_dependent")
        self.put(found, name="g_plugins")
        said = self.debug("print g_plugins._M_t._M_impl._M_node_count", at="read")
        self.assertIn("$1 = 1", said)
        said = self.debug("print g_plugins._M_t._M_impl._M_node_count", at="write")
        self.assertIn("$1 = 0", said)

    def test_a_brittle_test_fails_alone(self):
        found = self.search("guilty/brittle_init")
        self.assertEqual(found["role"], "brittle")
        said = self.debug("print (int) g_table.size()", "backtrace", at="failure")
        self.assertIn(f"{found['test']} fails, alone", said)
        self.assertIn("HoldsSquares", said)

    def test_to_the_end(self):
        """What the tests print is seen, and the program ends as it would without a debugger."""
        self.search()
        said = self.debug("continue", at="failure")
        self.assertIn("[  FAILED  ] Account.StartsEmpty", said)
        self.assertIn("exited with code", said)


@unittest.skipUnless(GDB, "gdb is not installed")
class Interactive(Explained):
    """A person at a terminal."""

    def setUp(self):
        super().setUp()
        self.put(self.search("guilty/hang_victim"), name="g_state")
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.chdir(self.dir)
            os.execve(gordian.BIN, [gordian.BIN, "replay", "D1", "--debugger", "gdb", "--at",
                                    "failure", "--debugger-arg=-nx"], gordian.clean_environment())
        self.pid, self.said, self.seen = pid, "", 0
        self.addCleanup(os.close, self.terminal)

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def wait_for(self, text):
        """Reads on until `text` appears behind what was waited for last."""
        deadline = time.monotonic() + gordian.PATIENCE
        while text not in self.said[self.seen:]:
            self.assertLess(time.monotonic(), deadline, self.said)
            if select.select([self.terminal], [], [], 0.2)[0]:
                self.said += os.read(self.terminal, 4096).decode(errors="replace")
        self.seen = self.said.index(text, self.seen) + len(text)

    def test_keys_are_for_the_debugger(self):
        self.wait_for("hangs: press Ctrl-C then")
        self.wait_for("[ RUN ")  # of the polluter
        self.wait_for("[ RUN ")
        self.type("\x03")
        self.wait_for("(gdb) ")
        self.type("backtrace\n")
        self.wait_for("TestBody")
        self.type("\x03")  # the second one must not end us either
        self.wait_for("(gdb) ")
        self.type("print 40 + 2\n")
        self.wait_for("= 42")
        self.type("kill\ny\nquit\n")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]), 0, self.said)
        self.assertEqual(processes_of(self.dir), {})


if __name__ == "__main__":
    gordian.main()
