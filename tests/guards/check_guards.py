#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""check_guards.py whole|alone|pairs PRINT_GUARDS COMPILER...

whole: the header with all guards, built and run by every compiler given that is there, in C++11 and
       in C++20, with many warnings as errors; then without exceptions and type information.
alone: each guard with the header cut down to it, built and run in C++11, built in C++20.
pairs: every two guards together, with what both need only once.
"""
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HEADER = HERE.parent.parent / "src/target/guards" / "gordian_guards.h"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wshadow", "-Wconversion"]
PARTS = ["ScopedRestoreObject", "ScopedRestoreArray", "ScopedRestoreAtomic"]
PLAIN = [["-fno-exceptions", "-fno-rtti"]]


def printed(program, *names):
    return subprocess.run([program, *names], check=True, capture_output=True, text=True).stdout


def guards(program):
    """As patches name them."""
    return ["ScopedRestore", *(name for name in printed(program).split() if name not in PARTS)]


def needs_17(name):
    return name == "ExposeAuto"


class Checker:
    def __init__(self, scratch):
        self.scratch = scratch
        self.failed = 0

    def build(self, compiler, options, source, output):
        command = [compiler, *options, *WARNINGS, "-I", str(self.scratch), str(source), *output]
        built = subprocess.run(command, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            self.failed += 1
            print(f"does not build: {' '.join(command)}\n{built.stderr[:2000]}")
        return built.returncode == 0

    def build_and_run(self, compiler, options):
        program = self.scratch / "guards_test"
        if not self.build(compiler, options, HERE / "guards_test.cc", ["-o", str(program)]):
            return
        place = self.scratch / "place"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        environment = dict(os.environ, GUARDS_DIR=str(place))
        ran = subprocess.run([program], cwd=place, env=environment, capture_output=True, text=True,
                             check=False)
        if ran.returncode != 0:
            self.failed += 1
            print(f"fails ({ran.returncode}): {compiler} {' '.join(options)}\n{ran.stderr}")

    def header(self, text):
        (self.scratch / "gordian_guards.h").write_text(text)

    def whole(self, compilers):
        self.header(HEADER.read_text())
        for compiler in compilers:
            for options in [["-std=c++11"], ["-std=c++20"], *([["-std=c++11", *o] for o in PLAIN])]:
                self.build_and_run(compiler, [*options, "-DALL"])

    def alone(self, program, compiler):
        for name in guards(program) + PARTS:
            self.header(printed(program, name))
            only = f"-DONLY_{name}"
            if needs_17(name):
                self.build_and_run(compiler, ["-std=c++17", only])
                continue
            self.build_and_run(compiler, ["-std=c++11", only])
            self.build(compiler, ["-std=c++20", only, "-fsyntax-only"], HERE / "guards_test.cc", [])

    def pairs(self, program, compiler):
        """All in one source: each pair in a namespace of its own."""
        text = []
        for number, pair in enumerate(itertools.combinations(guards(program), 2)):
            header = printed(program, *pair)
            assert header == printed(program, *reversed(pair)), pair
            for line in ["namespace gordian {", "}  // namespace gordian"]:
                assert header.count(line) <= 1, pair
            text.append(header.replace("namespace gordian", f"namespace pair_{number}")
                        .replace("#pragma once", ""))
        source = self.scratch / "pairs.cc"
        source.write_text("\n".join(text))
        self.build(compiler, ["-std=c++20", "-fsyntax-only"], source, [])


def main():
    what, program, compilers = sys.argv[1], sys.argv[2], sys.argv[3:]
    compilers = [compiler for compiler in compilers if shutil.which(compiler)]
    with tempfile.TemporaryDirectory() as scratch:
        checker = Checker(pathlib.Path(scratch))
        if what == "whole":
            checker.whole(compilers)
        elif what == "alone":
            checker.alone(program, compilers[0])
        else:
            checker.pairs(program, compilers[0])
    return 1 if checker.failed else 0


if __name__ == "__main__":
    sys.exit(main())
