# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Times commands against each other.

All contenders of a comparison run in turn, round after round, so that other work on the machine
hits all of them alike; of each the minimum counts. A contender that fails ends the whole run: a
number from a run that did not do its work is worth nothing.
"""
import json
import os
import select
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

LIMIT = 240  # seconds for one command: none comes near


class Failed(Exception):
    pass


def timed(argv, cwd, output=os.devnull):
    """Seconds from start to exit, with standard output and error in `output`."""
    argv = [str(word) for word in argv]
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
               (os.POSIX_SPAWN_OPEN, 1, str(output), flags, 0o644),
               (os.POSIX_SPAWN_DUP2, 1, 2)]
    os.chdir(cwd)
    begin = time.perf_counter()
    pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=actions)
    ended = os.pidfd_open(pid)
    try:
        in_time = select.select([ended], [], [], LIMIT)[0]
        if not in_time:
            os.kill(pid, signal.SIGTERM)
        status = os.waitpid(pid, 0)[1]
        seconds = time.perf_counter() - begin
    finally:
        os.close(ended)
    if not in_time or status != 0:
        why = "took too long" if not in_time else f"ended with wait status {status}"
        raise Failed(f"{' '.join(argv)} {why}")
    return seconds


def reported(argv, cwd, seconds_of):
    """For programs that print their own time as JSON on standard output."""
    output = Path(cwd) / "reported.json"
    timed(argv, cwd, output)
    return seconds_of(json.loads(output.read_text()))


@dataclass
class Contender:
    name: str
    run: Callable[[], float]  # does the work once and returns its seconds
    rounds: int = 1000        # at most; slow ones join the first rounds only


class Samples:
    """Name -> all its times, in seconds."""

    def __init__(self):
        self.times = {}

    def add(self, name, seconds):
        self.times.setdefault(name, []).append(seconds)

    def best(self, name):
        return min(self.times[name])

    def rounds(self, name):
        return len(self.times[name])


def race(contenders, rounds, progress):
    samples = Samples()
    for index in range(rounds):
        taking_part = [c for c in contenders if index < c.rounds]
        progress(f"round {index + 1} of {rounds}: {len(taking_part)} contenders")
        for contender in taking_part:
            samples.add(contender.name, contender.run())
    return samples
