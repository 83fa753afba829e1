# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Building fixtures with the flags that gordian prints, and reading their data flow."""
import functools
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from gordian import BUILD, SOURCE, clean_environment, gordian

FIXTURES = SOURCE / "tests/trace/fixtures"
SHOW = BUILD / "bin/gordian_show_flow"
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
ROOM = tempfile.TemporaryDirectory()


def flags(*words):
    ran = gordian("cxxflags", *words, cwd=ROOM.name)
    assert ran.code == 0, ran
    return shlex.split(ran.out)


def run(*words):
    return subprocess.run([str(word) for word in words], cwd=ROOM.name, text=True, timeout=300,
                          env=clean_environment(), capture_output=True, check=False)


def must(*words):
    done = run(*words)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@functools.lru_cache(maxsize=None)
def compiled(compiler, source, optimise, *more):
    name = Path(ROOM.name) / f"{compiler}{optimise}-{len(more)}-{Path(source).stem}.o"
    must(compiler, "-std=c++17", optimise, *more, *flags("--compiler", compiler), "-c", source, "-o", name)
    return name


@functools.lru_cache(maxsize=None)
def built(compiler, source, optimise="-O1"):
    """A fixture with the system's GoogleTest, which nobody has traced."""
    binary = Path(ROOM.name) / f"{compiler}{optimise}-{Path(source).stem}"
    must(compiler, compiled(compiler, source, optimise), "-o", binary, "-lgtest", "-lgtest_main",
         *flags("--link"))
    return binary


def flow(how, binary):
    """Lines of show_flow by their first word."""
    lines = {"dep": {}, "read": {}, "wrote": {}, "unsure": {}, "sites": {}}
    for line in must(SHOW, how, binary).splitlines():
        kind, rest = line.split(" ", 1)
        rest, *sites = rest.split(" | ")
        subject, text = rest.split(": ", 1)
        lines[kind][subject] = text
        lines["sites"][subject] = sites
    return lines
