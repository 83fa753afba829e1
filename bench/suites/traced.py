# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""yaml-cpp and leveldb from Debian's sources, each with its own tests in one GoogleTest program:
plain, traced (`gordian cxxflags`) and with ThreadSanitizer, all else the same. What is not there is
left out, and it is said why.
"""
import concurrent.futures
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from measure import Failed
from suites import debian_source, generate

HERE = Path(__file__).resolve().parent
FLAGS = ["-std=c++17", "-O2", "-g", "-w", "-pthread"]
LIBRARIES = ["-lbenchmark", "-lgmock", "-lgtest", "-pthread"]
COMPILERS = ["g++", "clang++-14", "clang++-19"]
KINDS = ["plain", "traced", "tsan"]


@dataclass
class Project:
    package: str
    sources: list                                   # patterns
    without: list                                   # parts of paths
    flags: list                                     # {source}: the unpacked package
    arguments: list = field(default_factory=list)   # of the program


PROJECTS = {
    # gen_emitter_test takes a compiler minutes, and repeats emitter_test.
    "yaml-cpp": Project("yaml-cpp", ["src/*.cpp", "src/contrib/*.cpp", "test/**/*_test.cpp"],
                        ["gen_emitter_test"],
                        ["-I{source}/include", "-I{source}/src", "-I{source}/test"],
                        ["--gtest_repeat=5"]),
    # Without tests that take seconds even when nobody looks, those whose threads race by design
    # (how much they do in their time differs from run to run, and one fails of it), and those that
    # start the program again with arguments that only their own main() knows.
    "leveldb": Project("leveldb", ["db/*.cc", "table/*.cc", "util/*.cc", "issues/*.cc",
                                   "helpers/memenv/*.cc"],
                       ["leveldbutil", "windows"],
                       ["-I{source}", "-I{source}/include", "-DLEVELDB_PLATFORM_POSIX=1",
                        "-DHAVE_FDATASYNC=1", "-DHAVE_O_CLOEXEC=1", "-DHAVE_SNAPPY=0",
                        "-DHAVE_CRC32C=0", "-DHAVE_FULLFSYNC=0"],
                       ["--gtest_filter=-SkipTest.Concurrent*:*MultiThreaded*:Issue*:AutoCompact*:"
                        "DBTest.Randomized:DBTest.GetEncountersEmptyLevel:"
                        "DBTest.HiddenValuesAreRemoved:"
                        "EnvPosixTest.TestCloseOnExec*"]),
}


@dataclass
class Suite:
    project: str
    compiler: str                                  # the first line of its version
    binaries: dict = field(default_factory=dict)   # by kind
    arguments: list = field(default_factory=list)


def flags_of(gordian, *words):
    done = subprocess.run([gordian, "cxxflags", *words], capture_output=True, text=True, check=True)
    return shlex.split(done.stdout)


def sources_of(project, source):
    found = {path for pattern in project.sources for path in source.glob(pattern)}
    return sorted(path for path in found if not any(word in path.name for word in project.without))


class Maker:
    def __init__(self, directory, gordian, progress):
        self.directory = directory / "traced"
        self.gordian = gordian
        self.progress = progress
        # Headers are not looked at one by one: they only change with the package.
        self.header = gordian.parent / "gordian_trace_prefix.h"
        self.archive = gordian.parent / "libgordian_trace.a"

    def flags(self, compiler, kind):
        """(for compiling, for linking)"""
        if kind == "traced":
            return (flags_of(self.gordian, "--compiler", compiler),
                    flags_of(self.gordian, "--link"))
        own = ["-fsanitize=thread"] if kind == "tsan" else []
        return own, own

    def compile(self, compiler, more, own, source, room):
        renamed = [f"-Dmain=main_of_{source.stem}"] if source.stem.endswith("_test") else []
        output = room / f"{source.parent.name}-{source.stem}.o"
        return generate.make(output, [compiler, *FLAGS, *more, *renamed, *own, "-c", source, "-o",
                                      output], [source, self.header])

    def build(self, name, source, compiler, kind):
        project = PROJECTS[name]
        room = self.directory / f"{name}-{compiler}-{kind}"
        room.mkdir(parents=True, exist_ok=True)
        more = [flag.format(source=source) for flag in project.flags]
        own, link = self.flags(compiler, kind)
        sources = [HERE / "traced_main.cc", *sources_of(project, source)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(
                lambda path: self.compile(compiler, more, own, path, room), sources))
        binary = room / name
        return generate.make(binary, [compiler, *objects, *LIBRARIES, *link, "-o", binary],
                             [*objects, self.archive])


def version_of(compiler):
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0]


def build(directory, gordian, quick, progress):
    """([Suite], [why something was left out])"""
    maker, suites, left_out = Maker(directory, gordian, progress), [], []
    compilers = [compiler for compiler in COMPILERS if shutil.which(compiler)]
    left_out += [f"{compiler} is not installed" for compiler in COMPILERS
                 if compiler not in compilers]
    if not compilers:
        raise Failed("neither GCC nor Clang is installed: tools/setup bench")
    for name in list(PROJECTS)[:1] if quick else PROJECTS:
        source, why = debian_source.fetch(directory / "debian", PROJECTS[name].package)
        if source is None:
            left_out.append(f"{name} cannot be had: {why}")
            continue
        for compiler in compilers[:1] if quick else compilers:
            suite = Suite(name, version_of(compiler), arguments=PROJECTS[name].arguments)
            for kind in KINDS:
                progress(f"building {name}, {compiler}, {kind}")
                suite.binaries[kind] = maker.build(name, source, compiler, kind)
            suites.append(suite)
    return suites, left_out
