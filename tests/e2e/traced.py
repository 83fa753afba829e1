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

FIXTURES = SOURCE / "tests/flow/fixtures"
SHOW = BUILD / "bin/gordian_show_flow"
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
ROOM = tempfile.TemporaryDirectory()

# reader <- writer: the states, as data of demo.cc. All there are.
DEMO = {
    "Counter.Second <- Counter.First": "variable app::g_counter",
    "Config.ReadsPort <- Config.SetsPort": "variable app::g_config.net.port",
    "Config.ReadsName <- Config.SetsName": "variable app::g_config.name",
    "Flags.ReadsA <- Flags.SetsA": "variable app::g_a",
    "Ages.Counts <- Ages.Inserts": "variable app::g_ages",
    "Queue.Looks <- Queue.Pushes": "variable app::g_queue",
    "Nodes.Walks <- Nodes.Builds":
        "variable app::g_head, heap app::g_head->value, heap app::g_head->next, "
        "heap app::g_head->next->value, heap app::g_head->next->next",
    "Registry.CountsUses <- Registry.Uses":
        "variable app::Registry::instance()::registry.uses",
    "Ids.Second <- Ids.First": "variable app::next_id()::id",
    "Thread.Looks <- Thread.Deepens": "thread_local app::t_depth",
}


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
