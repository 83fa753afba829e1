# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What each test covers, against the compilers' own tools in a fresh process for each test.

What the tools see besides is what runs without any test: it is in no test's row."""
import gzip
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from gordian import BUILD, SOURCE, clean_environment

FIXTURES = SOURCE / "tests/coverage/fixtures"
DUMP = BUILD / "bin/gordian_coverage_dump"
ROOM = Path(tempfile.mkdtemp())
LOST = {"Ends.ExitAtOnce", "Ends.Crash"}  # of these the tools learn nothing


def run(*words, cwd, **changes):
    return subprocess.run([str(word) for word in words], cwd=cwd, text=True, timeout=300,
                          env=clean_environment(**changes), capture_output=True, check=False)


def must(*words, cwd, **changes):
    done = run(*words, cwd=cwd, **changes)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def built(name, compiler, flags, shared):
    """shapes.cc in a static library, library.cc in a shared or static one."""
    room = ROOM / name
    room.mkdir()
    for source in ("shapes", "library", "shapes_test"):
        must(compiler, "-std=c++17", "-g", "-fPIC", *flags, "-c", FIXTURES / f"{source}.cc",
             "-o", room / f"{source}.o", cwd=room)
    must("ar", "rc", "libshapes.a", "shapes.o", cwd=room)
    libraries = [room / "library.o"]
    if shared:
        must(compiler, *flags, "-shared", "library.o", "-o", "liblibrary.so", cwd=room)
        libraries = [f"-L{room}", "-llibrary", f"-Wl,-rpath,{room}"]
    must(compiler, *flags, "shapes_test.o", *libraries, "libshapes.a", "-lgtest", "-lgtest_main",
         "-lpthread", "-o", "shapes_test", cwd=room)
    return room / "shapes_test"


def collected(binary, way="alone"):
    before = {path: path.stat().st_mtime_ns for path in binary.parent.rglob("*")}
    out = json.loads(must(DUMP, way, binary, cwd=binary.parent))
    after = {path: path.stat().st_mtime_ns for path in binary.parent.rglob("*")}
    assert before == after, "files of the build were touched"
    return out


def pairs(files):
    return {(os.path.realpath(file), line) for file, lines in files.items() for line in lines
            if not file.startswith("/usr/")}


def gcov_lines(binary, name, filter_, tool):
    """By gcov, of one fresh process."""
    room = Path(tempfile.mkdtemp(dir=ROOM))
    run(binary, f"--gtest_filter={filter_}", cwd=room, GCOV_PREFIX=str(room))
    data = sorted(room.rglob("*.gcda"))
    for file in data:
        shutil.copy(Path("/") / file.relative_to(room).with_suffix(".gcno"), file.parent)
    lines = set()
    if tool[0].startswith("gcov"):
        if data:
            must(*tool, "--json-format", *data, cwd=room)
        for file in room.glob("*.json.gz"):
            root = json.loads(gzip.open(file).read())
            for source in root["files"]:
                path = os.path.join(root["current_working_directory"], source["file"])
                lines |= {(os.path.realpath(path), line["line_number"])
                          for line in source["lines"] if line["count"] > 0}
    else:
        for file in data:  # one by one: each makes a new report
            must(*tool, "-i", file, cwd=room)
            for report in room.glob("*.gcov"):
                path = None
                for line in report.read_text().splitlines():
                    if line.startswith("file:"):
                        path = os.path.realpath(line[5:])
                    if line.startswith("lcount:"):
                        number, count = line[7:].split(",")[:2]
                        if int(count) > 0:
                            lines.add((path, int(number)))
                report.unlink()
    return {(file, line) for file, line in lines if not file.startswith("/usr/")}


def llvm_lines(binary, name, filter_, version):
    """By llvm-cov, of one fresh process."""
    room = Path(tempfile.mkdtemp(dir=ROOM))
    run(binary, f"--gtest_filter={filter_}", cwd=room, LLVM_PROFILE_FILE=f"{room}/%p-%m.profraw")
    raw = sorted(room.glob("*.profraw"))
    if not raw:
        return set()
    must(f"llvm-profdata-{version}", "merge", *raw, "-o", "all", cwd=room)
    objects = [binary]
    library = binary.parent / "liblibrary.so"
    if library.exists():
        objects += ["-object", library]
    out = must(f"llvm-cov-{version}", "export", *objects, "-instr-profile=all", "-format=lcov",
               cwd=room)
    lines, path = set(), None
    for line in out.splitlines():
        if line.startswith("SF:"):
            path = os.path.realpath(line[3:])
        if line.startswith("DA:"):
            number, count = line[3:].split(",")[:2]
            if int(count) > 0:
                lines.add((path, int(number)))
    return {(file, line) for file, line in lines if not file.startswith("/usr/")}


def lacks_profile_runtime(compiler, flags):
    """Clang's counters need a library that comes in a package of its own."""
    (ROOM / "empty.cc").write_text("int main() {}\n")
    tried = run(compiler, *flags, "empty.cc", "-o", "empty", cwd=ROOM)
    return tried.returncode != 0 and "libclang_rt.profile" in tried.stderr


class Agreement:
    """One compiler, one kind of counters."""
    compiler, flags, shared, source = None, [], False, None

    @classmethod
    def setUpClass(cls):
        if not shutil.which(cls.compiler) or not cls.tool_there():
            raise unittest.SkipTest(f"no {cls.compiler} or its tools")
        if lacks_profile_runtime(cls.compiler, cls.flags):
            raise unittest.SkipTest(f"no profile runtime of {cls.compiler} (Debian: libclang-rt-*-dev)")
        cls.binary = built(cls.__name__, cls.compiler, cls.flags, cls.shared)
        cls.seen = collected(cls.binary)

    def lines(self, test):
        return pairs(self.seen["tests"][test]["lines"])

    def line(self, text, file="shapes.cc"):
        source = (FIXTURES / file).read_text().splitlines()
        at = [number for number, line in enumerate(source, 1) if text in line]
        self.assertEqual(len(at), 1, text)
        return (os.path.realpath(FIXTURES / file), at[0])

    def test_each_test_covers_what_the_tools_say(self):
        self.assertIn(self.source, self.seen["source"])
        nothing = self.reference("no test", "-*")
        for test in self.seen["tests"]:
            if test in LOST:
                continue
            reference = self.reference(test, test)
            with self.subTest(test=test):
                self.assertEqual(self.lines(test) - reference, set())
                self.assertEqual(reference - self.lines(test) - nothing, set())

    def test_what_ran_before_main_is_in_no_row(self):
        self.assertNotIn(self.line("return branchy(5);"), self.lines("Plain.Nothing"))
        self.assertFalse({file for file, _ in self.lines("Plain.Nothing")} &
                         {os.path.realpath(FIXTURES / "shapes.cc")})

    def test_alone_each_test_covers_first_uses_and_its_suites_set_up(self):
        first_use, set_up = self.line("return branchy(5);"), self.line("branchy(-1);", "shapes_test.cc")
        for test in ("Plain.LazyOne", "Plain.LazyTwo"):
            self.assertIn(first_use, self.lines(test))
        for test in ("Suite.First", "Suite.Second"):
            self.assertIn(set_up, self.lines(test))

    def test_in_order_only_the_first_one_does(self):
        seen = collected(self.binary, "in-order")["tests"]
        first_use = self.line("return branchy(5);")
        self.assertIn(first_use, pairs(seen["Plain.LazyOne"]["lines"]))
        self.assertNotIn(first_use, pairs(seen["Plain.LazyTwo"]["lines"]))
        self.assertEqual(pairs(seen["Plain.Branch"]["lines"]), self.lines("Plain.Branch"))
        self.assertEqual(pairs(seen["Ends.After"]["lines"]), self.lines("Ends.After"))

    def test_tests_that_end_their_process(self):
        self.assertIn(self.line("int branchy(int a)"), self.lines("Ends.Crash"))
        self.assertIn(self.line("return sum_below(a);", "library.cc"), self.lines("Ends.Exit"))
        self.assertIn(self.line("return a * 2;"), self.lines("Ends.DeathByExit"))
        self.assertEqual(self.lines("Ends.ExitAtOnce"), set())
        lost = [notice for notice in self.seen["notices"] if "nothing is known" in notice]
        self.assertEqual(len(lost), 1, self.seen["notices"])
        self.assertIn("Ends.ExitAtOnce", lost[0])

    def test_functions(self):
        names = " ".join(self.seen["tests"]["Plain.Branch"]["functions"])
        self.assertIn("branchy(int)", names)
        self.assertIn("local(int)", names)
        self.assertNotIn("lazy()", names)


class Gcc(Agreement, unittest.TestCase):
    compiler, flags, source = "g++", ["--coverage"], "gcc"

    @staticmethod
    def tool_there():
        return shutil.which("gcov")

    def reference(self, name, filter_):
        return gcov_lines(self.binary, name, filter_, ("gcov",))


class GccSharedLibrary(Gcc):
    shared = True
    flags = ["--coverage", "-O1"]


class ClangGcov14(Agreement, unittest.TestCase):
    compiler, flags, source, version = "clang++-14", ["--coverage"], "clang --coverage", 14

    @classmethod
    def tool_there(cls):
        return shutil.which(f"llvm-cov-{cls.version}")

    def reference(self, name, filter_):
        return gcov_lines(self.binary, name, filter_, (f"llvm-cov-{self.version}", "gcov"))


class Clang14(Agreement, unittest.TestCase):
    compiler, source, version = "clang++-14", "-fprofile-instr-generate", 14
    flags = ["-fprofile-instr-generate", "-fcoverage-mapping"]

    @classmethod
    def tool_there(cls):
        return shutil.which(f"llvm-cov-{cls.version}")

    def reference(self, name, filter_):
        return llvm_lines(self.binary, name, filter_, self.version)


class Clang19SharedLibrary(Clang14):
    compiler, version, shared = "clang++-19", 19, True


class Rollback(unittest.TestCase):
    def test_going_back_to_the_snapshot_keeps_the_counters_of_each_test(self):
        room = ROOM / "rollback"
        room.mkdir()
        tests = [f"TEST(M, T{i}) {{ EXPECT_EQ(twice({i}), {i if i > 10 else 2 * i}); }}"
                 for i in range(20)]
        source = ["#include <gtest/gtest.h>", f'#include "{FIXTURES}/shapes.h"', *tests]
        (room / "t.cc").write_text("\n".join(source) + "\n")
        must("g++", "--coverage", "t.cc", "-lgtest", "-lgtest_main", "-o", "t", cwd=room)
        seen = collected(room / "t")["tests"]
        if not any(test["rolled_back"] for test in seen.values()):
            self.skipTest("no snapshots here")
        self.assertTrue(all(test["rolled_back"] for test in seen.values()), seen)
        for i in range(20):
            self.assertEqual(seen[f"M.T{i}"]["lines"][str(room / "t.cc")], [i + 3])
        header = str(FIXTURES / "shapes.h")
        small, big = seen["M.T1"]["lines"][header], seen["M.T19"]["lines"][header]
        self.assertNotEqual(small, big)
        for i in range(20):
            self.assertEqual(seen[f"M.T{i}"]["lines"][header], big if i > 10 else small)


class Strange(unittest.TestCase):
    def test_a_program_without_counters(self):
        room = ROOM / "plain"
        room.mkdir()
        (room / "t.cc").write_text("#include <gtest/gtest.h>\nTEST(A, B) {}\n")
        must("g++", "t.cc", "-lgtest", "-lgtest_main", "-o", "t", cwd=room)
        ran = run(DUMP, "alone", room / "t", cwd=room)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("cxxflags --coverage", ran.stderr)

    def test_a_map_of_another_build_or_none(self):
        binary = built("stale", "g++", ["--coverage"], False)
        for name in ("shapes", "library", "shapes_test"):
            must("g++", "-std=c++17", "-O1", "--coverage", "-c", FIXTURES / f"{name}.cc", "-o",
                 binary.parent / f"{name}.o", cwd=binary.parent)
        ran = run(DUMP, "alone", binary, cwd=binary.parent)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("another build", ran.stderr)
        for note in binary.parent.glob("*.gcno"):
            note.unlink()
        ran = run(DUMP, "alone", binary, cwd=binary.parent)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("is missing", ran.stderr)


if __name__ == "__main__":
    try:
        unittest.main()
    finally:
        shutil.rmtree(ROOM, ignore_errors=True)
