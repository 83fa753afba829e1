# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Suites of the zoo as a CMake project of their own, in a directory of the caller's, so that patches
can be tried on them: one target for each suite. And how Gordian is asked to repair one."""
import json
import os
import shutil
import subprocess
from pathlib import Path

ZOO = Path(__file__).resolve().parent
HEAD = """cmake_minimum_required(VERSION 3.25)
project(zoo LANGUAGES CXX)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_compile_options(-O0 -g -Wall -Wextra)
find_package(Threads REQUIRED)
"""
# What a folder needs beside its sources: files with a main(), copied along, and libraries.
MAINS = {"catch2": "catch2/main.cc", "doctest": "doctest_main.cc", "cpputest": "cpputest_main.cc",
         "boost": "boost/main.cc"}
LIBRARIES = {"cpputest": ["CppUTest"], "boost": ["libboost_unit_test_framework.a"]}
HEADERS = {"catch2": ["catch2/catch.h"]}
# By a header that the source includes.
MORE_LIBRARIES = {"gmock/gmock.h": "gmock", "sqlite3.h": "sqlite3"}


def guilty_suites():
    """The entries of verdicts.json with dependences to repair."""
    suites = json.loads((ZOO / "verdicts.json").read_text())["suites"]
    return [suite for suite in suites if suite["class"] == "guilty"]


def folder_of(suite):
    return "gtest" if suite["folder"] == "guilty" else suite["folder"]


def libraries(suite, text):
    folder = folder_of(suite)
    found = [library for header, library in MORE_LIBRARIES.items() if f"<{header}>" in text]
    if folder == "gtest":
        found += ["gtest_main", "gtest"]
    return [*found, *LIBRARIES.get(folder, []), "Threads::Threads"]


def target_lines(suite, shares):
    """`shares`: the target whose parsed headers it may use; None: it makes them."""
    name, folder = suite["name"], folder_of(suite)
    source = f"{suite['folder']}/{name}.cc"
    text = (ZOO / source).read_text()
    lines = ["", f"add_executable({target_of(suite)} {source})"]
    if "#include <boost/test/included/" in text:
        lines.append(f"target_compile_definitions({target_of(suite)} PRIVATE BOOST_TEST_MODULE=zoo)")
        linked = ["Threads::Threads"]
    else:
        linked = ([f"{folder}_main"] if folder in MAINS else []) + libraries(suite, text)
    lines.append(f"target_link_libraries({target_of(suite)} PRIVATE {' '.join(linked)})")
    lines.append(f"set_target_properties({target_of(suite)} PROPERTIES OUTPUT_NAME {name}\n"
                 f"  RUNTIME_OUTPUT_DIRECTORY ${{CMAKE_BINARY_DIR}}/{suite['folder']})")
    if folder == "gtest":
        what = f"REUSE_FROM {shares}" if shares else "PRIVATE <gtest/gtest.h>"
        lines.append(f"target_precompile_headers({target_of(suite)} {what})")
    return lines


def target_of(suite):
    return f"{suite['folder']}_{suite['name']}"


def write(directory, suites):
    """The project, without building anything."""
    lines = [HEAD]
    for folder in sorted({folder_of(suite) for suite in suites} & set(MAINS)):
        copy(MAINS[folder], directory)
        for header in HEADERS.get(folder, []):
            copy(header, directory)
        lines.append(f"add_library({folder}_main OBJECT {MAINS[folder]})")
    shares = None
    for suite in suites:
        copy(f"{suite['folder']}/{suite['name']}.cc", directory)
        lines += target_lines(suite, shares)
        if folder_of(suite) == "gtest":
            shares = shares or target_of(suite)
    (directory / "CMakeLists.txt").write_text("\n".join(lines) + "\n")


def copy(path, directory):
    target = directory / path
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ZOO / path, target)


def build(directory, suites, jobs=None, flags=(), link=()):
    """{name of the target: binary}. What the machine cannot build is an error."""
    build_directory = directory / "build"
    more = [f"-DCMAKE_{which}_FLAGS={' '.join(words)}"
            for which, words in (("CXX", flags), ("EXE_LINKER", link)) if words]
    for argv in (["cmake", "-G", "Ninja", "-S", directory, "-B", build_directory, *more],
                 ["cmake", "--build", build_directory, "-j", jobs or os.cpu_count()]):
        done = subprocess.run([str(word) for word in argv], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, argv))} failed:\n{done.stdout[-4000:]}"
                               f"{done.stderr[-4000:]}")
    return {target_of(suite): build_directory / suite["folder"] / suite["name"]
            for suite in suites}


class Broken(Exception):
    """Gordian did not do what it was asked for."""


def ask(gordian, words, scratch, env=None, limit=900):
    """What it prints as JSON. Findings, and repairs that were not possible, are no failure. `words`
    may end with arguments of the program."""
    argv = [gordian, words[0], "--json", "-", *words[1:]]
    done = subprocess.run([str(word) for word in argv], cwd=scratch, env=env,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", timeout=limit, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise Broken(f"gordian {' '.join(map(str, words))}: exit code {done.returncode}\n"
                     f"{done.stderr[-2000:]}")
    return json.loads(done.stdout)


def find(gordian, binary, scratch, env=None, options=("--seed", "1", "--timeout", "2s"),
         explaining=()):
    """Dependences with what explains them: the explanations by id, and the search."""
    searched = ask(gordian, ["detect", binary, *options], scratch, env)
    explained = {}
    if searched["dependences"]:
        explained = ask(gordian, ["explain", *explaining], scratch, env)
    return {one["id"]: one for one in explained.get("explanations", [])}, searched


def fix(gordian, scratch, *options, env=None):
    return ask(gordian, ["fix", *options], scratch, env)


def expected_repairs():
    """{name of the target: what repairs.json says of its dependences}."""
    entries = json.loads((ZOO / "repairs.json").read_text())["suites"]
    return {name.replace("/", "_"): wanted for name, wanted in entries.items()}


def bare(wanted):
    """Expected repairs without the words for people, in an order of their own."""
    return sorted((entry["test"], entry["role"], entry.get("strategy", "impossible"))
                  for entry in wanted)


def as_expected(fixed):
    """What `gordian fix` made of a suite, in the same words. A dependence that went with another's
    patch has that one's strategy."""
    by_id = {repair["id"]: repair for repair in fixed["repairs"]}
    found = []
    for repair in fixed["repairs"]:
        owner = by_id.get(repair["gone_by"], repair)
        strategy = "impossible"
        if repair["repaired"] and owner["accepted"] is not None:
            strategy = owner["attempts"][owner["accepted"]]["patch"]["strategy"]
        found.append((repair["test"], repair["role"], strategy))
    return sorted(found)
