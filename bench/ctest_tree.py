# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Build trees as users of ctest have them: one binary, its tests found at build time."""
import re
import shutil
import subprocess
from pathlib import Path

import measure

ROOT = Path(__file__).resolve().parent.parent
NOT_DISABLED = "-*/DISABLED_*"  # gtest_discover_tests takes Name/DISABLED_Suite/0 for enabled
DISCOVER = {
    "gtest": "include(GoogleTest)\ngtest_discover_tests(suite DISCOVERY_TIMEOUT 60{more})\n",
    "gordian": 'set(GORDIAN_EXECUTABLE "{gordian}")\n'
               f'include("{ROOT}/cmake/GordianDiscoverTests.cmake")\n'
               "gordian_discover_tests(suite DISCOVERY_TIMEOUT 60{more})\n",
}


def make_tree(lab, name, way, objects, libraries, only):
    source = lab.directory / "ctest" / f"{name}-{way}"
    build = source / "build"
    source.mkdir(parents=True, exist_ok=True)
    quoted = " ".join(f'"{path}"' for path in objects)
    more = f' TEST_FILTER "{only or NOT_DISABLED}"'
    (source / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(suite CXX)\nenable_testing()\n"
        "find_package(Threads REQUIRED)\n"
        f"add_executable(suite {quoted})\n"
        "set_target_properties(suite PROPERTIES LINKER_LANGUAGE CXX)\n"
        f"target_link_libraries(suite {' '.join(libraries)} Threads::Threads)\n" +
        DISCOVER[way].format(gordian=lab.gordian, more=more))
    for argv in (["cmake", "-S", source, "-B", build], ["cmake", "--build", build]):
        subprocess.run([str(word) for word in argv], check=True, stdout=subprocess.DEVNULL)
    return build


def contender(lab, name, suite, way, objects, tests, libraries=("gtest", "gtest_main"), only="",
              rounds=1000):
    """`ctest -j2` on `tests` tests of this suite; discovery is done before."""
    build = make_tree(lab, suite, way, objects, libraries, only)
    argv = [shutil.which("ctest"), "-j2", "--test-dir", build]
    listed = subprocess.run([*map(str, argv), "-N"], capture_output=True, text=True, check=True)
    enabled = [line for line in listed.stdout.splitlines()
               if re.match(r" *Test +#", line) and "(Disabled)" not in line]
    if len(enabled) != tests:
        raise measure.Failed(f"ctest did not discover the {tests} tests of {suite}")
    return measure.Contender(name, lambda: measure.timed(argv, lab.scratch), rounds)
