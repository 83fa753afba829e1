# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Dependences of test suites that we did not write: which are repaired, and with what.

A project whose sources cannot be had, or that does not build here, is left out with a sentence; one
whose repair takes too long is stopped, and counts what was repaired until then.
"""
import json
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import as_project
import fix_zoo
from suites import debian_source, real

DEBUG = ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
SEARCH = ("--seed", "1", "--budget", "20s")
EXPLAIN = ("--budget", "60s")
BUILD_LIMIT = 600  # seconds for cmake or one target
LIMITS = {"ladder": 480, "paper": 60}  # seconds for one `gordian fix`


@dataclass
class Program:
    target: str
    binary: str          # below the build directory
    search: tuple = ()   # more words for `gordian detect`, last the program's own


@dataclass
class Package:
    name: str
    fetch: object        # lab -> (sources or None, why not)
    options: list        # for cmake
    programs: list
    human: str           # what its authors did about such dependences, with its size


def from_debian(name):
    return lambda lab: debian_source.fetch(lab.directory / "debian", name)


def installed_googletest(_):
    there = real.installed()
    return (real.SOURCES, "") if there else (None, "its sources are not installed (tools/setup)")


PACKAGES = [
    Package(
        "spdlog", from_debian("spdlog"),
        ["-DSPDLOG_BUILD_TESTS=ON", "-DSPDLOG_BUILD_EXAMPLE=OFF", "-DSPDLOG_FMT_EXTERNAL=ON",
         "-DSPDLOG_BUILD_SHARED=OFF"],
        [Program("spdlog-utests", "tests/spdlog-utests", ("--", "[cfg],[registry]"))],
        "its authors repaired some in December 2019 (\"Fixed cfg tests\", 284e6a80: 11 lines added, "
        "6 removed in tests/test_cfg.cpp; a default logger of its own for one test, set_level() in "
        "four). That is part of the release used here: what is repaired below was left. Up to "
        "March 2024 these tests have not changed but in format."),
    Package(
        "googletest", installed_googletest, ["-Dgtest_build_tests=ON", "-Dgmock_build_tests=ON"],
        [Program("gmock-spec-builders_test", "googlemock/gmock-spec-builders_test"),
         Program("gmock-actions_test", "googlemock/gmock-actions_test")],
        "none: in release 1.18.0 the same tests still leave the flag `gmock_verbose` and the default "
        "value of a type behind."),
]


def build_package(lab, package):
    """(build directory or None, why not), in a copy of the sources that is ours to break."""
    sources, why = package.fetch(lab)
    if sources is None:
        return None, f"{package.name} cannot be had: {why}"
    copy = lab.directory / "fix-real" / package.name
    if not (copy / "build").exists():
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(sources, copy, symlinks=True)
    targets = [program.target for program in package.programs]
    for argv in (["cmake", "-S", copy, "-B", copy / "build", *DEBUG, *package.options],
                 ["cmake", "--build", copy / "build", "-j", os.cpu_count(), "--target", *targets]):
        words = [str(word) for word in argv]
        try:
            subprocess.run(words, capture_output=True, text=True, timeout=BUILD_LIMIT, check=True)
        except (OSError, subprocess.SubprocessError):
            return None, f"{package.name} does not build here: {' '.join(words[:2])} failed"
    return copy / "build", ""


@dataclass
class Suite:
    project: str
    binary: Path
    search: tuple
    human: str


def build(lab, programs):
    suites, left_out = [], []
    for package in [] if lab.quick else PACKAGES:
        lab.progress(f"building {package.name}")
        directory, why = build_package(lab, package)
        if why:
            lab.progress(why)
            left_out.append(why)
            continue
        suites += [Suite(package.name, directory / program.binary, program.search, package.human)
                   for program in package.programs]
    for program in programs:
        name, _, binary = program.partition("=")
        suites.append(Suite(name, Path(binary).resolve(), (), ""))
    return suites, left_out


def fix(lab, scratch, words, limit):
    """(what it prints as JSON, whether it was stopped). Stopped, it tells what it has."""
    argv = [lab.gordian, "fix", "--again", *words, "--json", "-"]
    with subprocess.Popen([str(word) for word in argv], cwd=scratch, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace") as process:
        stopped = False
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            stopped = True
            process.send_signal(signal.SIGINT)
            try:
                out, err = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                raise as_project.Broken(f"gordian fix in {scratch} did not end when interrupted")
    if not out:
        raise as_project.Broken(f"gordian fix: exit code {process.returncode}\n{err[-2000:]}")
    return json.loads(out), stopped


def fix_one_way(lab, scratch, explained, way):
    begin = time.monotonic()
    fixed, stopped = fix(lab, scratch, fix_zoo.WAYS[way], LIMITS[way])
    return {"repairs": [fix_zoo.outcome(repair, explained[repair["id"]], fixed["repairs"])
                        for repair in fixed["repairs"]],
            "differing": [fixed["failing_before"], fixed["failing_after"]],
            "orders": fixed["random_orders"], "diff": fixed["diff"] or "", "stopped": stopped,
            "seconds": round(time.monotonic() - begin, 1)}


def measure_one(lab, suite):
    name = f"{suite.project}, {suite.binary.name}"
    lab.progress(f"{name}: searching")
    scratch = lab.scratch / f"fix-{suite.project}-{suite.binary.name}"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    explained, searched = as_project.find(lab.gordian, suite.binary, scratch,
                                          options=(*SEARCH, *suite.search), explaining=EXPLAIN)
    results = {"project": suite.project, "program": suite.binary.name, "human": suite.human,
               "tests": searched["suite"]["tests"], "search": " ".join(suite.search)}
    for way in fix_zoo.WAYS if explained else ():
        lab.progress(f"{name}: {len(explained)} dependences, {way}")
        results[way] = fix_one_way(lab, scratch, explained, way)
    return results


def run(lab, built):
    suites, left_out = built
    projects = []
    for suite in suites:
        try:
            projects.append(measure_one(lab, suite))
        except (as_project.Broken, subprocess.TimeoutExpired) as failure:
            why = f"{suite.project}, {suite.binary.name}: {str(failure).splitlines()[0]}"
            lab.progress(why)
            left_out = [*left_out, why]
    return {"projects": projects, "left_out": left_out}
