# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Catch2 3 and suites that we did not write, from Debian's source packages, built in BUILD/catch2.

Version 3 is not in every release of Debian: its sources come from the next one (GORDIAN_CATCH2_SUITE
names another), by a list of sources of our own. Whoever asks gets (path, "") or (None, why not).
"""
import concurrent.futures
import fcntl
import os
import subprocess
import sys

import gordian

sys.path.insert(0, str(gordian.SOURCE / "bench"))
from suites import debian_source  # noqa: E402

FOLDER = gordian.BUILD / "catch2"
NEXT_SUITE = os.environ.get("GORDIAN_CATCH2_SUITE", "trixie")
FLAGS = ["-std=c++17", "-O0", "-g", "-w", "-fPIC", "-DGORDIAN_ZOO_CATCH2_3"]


def compiled(output, sources, *more):
    """Compiles unless `output` is there; raises CalledProcessError."""
    if not output.exists():
        fresh = output.with_name(output.name + ".new")
        subprocess.run([os.environ.get("CXX", "c++"), *FLAGS, *map(str, sources), "-o", str(fresh),
                        *map(str, more)], check=True, capture_output=True, text=True)
        fresh.rename(output)
    return output


def locked(build):
    """Two test programs may want the same things at the same time."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            return build()
        except subprocess.CalledProcessError as failure:
            return None, f"it does not build here: {failure.cmd[0]}: {failure.stderr[-500:]}"


class Version3:
    """The library, once for static and once for shared use."""

    def __init__(self, sources):
        extras = sources / "extras"
        self.include = f"-I{extras}"
        self.object = compiled(FOLDER / "catch2.o", [extras / "catch_amalgamated.cpp"], "-c")
        self.shared = compiled(FOLDER / "libCatch2.so", [self.object], "-shared")

    def program(self, source, shared=False):
        output = FOLDER / (source.stem + ("-shared" if shared else ""))
        newer = output.exists() and output.stat().st_mtime < source.stat().st_mtime
        if newer:
            output.unlink()
        library = [f"-L{FOLDER}", "-lCatch2", f"-Wl,-rpath,{FOLDER}"] if shared else [self.object]
        return compiled(output, [source], self.include, *library)

    def programs(self, sources):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return list(pool.map(self.program, sources))


def version3():
    """(Version3 or None, why not)"""
    def build():
        sources, why = debian_source.fetch(FOLDER / NEXT_SUITE, "catch2", NEXT_SUITE)
        if sources is None:
            return None, f"the sources of Catch2 3 cannot be had: {why}"
        return Version3(sources), ""
    return locked(build)


def spdlog_tests():
    """(the test program of spdlog's package or None, why not)"""
    def build():
        sources, why = debian_source.fetch(FOLDER / "debian", "spdlog")
        if sources is None:
            return None, f"the sources of spdlog cannot be had: {why}"
        tree = FOLDER / "spdlog"
        for argv in (["cmake", "-S", sources, "-B", tree, "-DCMAKE_BUILD_TYPE=Debug",
                      "-DSPDLOG_BUILD_TESTS=ON", "-DSPDLOG_BUILD_EXAMPLE=OFF",
                      "-DSPDLOG_FMT_EXTERNAL=ON", "-DSPDLOG_BUILD_SHARED=OFF"],
                     ["cmake", "--build", tree, "-j2", "--target", "spdlog-utests"]):
            subprocess.run([str(word) for word in argv], check=True, capture_output=True, text=True)
        return tree / "tests" / "spdlog-utests", ""
    return locked(build)
