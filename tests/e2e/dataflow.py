#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""The commands about data dependences: the list of what is ignored, what is refused, what it costs,
and what `auto` makes of them."""
import json
import signal
import subprocess

import gordian

OK, USAGE = 0, 2
PLANTED = gordian.BUILD / "planted" / "planted"
WAIT = 120  # seconds for a search to end; never a measure of anything


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
            self.assertIn(".gordian.toml:2:1: there is no setting 'variabels'", ran.err)
            self.assertIn("did you mean 'variables'?", ran.err)


class Ignored(gordian.Case):
    def test_the_report_says_what_was_ignored_and_how_often(self):
        binary = self.zoo("guilty/data_source")
        (self.dir / ".git").mkdir()
        before = self.run_json("graph", binary, "--no-db")["data_flows"][0]
        self.assertEqual(self.gordian("ignore", "--variable", "g_data").code, OK)
        ran = self.gordian("graph", binary, "--no-db", "--json", "-")
        flow = ran.json()["data_flows"][0]
        names = {state["name"] for state in flow["ignored"]}
        self.assertIn("g_data", names)
        for state in flow["ignored"]:
            self.assertEqual(state["rule"], "g_data")
            self.assertIn(f"ignored {state['name']}", ran.err)
        own = next(state for state in flow["ignored"] if state["name"] == "g_data")
        self.assertEqual((own["reads"], own["writes"]), (2, 1))
        self.assertLess(len(flow["dependences"]), len(before["dependences"]))
        self.assertEqual(flow["ignored_dependences"],
                         len(before["dependences"]) - len(flow["dependences"]))


class Refused(gordian.Case):
    def test_a_target_that_is_not_there(self):
        ran = self.gordian("graph", "nosuch_test")
        self.assertEqual(ran.code, 3, ran)
        self.assertIn("nosuch_test", ran.err)


class Cost(gordian.Case):
    def estimate(self, *words):
        ran = self.gordian("detect", "--estimate", "--algorithm", "dataflow", "--json", "-",
                           *words, self.zoo("guilty/data_source"))
        self.assertEqual(ran.code, OK, ran)
        return ran.json()["searches"][0]

    def test_what_was_collected_before_costs_nothing_more(self):
        first = self.estimate()
        self.assertEqual([phase["algorithm"] for phase in first["phases"]],
                         ["default order", "data flow", "dataflow"])
        self.assertGreater(first["phases"][1]["orders"], 0)
        self.assertTrue(first["at_most"])
        self.assertFalse((self.dir / ".gordian").exists())
        self.assertEqual(self.gordian("graph", self.zoo("guilty/data_source")).code, OK)
        again = self.estimate()
        self.assertEqual(again["phases"][1]["orders"], 0)
        self.assertEqual(again["phases"][2]["orders"], first["phases"][2]["orders"])


class Automatic(gordian.Case):
    """A suite too slow for orders of all tests, as many as there are tests. Its victim stands first,
    the polluter last, and all between clean up: neither alone nor backwards does it show. The budget
    is a part of what those orders would take, and many times what it takes to find it."""

    def model(self, count=300, pause=5000):
        lines = ["test First Victim", "expect 0 0"]
        for i in range(count):
            lines += [f"test Slow{i // 20} Cleans{i}", f"sleep {pause}", "set 0 0"]
        lines += ["test Last Pollutes", "set 0 1"]
        (self.dir / "model").write_text("\n".join(lines) + "\n")
        return ("--", f"--model={self.dir / 'model'}")

    def until_found(self, *words):
        """Ended by us at the first find; the facts."""
        report = self.dir / "found.json"
        search = subprocess.Popen([gordian.BIN, "detect", PLANTED, "--db", self.dir / "db", "--json",
                                   report, *words], cwd=self.dir, text=True,
                                  env=gordian.clean_environment(), stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = []
        for line in search.stderr:
            said.append(line)
            if line.split()[:1] == ["FOUND"]:
                search.send_signal(signal.SIGINT)
                break
        search.communicate(timeout=WAIT)
        self.assertEqual(search.returncode, 130, "".join(said))
        return json.loads(report.read_text())

    def test_breaks_data_dependences_where_there_are_too_many_pairs(self):
        facts = self.until_found("--budget", "200s", "--seed", "1", "-j2", *self.model())
        self.assertIn("dataflow", [phase["algorithm"] for phase in facts["search"]["phases"]])
        self.assertEqual([(d["test"], d["role"], d["by"], d["found_by"])
                          for d in facts["dependences"]],
                         [("First.Victim", "victim", ["Last.Pollutes"], "dataflow")])
        again = self.gordian("detect", PLANTED, "--db", self.dir / "db", "--json", "-", "--budget",
                             "15s", *self.model())
        self.assertEqual(again.code, 1, again)
        self.assertEqual(again.json()["search"]["earlier"]["kind"], "continued")
        self.assertEqual([d["test"] for d in again.json()["dependences"]], ["First.Victim"])


class Aware(gordian.Case):
    def test_says_what_was_left_out_or_why_nothing_was(self):
        ran = self.gordian("detect", "--algorithm", "aware", "--no-db", "--json", "-",
                           self.zoo("guilty/data_source"))
        self.assertEqual(ran.code, 1, ran)
        facts = ran.json()
        self.assertEqual(sorted((d["test"], d["role"]) for d in facts["dependences"]),
                         [("DataSourceTest.SetCloneString", "brittle"),
                          ("DataSourceTest.SetCloneString", "victim"),
                          ("DataSourceTest.ToString", "brittle")])
        pruning = facts["search"]["pruning"]
        self.assertEqual(pruning["collected"], pruning["why_not"] is None)
        if pruning["proved"] or not pruning["collected"]:
            self.assertEqual(facts["search"]["complete_k"], 2)


if __name__ == "__main__":
    gordian.main()
