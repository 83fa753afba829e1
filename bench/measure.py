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
from typing import Callable, Optional

LIMIT = 240  # seconds for one command: none comes near


class Failed(Exception):
    pass


@dataclass
class Time:
    seconds: float              # on the wall
    cpu: Optional[float] = None  # of the process and all that it waited for


def timed(argv, cwd, output=os.devnull, limit=LIMIT):
    """From start to exit, with standard output and error in `output`."""
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
        in_time = select.select([ended], [], [], limit)[0]
        if not in_time:
            os.kill(pid, signal.SIGTERM)
        _, status, used = os.wait4(pid, 0)
        seconds = time.perf_counter() - begin
    finally:
        os.close(ended)
    if not in_time or status != 0:
        why = f"took longer than {limit} s" if not in_time else f"ended with wait status {status}"
        raise Failed(f"{' '.join(argv)} {why}")
    return Time(seconds, used.ru_utime + used.ru_stime)


def reported(argv, cwd, seconds_of):
    """For programs that print their own time as JSON on standard output."""
    output = Path(cwd) / "reported.json"
    timed(argv, cwd, output)
    return Time(seconds_of(json.loads(output.read_text())))


@dataclass
class Contender:
    name: str
    run: Callable[[], Time]  # does the work once
    rounds: int = 1000       # at most; slow ones join the first rounds only


class Samples:
    """Name -> all its times."""

    def __init__(self):
        self.times = {}

    def add(self, name, time):
        self.times.setdefault(name, []).append(time)

    def seconds(self, name):
        return [time.seconds for time in self.times[name]]

    def best(self, name):
        return min(self.seconds(name))

    def best_cpu(self, name):
        return min((time.cpu for time in self.times[name] if time.cpu is not None), default=None)

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
