#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""The commands about data dependences, as far as they need no collection: the list of what is
ignored, and what is refused."""
import gordian

OK, USAGE = 0, 2


class Ignore(gordian.Case):
    def setUp(self):
        super().setUp()
        (self.dir / ".git").mkdir()
        self.config = self.dir / ".gordian.toml"

    def ignore(self, *words, code=OK, **how):
        ran = self.gordian("ignore", *words, **how)
        self.assertEqual(ran.code, code, ran)
        return ran

    def test_names_are_added_at_the_root_of_the_repository(self):
        below = self.dir / "a" / "b"
        below.mkdir(parents=True)
        self.ignore("Cache::entries", "/tmp/x.log", cwd=below)
        self.ignore("--env", "LANG", cwd=below)
        listed = self.ignore("--list", cwd=below).out.split()
        self.assertEqual(listed, ["variable", "Cache::entries", "file", "/tmp/x.log",
                                  "environment", "LANG"])
        self.assertFalse((below / ".gordian.toml").exists())

    def test_comments_and_layout_stay(self):
        self.config.write_text("# ours\n[ignore]\nvariables = [\n    'a', # for speed\n]\n")
        self.ignore("b")
        self.assertEqual(self.config.read_text(),
                         "# ours\n[ignore]\nvariables = [\n    'a', # for speed\n    \"b\",\n]\n")
        self.ignore("--remove", "b")
        self.assertEqual(self.config.read_text(),
                         "# ours\n[ignore]\nvariables = [\n    'a', # for speed\n]\n")

    def test_a_name_that_may_mean_two_things_is_refused(self):
        ran = self.ignore("LANG", code=USAGE)
        self.assertIn("--variable or --env", ran.err)
        self.assertFalse(self.config.exists())

    def test_a_second_time_changes_nothing(self):
        self.ignore("g_x")
        before = self.config.read_text()
        ran = self.ignore("g_x")
        self.assertIn("already", ran.err)
        self.assertEqual(self.config.read_text(), before)

    def test_nothing_is_ignored_where_there_is_no_file(self):
        self.assertEqual(self.ignore("--list").out, "")

    def test_what_the_file_should_not_hold_is_an_error_of_every_command_that_reads_it(self):
        self.config.write_text("[ignore]\nvariabels = ['a']\n")
        binary = self.zoo("guilty/global_int")
        for words in (["ignore", "--list"], ["ignore", "b"], ["graph", binary],
                      ["detect", "--no-db", binary]):
            ran = self.gordian(*words)
            self.assertEqual(ran.code, USAGE, ran)
            self.assertIn(".gordian.toml:2: there is no setting 'variabels'", ran.err)
            self.assertIn("did you mean 'variables'?", ran.err)


class Refused(gordian.Case):
    def test_a_target_that_is_not_there(self):
        ran = self.gordian("graph", "nosuch_test")
        self.assertEqual(ran.code, 3, ran)
        self.assertIn("nosuch_test", ran.err)

    def test_the_cost_of_dataflow_cannot_be_told_beforehand(self):
        ran = self.gordian("detect", "--estimate", "--algorithm", "dataflow",
                           self.zoo("guilty/global_int"))
        self.assertEqual(ran.code, USAGE, ran)
        self.assertIn("gordian graph", ran.err)


class Aware(gordian.Case):
    def test_says_what_was_left_out_or_why_nothing_was(self):
        ran = self.gordian("detect", "--algorithm", "aware", "--no-db", "--json", "-",
                           self.zoo("guilty/data_source"))
        self.assertEqual(ran.code, 1, ran)
        facts = ran.json()
        self.assertEqual([d["test"] for d in facts["dependences"]],
                         ["DataSourceTest.SetCloneString", "DataSourceTest.ToString"])
        pruning = facts["search"]["pruning"]
        self.assertEqual(pruning["collected"], pruning["why_not"] is None)
        if pruning["proved"] or not pruning["collected"]:
            self.assertEqual(facts["search"]["complete_k"], 2)


if __name__ == "__main__":
    gordian.main()
