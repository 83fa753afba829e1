#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""`gordian fix`: from a found dependence to a patch that a maintainer can take, and no further. Each
strategy: fix_ladder.py; each framework: fix_zoo.py."""
import json
import shutil
import subprocess
import unittest

import gordian
from fix_project import FOUND, LEVEL, OK, Project, git, tree

ENVIRONMENT = """#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

std::string mode() {
  const char* mode = std::getenv("SHOP_MODE");
  return mode == nullptr ? "plain" : mode;
}

TEST(Mode, IsPlain) {
  EXPECT_EQ(mode(), "plain");
}

TEST(Mode, CanBeSet) {
  ::setenv("SHOP_MODE", "festive", 1);
  EXPECT_EQ(mode(), "festive");
}
"""

# What g_handlers is written with is not what it is when the first test begins.
REGISTERED = """#include <gtest/gtest.h>

#include <string>

std::string g_handlers = "default";

struct Registrar {
  Registrar() { g_handlers += " http"; }
};
Registrar registrar;

TEST(Handlers, AreTwo) {
  EXPECT_EQ(g_handlers, "default http");
}

TEST(Handlers, CanBeReplaced) {
  g_handlers = "none";
  EXPECT_EQ(g_handlers, "none");
}
"""

# clear() is not how the cache begins.
CACHE_H = """#pragma once
#include <string>
#include <vector>

class Cache {
 public:
  static Cache& instance() {
    static Cache cache;
    return cache;
  }
  void clear() { entries_.clear(); }
  void add(const std::string& entry) { entries_.push_back(entry); }
  const std::vector<std::string>& entries() const { return entries_; }

 private:
  std::vector<std::string> entries_ = {"built in"};
};
"""
CACHE = """#include "cache.h"

#include <gtest/gtest.h>

TEST(CacheTest, HasWhatIsBuiltIn) {
  ASSERT_EQ(Cache::instance().entries().size(), 1u);
  EXPECT_EQ(Cache::instance().entries()[0], "built in");
}

TEST(CacheTest, CanGrow) {
  Cache::instance().add("more");
  EXPECT_GE(Cache::instance().entries().size(), 2u);
}
"""


class Example(Project):
    """The project of the README."""

    def setUp(self):
        super().setUp()
        shutil.rmtree(self.project)
        shutil.copytree(gordian.SOURCE / "examples" / "settings", self.project)
        self.binary = self.project / "build" / "settings_test"
        self.build("-DCMAKE_CXX_FLAGS=-Wall -Wextra")
        self.found = self.detect()
        self.before = tree(self.project)

    def test_the_whole_story(self):
        self.assertEqual(list(self.found), ["D1"])
        ran = self.fix("--diff", "out.patch")  # explains what was not explained
        self.check_untouched()
        for word in ("VERIFIED", "reason", "checked   checks kept, build (1 run)", "Commit message",
                     f"git -C {self.project} apply {self.dir}/out.patch",
                     "1 dependence: 1 repaired and verified.",
                     "In 20 random orders 1 test differed before, none after."):
            self.assertIn(word, ran.out, ran)
        diff = (self.dir / "out.patch").read_text()
        self.assertIn("+++ b/settings_test.cc", diff)
        self.check_stored(diff)
        self.check_applies(diff)

    def check_stored(self, diff):
        """The same patch each time, and from the store; another source is another question."""
        self.assertIn("--again makes it anew", self.fix().out)
        again = self.fix_json("D1", "--again")
        self.assertIsNone(again["age_seconds"])
        self.assertEqual(again["diff"], diff)
        stored = self.fix_json("D1")
        self.assertIsNotNone(stored["age_seconds"])
        same = lambda fix: {key: fix[key] for key in fix if key != "age_seconds"}  # noqa: E731
        self.assertEqual(same(stored), same(again))
        self.check_untouched()
        header = self.project / "settings.h"
        header.write_text(header.read_text() + "\n// A change.\n")
        self.assertIsNone(self.fix_json()["age_seconds"])

    def test_the_command_that_is_offered_writes_what_the_diff_says(self):
        ran = self.fix("D1", "--seed", "7", "--json", "facts.json")
        offered = next(line.strip() for line in ran.out.splitlines() if "--apply" in line)
        self.assertEqual(offered, "gordian fix D1 --seed 7 --apply")
        ran = self.fix(*offered.split()[2:])
        self.assertIn("changed. Build it again.", ran.out)
        now = tree(self.project)
        changed = {name for name in now if now[name] != self.before.get(name)}
        diff = json.loads((self.dir / "facts.json").read_text())["diff"]
        self.assertEqual(changed, {line[6:] for line in diff.splitlines()
                                   if line.startswith("+++ b/")})
        self.assertNotIn("warning", self.build())
        self.assertEqual(self.detect(code=OK), {})
        self.assertIn("nothing to repair", self.fix().err)

    def test_without_clang_it_works_too_and_says_so(self):
        ran = self.fix("--no-facts", "--diff", "out.patch")
        self.assertIn("facts come from debug information", ran.out)
        self.check_untouched()
        self.check_applies((self.dir / "out.patch").read_text())


class Small(Project):
    def test_a_global(self):
        self.found({"level_test.cc": LEVEL})
        fix = self.fix_json()
        attempt = self.accepted(fix)
        self.assertEqual(attempt["patch"]["strategy"], "restore")
        self.assertEqual({c["name"] for c in attempt["checks"]},
                         {"checks kept", "build", "tests kept", "witness", "alone", "reversed",
                          "default order", "random orders"})
        self.assertTrue(all(c["passed"] for c in attempt["checks"]))
        self.check_untouched()
        self.check_applies(fix["diff"])

    def test_a_program_without_cmake(self):
        self.write({"level_test.cc": LEVEL})
        (self.project / "CMakeLists.txt").unlink()
        (self.project / "Makefile").write_text(
            "level: level_test.cc\n\tc++ -g -Wall level_test.cc -o level -lgtest_main -lgtest\n")
        build = f"make -s -C {self.project}"
        subprocess.run(build, shell=True, check=True)
        self.binary = self.project / "level"
        self.detect()
        self.before = tree(self.project)
        fix = self.fix_json("--build", build)
        self.check_untouched()
        self.check_settings()
        patch = self.dir / "the.patch"
        patch.write_text(fix["diff"])
        git(self.project, "apply", patch)
        subprocess.run(build, shell=True, check=True)
        self.assertEqual(self.detect(code=OK), {})

    def check_settings(self):
        """The same said by a file; its command runs where the file is, not where gordian is."""
        (self.dir / ".gordian.toml").write_text(
            '[profile.default]\ndb = ".gordian/gordian.db"\n'
            '[profile.default.fix]\nbuild = "make -s -C small"\nstrategy = ["cleaner", "restore"]\n')
        ran = self.gordian("fix", "--json", "-", cwd=self.project, env=self.environment)
        self.assertEqual(ran.code, OK, ran)
        fix = ran.json()
        self.assertEqual(fix["build_command"], f"cd {self.dir}/ && make -s -C small")
        self.assertIsNone(fix["age_seconds"])
        self.assertEqual(self.accepted(fix)["patch"]["strategy"], "restore")
        self.check_untouched()

    def test_two_programs_of_one_source(self):
        self.write({"level_test.cc": LEVEL, "mode_test.cc": ENVIRONMENT})
        text = (self.project / "CMakeLists.txt").read_text().replace(" mode_test.cc", "")
        (self.project / "CMakeLists.txt").write_text(
            text + "add_executable(mode_test mode_test.cc)\n"
            "target_link_libraries(mode_test PRIVATE GTest::gtest_main)\n")
        self.build()
        self.detect()
        self.gordian("detect", self.project / "build" / "mode_test", env=self.environment)
        fix = self.fix_json("D1", "D2", "--diff", "both.patch")
        self.assertEqual(fix["kind"], "fixes")
        self.check_applies((self.dir / "both.patch").read_text())
        ran = self.gordian("detect", self.project / "build" / "mode_test", env=self.environment)
        self.assertEqual(ran.code, OK, ran)


class Wrong(Project):
    """Patches that must not be accepted, however well they read."""

    def check_rejected(self, fix, words, verdict="rejected"):
        repair = fix["repairs"][0]
        self.assertIsNone(repair["accepted"], repair)
        self.assertFalse(repair["repaired"])
        self.assertTrue(repair["attempts"], repair)
        attempt = repair["attempts"][0]
        self.assertEqual(attempt["verdict"], verdict, attempt)
        self.assertIn(words, attempt["why"])
        self.assertIsNone(fix["diff"])
        self.check_untouched()

    def test_the_initializer_that_is_not_the_initial_value(self):
        self.found({"handlers_test.cc": REGISTERED})
        fix = self.fix_json("--strategy", "paper", code=FOUND)
        self.check_rejected(fix, "Handlers.AreTwo")
        self.assertEqual(self.accepted(self.fix_json())["verdict"], "verified")

    def test_a_reset_that_loses_what_is_built_in(self):
        self.found({"cache.h": CACHE_H, "cache_test.cc": CACHE})
        fix = self.fix_json("--strategy", "own-reset", code=FOUND)
        self.check_rejected(fix, "CacheTest.HasWhatIsBuiltIn")
        self.assertEqual(self.accepted(self.fix_json())["verdict"], "verified")

    def test_apply_of_nothing_changes_nothing(self):
        self.found({"handlers_test.cc": REGISTERED})
        ran = self.fix("--strategy", "paper", "--apply", "--diff", "none.patch", code=FOUND)
        self.assertIn("1 not repaired", ran.out)
        self.assertFalse((self.dir / "none.patch").exists())
        self.check_untouched()


class All(Project):
    def test_what_one_patch_brings_to_light_is_repaired_too(self):
        self.found({"level_test.cc": LEVEL, "mode_test.cc": ENVIRONMENT})
        fix = self.fix_json("D1", "--all")
        self.assertEqual([r["id"] for r in fix["repairs"]], ["D1", "D2"])
        self.assertTrue(all(r["repaired"] for r in fix["repairs"]))
        self.assertIn("a search of the patched program found nothing else",
                      json.dumps(fix["notices"]))
        self.check_untouched()
        self.check_applies(fix["diff"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
