#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""An agent that keeps to the protocol or not, as the dice fall: no crash of ours, nobody else is
signalled, and an end. For as many seeds as half a minute allows; GORDIAN_PLAYED_SEEDS=FIRST:COUNT
for others."""
import os
import time
import unittest

import apart
import gordian

AGENT = gordian.BUILD / "overwriting" / "libplayed-agent.so"
SUITE = gordian.ZOO / "clean" / "singleton_reset"
SECONDS = 30
GOOD_CODES = (0, 1, 3, 4)  # 4: what the agent told makes no sense, which is said


def seeds():
    """(seed, words) until time is up, ten at least."""
    first, _, count = os.environ.get("GORDIAN_PLAYED_SEEDS", "1:0").partition(":")
    commands = (("run", "--isolate", "fork", "-j2"), ("run", "--isolate", "none"),
                ("run", "--isolate", "snapshot"), ("detect", "--budget", "3s"), ("list",))
    end = time.monotonic() + SECONDS
    seed = int(first)
    while (seed - int(first) < int(count)) if int(count) else (
            time.monotonic() < end or seed < int(first) + 10):
        yield seed, commands[seed % len(commands)]
        seed += 1


class PlayedAgent(apart.Case):
    def test_a_flood_of_messages_ends(self):
        for words in (("list", SUITE), ("run", SUITE, "--no-db")):
            with self.subTest(words=words):
                ran = self.apart(*words, GORDIAN_AGENT=str(AGENT), PLAYED_SEED="1",
                                 PLAYED_FLOOD="1", patience=60)
                self.assertIn(ran.code, GOOD_CODES, ran)

    def test_anything_at_any_time(self):
        for seed, (command, *options) in seeds():
            limits = {"run": ("--timeout", "1s", "--no-db", "--start-timeout", "5s"),
                      "detect": ("--timeout", "1s", "--no-db"), "list": ()}[command]
            with self.subTest(seed=seed, command=command):
                ran = self.apart(command, SUITE, *options, *limits,
                                 GORDIAN_AGENT=str(AGENT), PLAYED_SEED=str(seed))
                self.assertIn(ran.code, GOOD_CODES, ran)
                self.assertNotIn("does not hold", ran.err, ran)


if __name__ == "__main__":
    unittest.main()
