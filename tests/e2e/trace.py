# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Traced builds: the flags that gordian prints, and the data flow of what was built with them."""
import shutil
import unittest
from pathlib import Path

from gordian import BUILD, SOURCE, gordian
from traced import (COMPILERS, DEMO, FIXTURES, ROOM, SHOW, built, compiled, flags, flow, must,
                    run)

GTEST = Path("/usr/src/googletest/googletest")


@unittest.skipUnless(COMPILERS, "neither g++ nor clang++ is installed")
class Flags(unittest.TestCase):
    def test_compilers_are_recognised_by_asking(self):
        for compiler in COMPILERS:
            kind = "clang" if "clang" in compiler else "gcc"
            self.assertEqual(flags("--compiler", compiler), flags("--compiler", kind))

    def test_no_compiler(self):
        ran = gordian("cxxflags", "--compiler", "/bin/true", cwd=ROOM.name)
        self.assertEqual(ran.code, 2, ran)
        self.assertIn("neither GCC nor Clang", ran.err)

    def test_a_flag_a_line(self):
        ran = gordian("cxxflags", "--link", "--lines", cwd=ROOM.name)
        self.assertEqual(ran.out.split(), flags("--link"))


@unittest.skipUnless(COMPILERS, "neither g++ nor clang++ is installed")
class Demo(unittest.TestCase):
    maxDiff = None

    def test_every_dependence_and_no_other(self):
        for compiler in COMPILERS:
            for optimise in ("-O0", "-O2"):
                with self.subTest(compiler=compiler, optimise=optimise):
                    found = flow("in_order", built(compiler, FIXTURES / "demo.cc", optimise))
                    self.assertEqual(found["dep"], DEMO)
                    self.assertEqual(found["unsure"], {})

    def test_lines_of_writer_and_reader(self):
        lines = (FIXTURES / "demo.cc").read_text().splitlines()
        line_of = {word: 1 + next(i for i, line in enumerate(lines) if word in line)
                   for word in ("net.port = 8080", "EXPECT_NE(g_config.net.port", "return ++id")}
        for compiler in COMPILERS:
            found = flow("in_order", built(compiler, FIXTURES / "demo.cc"))["sites"]
            self.assertEqual(found["Config.ReadsPort <- Config.SetsPort"],
                             [f"written at demo.cc:{line_of['net.port = 8080']}",
                              f"read at demo.cc:{line_of['EXPECT_NE(g_config.net.port']}"])
            self.assertEqual(found["Ids.Second <- Ids.First"],
                             [f"written at demo.cc:{line_of['return ++id']}",
                              f"read at demo.cc:{line_of['return ++id']}"])

    def test_alone(self):
        for compiler in COMPILERS:
            found = flow("alone", built(compiler, FIXTURES / "demo.cc"))
            self.assertEqual(found["dep"], {})
            self.assertEqual(found["read"]["Config.ReadsRetry"],
                             "variable app::g_config.net.retry[1]")
            self.assertEqual(found["read"]["Flags.ReadsB"], "variable app::g_b")
            self.assertEqual(found["wrote"]["Flags.SetsA"], "variable app::g_a")
            self.assertEqual(found["wrote"]["Registry.Uses"],
                             "variable app::Registry::instance()::registry.uses")
            self.assertEqual(found["read"]["Registry.Asks"],
                             "variable app::Registry::instance()::registry.limit")
            for nothing in ("Restored.Changes", "Registry.Asks", "Heap.Uses"):
                self.assertNotIn(nothing, found["wrote"])

    def test_a_framework_that_is_traced_too(self):
        if not GTEST.is_dir():
            self.skipTest("the sources of GoogleTest are not installed (googletest)")
        compiler = COMPILERS[0]
        own = [compiled(compiler, source, "-O1", f"-I{GTEST}", f"-I{GTEST}/include")
               for source in (GTEST / "src/gtest-all.cc", GTEST / "src/gtest_main.cc",
                              FIXTURES / "demo.cc")]
        binary = Path(ROOM.name) / "with-gtest"
        must(compiler, *own, "-o", binary, *flags("--link"))
        self.assertEqual(flow("in_order", binary)["dep"], DEMO)


@unittest.skipUnless(COMPILERS, "neither g++ nor clang++ is installed")
class Hard(unittest.TestCase):
    def test_hard_things(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                found = flow("in_order", built(compiler, FIXTURES / "hard.cc"))
                deps = found["dep"]
                self.assertFalse([dep for dep in deps if dep.startswith("Child")], deps)
                self.assertIn("app::g_grown", deps["Grown.Reads <- Grown.Moves"])
                self.assertIn("Grown.Reads <- Grown.Makes", deps)
                self.assertIn("variable app::g_page", deps["Page.Reads <- Page.Maps"])
                self.assertIn("memory mapped in", deps["Page.Reads <- Page.Maps"])
                self.assertIn("variable app::g_atomic", deps["Atomic.Loads <- Atomic.Adds"])
                self.assertIn("heap *app::g_text", deps["Freed.Takes <- Freed.Makes"])
                self.assertEqual(set(found["unsure"]),
                                 {"Thread.Leaves", "Last.Crashes", "Last.NeverRuns"})
                self.assertIn("crashed", found["unsure"]["Last.Crashes"])

    def test_crash_alone(self):
        found = flow("alone", built(COMPILERS[0], FIXTURES / "hard.cc"))
        self.assertIn("crashed", found["unsure"]["Last.Crashes"])
        self.assertNotIn("Last.NeverRuns", found["unsure"])
        self.assertEqual(found["read"]["Atomic.Loads"], "variable app::g_atomic")


@unittest.skipUnless(COMPILERS and shutil.which("cmake"), "no compiler, or no cmake")
class Package(unittest.TestCase):
    def test_gordian_instrument(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                tree = Path(ROOM.name) / f"project-{compiler}"
                must("cmake", "-S", SOURCE / "tests/flow/project", "-B", tree,
                     f"-DCMAKE_CXX_COMPILER={compiler}", f"-Dgordian_DIR={BUILD}",
                     "-DCMAKE_BUILD_TYPE=Release")
                must("cmake", "--build", tree)
                self.assertEqual(flow("in_order", tree / "core_test")["dep"],
                                 {"Level.Looks <- Level.Raises": "variable g_level"})


@unittest.skipUnless(COMPILERS, "neither g++ nor clang++ is installed")
class Commands(unittest.TestCase):
    def test_graph_shows_the_same(self):
        shown = gordian("graph", "--trace", "--no-db", "--json", "-",
                        built(COMPILERS[0], FIXTURES / "demo.cc"), cwd=ROOM.name)
        self.assertEqual(shown.code, 0, shown)
        found = shown.json()["data_flows"][0]["dependences"]
        self.assertEqual({f"{d['reader']} <- {d['writer']}" for d in found}, set(DEMO))

    def test_dataflow_tests_them(self):
        searched = gordian("detect", "--trace", "--algorithm", "dataflow", "--no-db", "--json", "-",
                           built(COMPILERS[0], FIXTURES / "demo.cc"), cwd=ROOM.name)
        flows = searched.json()["data_flows"]
        self.assertEqual(len(flows[0]["dependences"]), len(DEMO), searched)
        self.assertNotIn("untested", {d["verdict"] for d in flows[0]["dependences"]})

    def test_a_plain_build_is_refused(self):
        refused = gordian("graph", "--trace", BUILD / "zoo/guilty/three_tests", cwd=ROOM.name)
        self.assertEqual(refused.code, 3, refused)
        self.assertIn("gordian cxxflags", refused.err)


class NotTraced(unittest.TestCase):
    def test_a_plain_build_is_refused(self):
        suite = next(path for path in sorted((BUILD / "zoo").rglob("*"))
                     if path.is_file() and path.stat().st_mode & 0o100 and path.suffix == "")
        done = run(SHOW, "in_order", suite)
        self.assertEqual(done.returncode, 3, done)
        self.assertIn("is not a traced build", done.stderr)
        self.assertIn("gordian cxxflags", done.stderr)
        self.assertIn("gordian_instrument()", done.stderr)

    def test_a_traced_program_runs_by_itself(self):
        if not COMPILERS:
            self.skipTest("no compiler")
        done = run(built(COMPILERS[0], FIXTURES / "demo.cc"))
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
