# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Traced builds of other kinds: newer compilers, link-time optimisation, shared libraries that are
linked or loaded while tests run; and state that libc keeps."""
import shutil
import unittest
from pathlib import Path

from gordian import gordian
from traced import (COMPILERS, DEMO, FIXTURES, ROOM, SHOW, built, compiled, flags, flow, must,
                    run)

# Of library_user.cc, whoever loads the library and how.
LIBRARY = {
    "Level.Looks <- Level.Raises": "variable lib::g_level",
    "Level.LooksAtWhatIsKept <- Level.Raises": "variable lib::g_kept, heap *lib::g_kept",
}
# Of environment.cc: those that have to do with variables.
ENVIRONMENT = {
    "Mode.Reads <- Mode.Sets": {"APP_MODE"},
    "Mode.ReadsAgain <- Mode.SetsItItself": {"APP_MODE"},
    "Put.SetsOnlyWhatIsNotThere <- Put.Puts": {"APP_PUT"},
    "Put.Misses <- Put.TakesAway": {"APP_PUT"},
    "List.GoesThroughAll <- Mode.SetsItItself": {"APP_MODE"},
    "List.GoesThroughAll <- Put.TakesAway": {"APP_PUT"},
}


def variables(*words):
    """reader <- writer: the environment variables, as `gordian graph` tells them."""
    shown = gordian("graph", "--no-db", "--json", "-", *words, cwd=ROOM.name)
    assert shown.code == 0, shown
    found, states = {}, shown.json()["data_flows"][0]["states"]
    for dependence in shown.json()["data_flows"][0]["dependences"]:
        names = {states[i]["name"] for i in dependence["states"] if states[i]["kind"] == "env"}
        if names:
            found[f"{dependence['reader']} <- {dependence['writer']}"] = names
    return found


@unittest.skipUnless(COMPILERS, "neither g++ nor clang++ is installed")
class Environment(unittest.TestCase):
    maxDiff = None

    def test_in_order(self):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                binary = built(compiler, FIXTURES / "environment.cc")
                self.assertEqual(variables("--trace", binary), ENVIRONMENT)

    def test_as_without_a_traced_build(self):
        plain = Path(ROOM.name) / "plain-environment"
        must(COMPILERS[0], "-std=c++17", "-O1", "-g", FIXTURES / "environment.cc", "-o", plain,
             "-lgtest", "-lgtest_main")
        watched = variables(plain)
        in_libc = "Put.SetsOnlyWhatIsNotThere <- Put.Puts"  # it looks in libc, past getenv()
        self.assertEqual({k: v for k, v in watched.items() if k != in_libc},
                         {k: v for k, v in ENVIRONMENT.items() if k != in_libc})

    def test_lines(self):
        lines = (FIXTURES / "environment.cc").read_text().splitlines()
        written, read = (1 + next(i for i, line in enumerate(lines) if word in line)
                         for word in ('setenv("APP_MODE", "fast"', 'EXPECT_STRNE('))
        found = flow("in_order", built(COMPILERS[0], FIXTURES / "environment.cc"))["sites"]
        self.assertEqual(found["Mode.Reads <- Mode.Sets"],
                         [f"written at environment.cc:{written}", f"read at environment.cc:{read}"])

    def test_alone(self):
        found = flow("alone", built(COMPILERS[0], FIXTURES / "environment.cc"))
        self.assertEqual(found["wrote"]["Mode.Sets"], "env APP_MODE")
        self.assertEqual(found["wrote"]["Put.Puts"], "env APP_PUT")
        self.assertNotIn("Restored.Changes", found["wrote"])
        self.assertIn("env APP_MODE", found["read"]["Mode.Reads"])
        self.assertNotIn("APP_MODE", found["read"].get("Mode.SetsItItself", ""))
        for name in ("APP_MODE", "APP_PUT"):
            self.assertIn(f"env {name}", found["read"]["List.GoesThroughAll"])


@unittest.skipUnless(COMPILERS, "neither g++ nor clang++ is installed")
class Libraries(unittest.TestCase):
    def library(self, compiler):
        made = compiled(compiler, FIXTURES / "library.cc", "-O1", "-fPIC")
        path = Path(ROOM.name) / f"libsubject-{compiler}.so"
        must(compiler, "-shared", made, "-o", path)
        return path

    def user(self, compiler, library, is_traced, linked):
        own = [] if linked else [f'-DPLUGIN="{library}"']
        name = f"user-{compiler}-{is_traced}-{linked}"
        made = Path(ROOM.name) / f"{name}.o"
        must(compiler, "-std=c++17", "-O1", "-g", *own,
             *(flags("--compiler", compiler) if is_traced else []), "-c",
             FIXTURES / "library_user.cc", "-o", made)
        must(compiler, made, *([library, f"-Wl,-rpath,{ROOM.name}"] if linked else []), "-o",
             Path(ROOM.name) / name, "-lgtest", "-lgtest_main", *flags("--link"))
        return Path(ROOM.name) / name

    def test_state_of_libraries(self):
        for compiler in COMPILERS:
            library = self.library(compiler)
            for is_traced in (True, False):
                for linked in (True, False):
                    with self.subTest(compiler=compiler, main_is_traced=is_traced, linked=linked):
                        found = flow("in_order", self.user(compiler, library, is_traced, linked))
                        self.assertEqual(found["dep"], LIBRARY)
                        self.assertEqual(found["sites"]["Level.Looks <- Level.Raises"],
                                         ["written at library.cc:13", "read at library.cc:17"])

    def test_alone(self):
        library = self.library(COMPILERS[0])
        found = flow("alone", self.user(COMPILERS[0], library, False, linked=False))
        self.assertEqual(found["wrote"], {"Level.Raises": "variable lib::g_level, "
                                                          "variable lib::g_kept"})
        self.assertEqual(found["read"]["Level.Looks"], "variable lib::g_level")


class Kinds(unittest.TestCase):
    maxDiff = None

    def test_a_newer_compiler(self):
        if not shutil.which("clang++-19"):
            self.skipTest("clang++-19 is not installed (clang-19)")
        for optimise in ("-O0", "-O2"):
            self.assertEqual(flow("in_order", built("clang++-19", FIXTURES / "demo.cc",
                                                    optimise))["dep"], DEMO)

    def linked_late(self, compiler, *more):
        """Optimised when linking, with the flag behind ours, as CMake puts it."""
        made, binary = (Path(ROOM.name) / f"late-{compiler}{end}" for end in (".o", ""))
        must(compiler, "-std=c++17", "-O1", *flags("--compiler", compiler), "-flto", "-c",
             FIXTURES / "demo.cc", "-o", made)
        must(compiler, "-flto", *more, made, "-o", binary, "-lgtest", "-lgtest_main",
             *flags("--link"))
        return binary

    def test_link_time_optimisation_by_clang(self):
        if not shutil.which("clang++") or not shutil.which("ld.lld"):
            self.skipTest("clang++ or lld is not installed")
        self.assertEqual(flow("in_order", self.linked_late("clang++", "-fuse-ld=lld"))["dep"], DEMO)

    def test_link_time_optimisation_by_gcc_is_refused(self):
        if not shutil.which("g++"):
            self.skipTest("g++ is not installed")
        refused = run(SHOW, "in_order", self.linked_late("g++"))
        self.assertEqual(refused.returncode, 3, refused)
        self.assertIn("no code that is traced", refused.stderr)
        self.assertIn("-flto", refused.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
