#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""gordian export: `ctest -j4 --schedule-random` fails without what it writes, and is safe with it.

The project has tests of both kinds: discovered ones with a prefix, and plain scripts. They share
files in their working directory; nothing of it is known to ctest. Each ctest run starts from the
same files.
"""
import os
import shutil
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

import gordian
from ctest import do, must

PROJECT = """
cmake_minimum_required(VERSION 3.19)
project(stall LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(GTest REQUIRED)
include(GoogleTest)
enable_testing()
add_executable(stall stall.cc)
target_link_libraries(stall PRIVATE GTest::gtest_main)
gtest_discover_tests(stall TEST_PREFIX "stall." WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/files)
foreach(who IN ITEMS ann bob)
  add_test(NAME weighs_${who} WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/files COMMAND
           sh -c "echo ${who} > scale; sleep 0.3; test \\"$(cat scale)\\" = ${who}")
endforeach()
add_subdirectory(last)
"""
LAST = """
set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_SOURCE_DIR}/gordian-ctest.cmake)
"""
SOURCE = r"""
#include <gtest/gtest.h>
#include <fstream>
#include <string>

std::string content(const char* file) {
  std::string text;
  std::getline(std::ifstream(file) >> std::ws, text);
  return text;
}

// A victim, its polluter, and nobody who cleans.
TEST(Prices, AreLow) { EXPECT_NE(content("prices"), "dear"); }
TEST(Prices, CanBeRaised) { std::ofstream("prices") << "dear\n"; }

// A state-setter, a brittle test, and what undoes the setter's work.
TEST(Open, PutsTheSignOut) { std::ofstream("sign") << "open\n"; }
TEST(Open, SellsWhenTheSignIsOut) { EXPECT_EQ(content("sign"), "open"); }
TEST(Shut, TakesTheSignIn) { std::ofstream("sign") << "shut\n"; }
"""
RUNS = 8


class Ctest(gordian.Case):
    @classmethod
    def setUpClass(cls):
        cls.place = Path(tempfile.mkdtemp(prefix="gordian_export_")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        source, cls.build = cls.place / "source", cls.place / "build"
        (source / "last").mkdir(parents=True)
        (cls.build / "files").mkdir(parents=True)
        (source / "CMakeLists.txt").write_text(PROJECT)
        (source / "last" / "CMakeLists.txt").write_text(LAST)
        (source / "stall.cc").write_text(SOURCE)
        cls.file = source / "gordian-ctest.cmake"
        cls.file.write_text("")
        must("cmake", "-S", source, "-B", cls.build)
        must("cmake", "--build", cls.build)
        cls.detected = gordian.gordian("detect", cls.build, "--level", "process", "--all", "--json",
                                       "-", cwd=cls.place, patience=600)

    def setUp(self):
        super().setUp()
        self.file.write_text("")

    def export(self, *options):
        ran = self.gordian("export", self.build, "--ctest", self.file, *options, cwd=self.place)
        self.assertEqual(ran.code, 0, ran)
        return ran

    def ctest(self, *options):
        """{test: status} of one run from the first state of the files."""
        shutil.rmtree(self.build / "files")
        (self.build / "files").mkdir()
        ran = do("ctest", "--output-junit", self.dir / "junit.xml", *options, cwd=self.build)
        cases = xml.parse(self.dir / "junit.xml").getroot().iter("testcase")
        status = {case.get("name"): case.get("status") for case in cases}
        self.assertEqual(ran.returncode != 0, "fail" in status.values(), ran.stdout + ran.stderr)
        return status

    def random_runs(self):
        """Which tests failed in which of some runs."""
        runs = [self.ctest("-j4", "--schedule-random") for _ in range(RUNS)]
        return [sorted(test for test, status in run.items() if status != "run") for run in runs]

    def test_the_search_has_found_what_was_planted(self):
        found = {d["test"]: d["role"] for d in self.detected.json()["dependences"]}
        self.assertEqual(found, {"stall.Prices.AreLow": "victim",
                                 "stall.Open.SellsWhenTheSignIsOut": "brittle"}, self.detected)

    def test_random_parallel_runs_fail_without_and_are_safe_with_it(self):
        without = self.random_runs()
        self.assertTrue(any(without), "the project is meant to fail without")
        said = self.export()
        self.assertEqual(self.random_runs(), [[]] * RUNS, said.err + self.file.read_text())

    def test_each_property_guards_against_something(self):
        self.export()
        whole = self.file.read_text()
        for word in ("DEPENDS", "FIXTURES_REQUIRED", "RESOURCE_LOCK"):
            self.assertIn(word, whole)
            self.file.write_text("\n".join(
                ")" if line.strip().startswith(word) and line.endswith(")") else line
                for line in whole.splitlines() if not line.strip().startswith(word) or
                line.endswith(")")))
            with self.subTest(without=word):
                self.assertTrue(any(self.random_runs()), self.file.read_text())

    def test_a_brittle_test_brings_its_setter(self):
        self.export()
        self.assertEqual(self.ctest("-R", "SellsWhen"),
                         {"stall.Open.PutsTheSignOut": "run",
                          "stall.Open.SellsWhenTheSignIsOut": "run"})

    def test_exporting_again_gives_the_same(self):
        self.export()
        first = self.file.read_text()
        self.export()
        self.assertEqual(self.file.read_text(), first)

    def test_without_locks_nothing_is_run_and_what_is_unknown_is_said(self):
        ran = self.export("--no-locks")
        self.assertNotIn("RESOURCE_LOCK", self.file.read_text())
        self.assertIn("Not safe  stall.Open.SellsWhenTheSignIsOut", ran.err)

    def test_nothing_is_left_in_the_project(self):
        before = sorted(os.listdir(self.build / "files"))
        self.export()
        self.assertEqual(sorted(os.listdir(self.build / "files")), before)

    def test_a_build_that_was_never_searched(self):
        ran = self.gordian("export", self.build, "--ctest", "-", "--no-locks")
        self.assertEqual(ran.code, 0, ran)
        self.assertIn("never searched", ran.err)
        self.assertNotIn("set_tests_properties", ran.out)

    def test_no_build(self):
        ran = self.gordian("export", self.dir, "--ctest", "-")
        self.assertEqual(ran.code, 3, ran)


class Binary(gordian.Case):
    """Of a test binary only what memory does not carry matters to ctest."""

    def script(self, name, *options):
        binary = self.zoo(name)
        self.gordian("detect", binary, "--all", "--explain")
        ran = self.gordian("export", binary, "--ctest", "-", *options)
        self.assertEqual(ran.code, 0, ran)
        return ran

    def test_what_memory_carries_vanishes(self):
        self.assertNotIn("set_tests_properties", self.script("guilty/global_int").out)

    def test_a_brittle_test_in_memory_cannot_be_helped(self):
        ran = self.script("guilty/brittle_init")
        self.assertNotIn("set_tests_properties", ran.out)
        self.assertRegex(ran.err, r"Not safe +\S+ \(D1\): it needs what other tests leave in memory")

    def test_a_file_makes_an_order_with_the_names_of_ctest(self):
        ran = self.script("guilty/file_in_tmp", "--test-prefix", "zoo.")
        self.assertRegex(ran.out, r"set_tests_properties\(\[=\[zoo\.\S+\]=\] PROPERTIES\n"
                                  r"  DEPENDS \[=\[zoo\.")


class Bazel(gordian.Case):
    def exported(self, name, explain=()):
        """What the file says, run as the Python that Starlark is a part of."""
        binary = self.zoo(name)
        self.gordian("detect", binary, "--all", *explain)
        ran = self.gordian("export", binary, "--bazel", "rules.bzl")
        self.assertEqual(ran.code, 0, ran)
        names = {}
        exec((self.dir / "rules.bzl").read_text(), names)  # pylint: disable=exec-used
        return binary, names

    def failing(self, binary, count):
        from shard import failing_shards
        return failing_shards(binary, count, self.dir)

    def test_safe_counts_are_safe_and_others_fail(self):
        unsafe = 0
        for name in ("brittle_init", "two_victims", "chain", "option_builder", "data_source"):
            binary, rules = self.exported(f"guilty/{name}")
            safe = rules["SAFE_SHARD_COUNTS"][binary.name]
            whole = self.run_json("run", binary, "--isolate", "none", "--no-db")
            if self.failing(binary, 1):
                continue  # it fails by default: that is what is expected of it
            for count in range(1, len(gordian.order_of(whole)) + 1):
                failing = self.failing(binary, count)
                with self.subTest(suite=name, count=count):
                    self.assertFalse(failing if count in safe else [])
                unsafe += bool(failing)
        self.assertGreater(unsafe, 0, "some number of shards should fail")

    def test_the_functions_choose(self):
        binary, rules = self.exported("guilty/brittle_init")
        safe = rules["SAFE_SHARD_COUNTS"][binary.name]
        self.assertEqual(rules["safe_shard_count"](binary.name, 4), max(n for n in safe if n <= 4))
        self.assertEqual(rules["safe_shard_count"]("another", 4), 4)
        self.assertEqual(rules["known_tags"](binary.name), ["order-dependent"])
        self.assertEqual(rules["known_tags"]("another"), [])

    def test_a_shared_file_makes_it_exclusive(self):
        binary, rules = self.exported("guilty/file_in_tmp", explain=("--explain",))
        self.assertEqual(rules["SAFE_SHARD_COUNTS"][binary.name], [1])
        self.assertIn("exclusive", rules["known_tags"](binary.name))

    def test_a_clean_suite_is_free(self):
        binary, rules = self.exported("clean/parametrised")
        self.assertNotIn(binary.name, rules["SAFE_SHARD_COUNTS"])


if __name__ == "__main__":
    gordian.main()
