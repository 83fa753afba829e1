#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What users do wrong: the exit code is right, the message names the culprit and says what to do,
and nothing is left behind."""
import os
import sqlite3
import stat
import unittest

import gordian

USAGE, TARGET, INTERNAL = 2, 3, 4
EI_CLASS, E_MACHINE = 4, 18  # offsets in an ELF header


class BadInput(gordian.Case):
    def refuse(self, *words, code, says=(), hint=True, leaves=()):
        """Runs gordian and expects a clean refusal. `leaves`: new names in the directory."""
        before = set(os.listdir(self.dir))
        ran = self.gordian(*words)
        self.assertEqual(ran.code, code, ran)
        for word in says:
            self.assertIn(str(word), ran.err, ran)
        if hint:
            self.assertIn("hint: ", ran.err, ran)
        self.assertEqual(ran.out, "", ran)
        self.assertNotIn("Summary", ran.err, ran)
        self.assertEqual(set(os.listdir(self.dir)) - before, set(leaves), ran)
        return ran

    def program(self, content, name="suspect", mode=0o755):
        path = self.dir / name
        path.write_bytes(content)
        path.chmod(mode)
        return path

    def patched(self, offset, value):
        """A real test binary with one byte of its header changed."""
        content = bytearray(self.zoo("guilty/global_int").read_bytes())
        content[offset] = value
        return self.program(bytes(content))


class BadTargets(BadInput):
    LEFT = (".gordian",)  # the database is opened before the target is looked at

    def test_no_such_file(self):
        self.refuse("run", "nosuch_test", code=TARGET, says=["nosuch_test", "no such file"])

    def test_no_such_file_but_one_with_a_similar_name(self):
        self.zoo_copy("guilty/global_int")
        ran = self.refuse("run", "./global_itn", code=TARGET, says=["./global_itn"])
        self.assertIn("did you mean ./global_int?", ran.err)

    def test_directory_that_is_no_build(self):
        (self.dir / "empty").mkdir()
        self.refuse("run", "empty", code=TARGET, says=["empty", "not a CMake build"])

    def test_empty_name(self):
        self.refuse("run", "", code=USAGE, says=["empty"], hint=False)

    def test_not_executable(self):
        binary = self.zoo_copy("guilty/global_int")
        binary.chmod(stat.S_IRUSR | stat.S_IWUSR)
        self.refuse("run", binary, code=TARGET, says=[binary], leaves=self.LEFT)

    def test_text_file(self):
        path = self.program(b"just words\n", mode=0o644)
        self.refuse("run", path, code=TARGET, says=[path], leaves=self.LEFT)

    def test_empty_file(self):
        path = self.program(b"")
        self.refuse("run", path, code=TARGET, says=[path], leaves=self.LEFT)

    def test_shell_script(self):
        path = self.program(b"#!/bin/sh\ntouch ran\nexit 0\n")
        self.refuse("run", path, code=TARGET, says=[path, "script"], leaves=self.LEFT)

    def test_elf_of_another_machine(self):
        path = self.patched(E_MACHINE, 0xB7)  # AArch64
        self.refuse("run", path, code=TARGET, says=[path], leaves=self.LEFT)

    def test_elf_of_another_word_size(self):
        path = self.patched(EI_CLASS, 1)
        self.refuse("run", path, code=TARGET, says=[path, "32"], leaves=self.LEFT)

    def test_truncated_elf(self):
        whole = self.zoo("guilty/global_int").read_bytes()
        for size in (3, 16, 63, 64, 1000, len(whole) // 2):
            with self.subTest(size=size):
                path = self.program(whole[:size], name=f"cut{size}")
                leaves = self.LEFT if not (self.dir / ".gordian").exists() else ()
                self.refuse("run", path, code=TARGET, says=[path], leaves=leaves)

    def test_program_that_is_no_test(self):
        self.refuse("run", "/bin/true", code=TARGET, says=["/bin/true"], leaves=self.LEFT)
        self.refuse("list", "/bin/true", code=TARGET, says=["/bin/true"])

    def test_binary_without_tests(self):
        binary = self.zoo("hostile/no_tests")
        self.refuse("run", binary, code=TARGET, says=[binary, "no tests"], leaves=self.LEFT)

    def test_binary_with_all_tests_disabled(self):
        binary = self.zoo("hostile/all_disabled")
        self.refuse("run", binary, code=USAGE, says=["--also-run-disabled"], leaves=self.LEFT)

    def test_program_that_ends_before_its_tests(self):
        binary = self.zoo("hostile/exits_before_tests")
        self.refuse("run", binary, code=TARGET, says=[binary, "no licence found"],
                    leaves=self.LEFT)

    def test_unreadable_program(self):
        if os.geteuid() == 0:
            self.skipTest("root may read everything")
        binary = self.zoo_copy("guilty/global_int")
        binary.chmod(0o111)
        self.refuse("run", binary, code=TARGET, says=[binary], leaves=self.LEFT)

    def test_one_bad_target_of_two_does_not_hide_the_good_one(self):
        run = self.gordian("run", self.zoo("guilty/global_int"), "/bin/true")
        self.assertEqual(run.code, TARGET, run)
        self.assertIn("4 passed", run.err)
        self.assertIn("/bin/true", run.err)


class BadOptions(BadInput):
    def setUp(self):
        super().setUp()
        self.binary = self.zoo("guilty/global_int")

    def test_unknown_option(self):
        self.refuse("run", self.binary, "--isolation=fork", code=USAGE, says=["--isolation"],
                    hint=False)

    def test_unknown_command(self):
        ran = self.refuse("docter", self.binary, code=USAGE, says=["'docter'"])
        self.assertIn("did you mean 'gordian doctor'?", ran.err)

    def test_two_letters_swapped(self):
        """The commonest slip of all, and the shortest command."""
        ran = self.refuse("rnu", self.binary, code=USAGE, says=["'rnu'"])
        self.assertIn("did you mean 'gordian run'?", ran.err)

    def test_unknown_command_like_no_other(self):
        ran = self.refuse("xyzzyplugh", code=USAGE, says=["xyzzyplugh"])
        self.assertNotIn("did you mean", ran.err)

    def test_no_target(self):
        self.refuse("run", code=USAGE, says=["target"], hint=False)

    def test_bad_isolation(self):
        self.refuse("run", self.binary, "--isolate", "container", code=USAGE,
                    says=["--isolate", "container", "process"], hint=False)

    def test_bad_durations(self):
        for option in ("--timeout", "--total-timeout", "--start-timeout", "--slow"):
            for text in ("soon", "-1s", "5 parsecs", ""):
                with self.subTest(option=option, text=text):
                    self.refuse("run", self.binary, f"{option}={text}", code=USAGE, says=[text],
                                hint=bool(text))

    def test_bad_numbers(self):
        for option, text in (("--jobs", "65"), ("--jobs", "-1"), ("--jobs", "two"),
                             ("--repeat", "0"), ("--repeat", "1e3")):
            with self.subTest(option=option, text=text):
                self.refuse("run", self.binary, f"{option}={text}", code=USAGE, says=[option],
                            hint=False)

    def test_bad_seed(self):
        for text in ("random:x", "interleave:-3", "random:99999999999999999999"):
            self.refuse("run", self.binary, "--order", text, code=USAGE, says=["seed"])

    def test_order_that_is_no_file(self):
        self.refuse("run", self.binary, "--order", "backwards", code=USAGE,
                    says=["backwards", "reverse"])

    def test_order_file_that_is_a_directory(self):
        (self.dir / "orders").mkdir()
        self.refuse("run", self.binary, "--order", "orders", code=USAGE, says=["orders"],
                    hint=False)

    def test_unreadable_order_file(self):
        if os.geteuid() == 0:
            self.skipTest("root may read everything")
        self.program(b"Account.StartsEmpty\n", name="order", mode=0o000)
        self.refuse("run", self.binary, "--order", "order", code=USAGE, says=["order"])

    def test_unknown_test_in_order_file(self):
        self.program(b"# first\nAccount.StartsEmpty\nAccount.StartsFull\n", name="order")
        ran = self.refuse("run", self.binary, "--order", "order", code=USAGE,
                          says=["order:3", "Account.StartsFull"], leaves=(".gordian",))
        self.assertIn("did you mean Account.StartsEmpty?", ran.err)

    def test_order_file_without_a_test(self):
        self.program(b"# nothing\n\n", name="order")
        self.refuse("run", self.binary, "--order", "order", code=USAGE, says=["order", "no test"],
                    hint=False, leaves=(".gordian",))

    def test_filter_that_selects_nothing(self):
        self.refuse("run", self.binary, "--filter", "Nothing.*", code=USAGE, says=["--filter"],
                    leaves=(".gordian",))

    def test_report_in_a_missing_directory(self):
        for option in ("--junit", "--json"):
            with self.subTest(option=option):
                ran = self.gordian("run", self.binary, option, "missing/report", "--no-db")
                self.assertEqual(ran.code, USAGE, ran)
                self.assertIn("missing/report", ran.err, ran)
                self.assertFalse((self.dir / "missing").exists())

    def test_report_that_is_a_directory(self):
        (self.dir / "reports").mkdir()
        ran = self.gordian("run", self.binary, "--junit", "reports", "--no-db")
        self.assertEqual(ran.code, USAGE, ran)
        self.assertIn("reports", ran.err, ran)

    def test_replay_of_no_run(self):
        self.refuse("replay", "R1", code=USAGE, says=["R1"], leaves=())
        self.refuse("replay", "first", code=USAGE, says=["'first'"], leaves=())


class BadDatabases(BadInput):
    def setUp(self):
        super().setUp()
        self.binary = self.zoo("guilty/global_int")
        self.db = self.dir / "runs.db"

    def refuse_database(self, *says, code=USAGE):
        """The file must also stay as it is: it may be somebody else's."""
        before = self.db.read_bytes()
        self.refuse("run", self.binary, "--db", self.db, code=code, says=[self.db, *says])
        self.assertEqual(self.db.read_bytes(), before)

    def test_no_database_at_all(self):
        self.db.write_bytes(b"this was never a database, " * 400)
        self.refuse_database("not a Gordian database")

    def test_damaged_in_the_middle(self):
        self.assertEqual(self.gordian("run", self.binary, "--db", self.db).code, 0)
        content = bytearray(self.db.read_bytes())
        content[100:4096] = bytes(3996)
        self.db.write_bytes(bytes(content))
        self.refuse_database("damaged", code=INTERNAL)

    def test_foreign(self):
        with sqlite3.connect(self.db) as connection:
            connection.execute("create table recipes (name text)")
        connection.close()
        self.refuse_database("another program")

    def test_newer(self):
        self.assertEqual(self.gordian("run", self.binary, "--db", self.db).code, 0)
        connection = sqlite3.connect(self.db)
        connection.execute("pragma user_version = 999")
        connection.commit()
        connection.close()
        self.refuse_database("newer")

    def test_is_a_directory(self):
        self.db.mkdir()
        self.refuse("run", self.binary, "--db", self.db, code=USAGE, says=[self.db])

    def test_place_is_a_file(self):
        (self.dir / ".gordian").write_text("mine")
        self.refuse("run", self.binary, code=USAGE, says=[".gordian"])
        self.assertEqual((self.dir / ".gordian").read_text(), "mine")

    def test_replay_needs_one(self):
        self.refuse("replay", "R1", "--db", self.db, code=USAGE, says=["R1"])


class SpecialFiles(BadInput):
    """What has no end, or waits for somebody to write, is not read: neither as target nor as a file
    that an option names. A test that hangs here fails by its time limit."""

    def setUp(self):
        super().setUp()
        os.mkfifo(self.dir / "pipe")
        self.zoo_copy("guilty/global_int")

    def test_as_target(self):
        for words in (("run",), ("list",), ("detect",), ("graph",), ("doctor",), ("impact",),
                      ("shard", "--count", 2), ("prioritize", "--technique", "T4")):
            for name, kind in (("/dev/zero", "a device"), ("pipe", "a pipe")):
                with self.subTest(words=words, name=name):
                    ran = self.gordian(*words, name)
                    self.assertEqual(ran.code, TARGET, ran)
                    self.assertIn(f"{name} is {kind}, not a regular file", ran.err)

    def test_as_a_file_that_an_option_names(self):
        for words in (("run", "./global_int", "--order"), ("detect", "./global_int", "--from-xml"),
                      ("report", "--db"), ("report", "--compare")):
            for name, kind in (("/dev/zero", "a device"), ("pipe", "a pipe")):
                with self.subTest(words=words, name=name):
                    both = (name, name) if "--compare" in words else (name,)
                    ran = self.gordian(*words, *both)
                    self.assertEqual(ran.code, USAGE, ran)
                    self.assertIn("not a regular file", ran.err)

    def test_as_configuration(self):
        os.rename(self.dir / "pipe", self.dir / ".gordian.toml")
        self.refuse("list", "./global_int", code=USAGE, says=["not a regular file"], hint=False)


# Escape sequences, a bell, a C1 control in UTF-8, one that is no UTF-8, line ends, text that runs
# backwards, and a line that looks like one of ours.
HOSTILE = "\x1b[2J\x1b]0;x\x07\x9b31m\r\n\u202egordian: all is well\x7f"


class EscapesInMessages(BadInput):
    """Names in messages are not for the terminal to act on, wherever they come from."""

    def harmless(self, *words, cwd=None):
        ran = self.gordian(*words, cwd=cwd or self.dir)
        self.assertNotEqual(ran.code, 0, ran)
        self.assertIn("\\x1b[2J", ran.err)
        for text in (ran.err, ran.out):
            for sign in text.replace("\n", ""):
                self.assertFalse(ord(sign) < 0x20 or 0x7f <= ord(sign) < 0xa0 or sign == "\u202e",
                                 (words, text))
            self.assertNotRegex(text, "(?m)^.?gordian: all is well")

    def test_on_the_command_line(self):
        test = self.zoo("guilty/global_int")
        for words in (("run", HOSTILE), ("list", HOSTILE), (HOSTILE,), ("run", "--" + HOSTILE, test),
                      ("run", test, "--isolate", HOSTILE), ("run", test, "--order", HOSTILE),
                      ("run", test, "--filter", HOSTILE), ("run", test, "--timeout", HOSTILE),
                      ("replay", HOSTILE), ("explain", HOSTILE), ("fix", HOSTILE), ("help", HOSTILE),
                      ("report", "--db", HOSTILE), ("run", test, "--profile", HOSTILE)):
            with self.subTest(words=words):
                self.harmless(*words)

    def test_in_files(self):
        test = self.zoo("guilty/global_int")
        (self.dir / "order").write_text(HOSTILE.replace("\n", "").replace("\r", ""))
        self.harmless("run", test, "--order", "order")
        (self.dir / HOSTILE).write_text("no program")
        self.harmless("run", self.dir / HOSTILE)
        (self.dir / HOSTILE).chmod(0o755)
        self.harmless("run", self.dir / HOSTILE)
        (self.dir / ".gordian.toml").write_text('"\\u001b[2J\\u0007\\u009b" = 1\n')
        self.harmless("list", test)


if __name__ == "__main__":
    unittest.main(verbosity=2)
