# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Dependences of test suites that we did not write: which are repaired, and with what."""
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import as_project
import fix_zoo
from suites import debian_source

DEBUG = ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
SEARCH = ("--seed", "1", "--budget", "60s")
EXPLAIN = ("--no-sites", "--budget", "300s")  # the facts of the source are enough for patches


@dataclass
class Package:
    name: str
    options: list       # for cmake
    target: str
    binary: str         # below the build directory


PACKAGES = [
    Package("spdlog", ["-DSPDLOG_BUILD_TESTS=ON", "-DSPDLOG_BUILD_EXAMPLE=OFF"], "spdlog-utests",
            "tests/spdlog-utests"),
]


def build_package(lab, package):
    """(binary or None, why not), in a copy of the sources that is ours to break."""
    sources, why = debian_source.fetch(lab.directory / "debian", package.name)
    if sources is None:
        return None, f"{package.name} cannot be had: {why}"
    copy = lab.directory / "fix-real" / package.name
    if not (copy / "build").exists():
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(sources, copy, symlinks=True)
    for argv in (["cmake", "-S", copy, "-B", copy / "build", *DEBUG, *package.options],
                 ["cmake", "--build", copy / "build", "-j", os.cpu_count(), "--target",
                  package.target]):
        done = subprocess.run([str(word) for word in argv], capture_output=True, text=True)
        if done.returncode != 0:
            return None, f"{package.name} does not build here: {' '.join(map(str, argv[:2]))} failed"
    return copy / "build" / package.binary, ""


def build(lab, programs):
    binaries, left_out = [], []
    for package in [] if lab.quick else PACKAGES:
        lab.progress(f"building {package.name}")
        binary, why = build_package(lab, package)
        if why:
            lab.progress(why)
            left_out.append(why)
        else:
            binaries.append((package.name, binary))
    for program in programs:
        name, _, binary = program.partition("=")
        binaries.append((name, Path(binary).resolve()))
    return binaries, left_out


def measure_one(lab, name, binary):
    lab.progress(f"project {name}: searching")
    scratch = lab.scratch / f"fix-{name}"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    explained, searched = as_project.find(lab.gordian, binary, scratch, options=SEARCH,
                                          explaining=EXPLAIN)
    results = {"project": name, "program": binary.name, "tests": searched["suite"]["tests"]}
    for way, options in fix_zoo.WAYS.items() if explained else ():
        lab.progress(f"project {name}: {len(explained)} dependences, {way}")
        begin = time.monotonic()
        fixed = as_project.fix(lab.gordian, scratch, "--again", *options)
        results[way] = {
            "repairs": [fix_zoo.outcome(repair, explained[repair["id"]], fixed["repairs"])
                        for repair in fixed["repairs"]],
            "differing": [fixed["failing_before"], fixed["failing_after"]],
            "orders": fixed["random_orders"], "diff": fixed["diff"],
            "seconds": round(time.monotonic() - begin, 1)}
    return results


def run(lab, built):
    binaries, left_out = built
    return {"projects": [measure_one(lab, name, binary) for name, binary in binaries],
            "left_out": left_out}
