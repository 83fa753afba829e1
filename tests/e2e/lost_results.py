#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""A test that ends the processes above it takes the results of others with it: what is called
complete was seen all the same.

Such a test runs in a PID namespace of its own, and ends processes of its own program only.
"""
import json
import subprocess

import gordian

APART = ("unshare", "--pid", "--fork", "--mount", "--mount-proc", "--kill-child")
VICTIMS = 2
SUITE = r"""
#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <string>

namespace {

int values[%(victims)d];

std::string program_of(pid_t pid) {
  char name[4096];
  ssize_t n = readlink(("/proc/" + std::to_string(pid) + "/exe").c_str(), name, sizeof name);
  return n < 0 ? "" : std::string(name, static_cast<size_t>(n));
}

pid_t parent_of(pid_t pid) {
  int parent = 0;
  FILE* stat = fopen(("/proc/" + std::to_string(pid) + "/stat").c_str(), "r");
  if (stat == nullptr) return 0;
  if (fscanf(stat, "%%*d (%%*[^)]) %%*c %%d", &parent) != 1) parent = 0;
  fclose(stat);
  return parent;
}

}  // namespace

%(victim_tests)s
TEST(Hostile, EndsItsAncestors) {
  const pid_t parent = getppid(), grandparent = parent_of(parent);
  for (pid_t pid : {grandparent, parent}) {
    if (pid > 1 && program_of(pid) == program_of(getpid())) kill(pid, SIGKILL);
  }
}
%(polluter_tests)s
"""


def suite_text():
    def tests(text):
        return "".join(text % {"n": n} for n in range(VICTIMS))
    return SUITE % {"victims": VICTIMS,
                    "victim_tests": tests("TEST(V%(n)d, Victim) { EXPECT_EQ(values[%(n)d], 0); }\n"),
                    "polluter_tests": tests("TEST(P%(n)d, Polluter) { values[%(n)d] = 1; }\n")}


class LostResults(gordian.Case):
    @classmethod
    def setUpClass(cls):
        tried = subprocess.run([*APART, "true"], capture_output=True, check=False)
        if tried.returncode != 0:
            raise gordian.unittest.SkipTest("no PID namespace can be made here")

    def setUp(self):
        super().setUp()
        (self.dir / "suite.cc").write_text(suite_text())
        subprocess.run(["c++", "-std=c++17", "-g", "suite.cc", "-o", "suite", "-lgtest",
                        "-lgtest_main", "-lpthread"], cwd=self.dir, check=True)

    def search(self, *words):
        ran = subprocess.run([*APART, gordian.BIN, "detect", "./suite", "--no-db", "--json",
                              "facts.json", *words], cwd=self.dir, env=gordian.clean_environment(),
                             stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=gordian.PATIENCE, check=False)
        self.assertIn(ran.returncode, (0, 1), ran)
        return json.loads((self.dir / "facts.json").read_text()), ran

    def test_complete_means_that_all_was_found(self):
        for words in (("--isolate", "fork"), ("--isolate", "snapshot"), ("--isolate", "fork", "-j1")):
            with self.subTest(words=words):
                facts, ran = self.search("--algorithm", "exhaustive", "-k", "2", *words)
                search = facts["search"]
                found = {d["test"] for d in facts["dependences"]}
                # Fresh processes are out of its reach, so that each order has a result.
                self.assertEqual(search["complete_k"], 2, ran)
                self.assertEqual(search["pairs_covered"], search["pairs_total"], ran)
                self.assertLessEqual({f"V{n}.Victim" for n in range(VICTIMS)}, found, ran)
                self.assertEqual(ran.returncode, 1, ran)
                self.assertEqual(search["unseen_orders"], [], ran)


if __name__ == "__main__":
    gordian.main()
