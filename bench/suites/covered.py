# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Suites that we did not write, built so that they count what each test covers (`gordian cxxflags
--coverage`): GoogleTest's own tests together with the library itself, and projects from Debian's
sources. What is not there is left out, and it is said why.
"""
import concurrent.futures
import os
from dataclasses import dataclass, field
from pathlib import Path

from measure import Failed
from suites import debian_source, generate, real, traced

COMPILER = "g++"
FLAGS = ["-std=c++17", "-O0", "-g1", "-w", "-pthread"]
GOOGLETEST = {
    "gtest_unittest": ["googletest/test/gtest_unittest.cc"],
    "googletest-printers-test": ["googletest/test/googletest-printers-test.cc"],
    "googletest-param-test-test": ["googletest/test/googletest-param-test-test.cc",
                                   "googletest/test/googletest-param-test2-test.cc"],
    "gmock-actions_test": ["googlemock/test/gmock-actions_test.cc"],
    "gmock-spec-builders_test": ["googlemock/test/gmock-spec-builders_test.cc"],
}
LIBRARY = ["googletest/src/gtest-all.cc", "googlemock/src/gmock-all.cc",
           "googletest/src/gtest_main.cc"]
INCLUDES = [f"-I{real.SOURCES}/{folder}" for folder in
            ("googletest", "googlemock", "googletest/include", "googlemock/include")]


@dataclass
class Suite:
    name: str
    package: str
    binary: Path
    arguments: list = field(default_factory=list)  # of the program


class Maker:
    def __init__(self, directory, gordian):
        self.directory = directory / "covered"
        self.own = traced.flags_of(gordian, "--coverage", "--compiler", COMPILER)
        self.link = traced.flags_of(gordian, "--coverage", "--link", "--compiler", COMPILER)

    def objects(self, room, sources, more):
        """A compiler writes its map of counters beside the object, so each has its own name."""
        room.mkdir(parents=True, exist_ok=True)

        def compile_one(source):
            output = room / f"{source.parent.name}-{source.stem}.o"
            renamed = ([f"-Dmain=main_of_{source.stem}"]
                       if more is not INCLUDES and source.stem.endswith("_test") else [])
            return generate.make(output, [COMPILER, *FLAGS, *more, *renamed, *self.own, "-c",
                                          source, "-o", output], [source])
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(compile_one, sources))

    def linked(self, binary, objects, libraries):
        return generate.make(binary, [COMPILER, *objects, *libraries, "-pthread", *self.link, "-o",
                                      binary], objects)

    def library(self):
        """GoogleTest itself; of its main() a suite with one of its own takes nothing."""
        room = self.directory / "googletest"
        objects = self.objects(room, [real.SOURCES / path for path in LIBRARY], INCLUDES)
        archive = room / "libgoogletest.a"
        return generate.make(archive, ["ar", "rcs", archive, *objects], objects)

    def googletest(self, name):
        library = self.library()
        room = self.directory / name
        own = self.objects(room, [real.SOURCES / path for path in GOOGLETEST[name]], INCLUDES)
        return Suite(name, "googletest", self.linked(room / name, [*own, library], []))

    def project(self, name, source):
        project = traced.PROJECTS[name]
        room = self.directory / name
        more = [flag.format(source=source) for flag in project.flags]
        sources = [traced.HERE / "traced_main.cc", *traced.sources_of(project, source)]
        objects = self.objects(room, sources, more)
        binary = self.linked(room / name, objects, traced.LIBRARIES)
        arguments = [word for word in project.arguments if "repeat" not in word]
        return Suite(name, project.package, binary, arguments)


def wanted(names, only):
    return [name for name in names if not only or name in only]


def build(directory, gordian, quick, progress, only=None):
    """([Suite], [why something was left out]). `only`: names of suites, or all of them."""
    if not real.installed():
        raise Failed("the sources of GoogleTest are not installed: tools/setup bench")
    maker, suites, left_out = Maker(directory, gordian), [], []
    for name in wanted(GOOGLETEST, only)[-1 if quick else 0:]:
        progress(f"building {name}")
        suites.append(maker.googletest(name))
    for name in [] if quick else wanted(traced.PROJECTS, only):
        source, why = debian_source.fetch(directory / "debian", traced.PROJECTS[name].package)
        if source is None:
            left_out.append(f"{name} cannot be had: {why}")
            continue
        progress(f"building {name}")
        suites.append(maker.project(name, source))
    return suites, left_out
