# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""A suite as a model: tests that are lists of operations, run here without any process.

The operations are those of planted.cc, without effect where they are none on the variables: a test
whose result hangs on its process passes here, and is not to be asked about. An outcome is a tuple that is equal exactly when Gordian
calls two results the same: ("pass",), ("skip",), ("fail", line), ("crash",), ("exit",).
None: the process had ended before the test.
"""
import itertools
from collections import defaultdict

ENDS_PROCESS = {"crash", "exit"}


class Model:
    """`tests`: a list of (suite, name, operations), in the default order."""

    def __init__(self, tests):
        self.planted = list(tests)
        self.operations, self.suite_of, self.lines = {}, {}, []
        for suite, name, operations in tests:
            self.lines.append(f"test {suite} {name}")
            full = f"{suite}.{name}"
            self.suite_of[full] = suite
            self.operations[full] = []
            for operation in operations:
                self.lines.append(" ".join(map(str, operation)))
                self.operations[full].append((len(self.lines), *operation))
        # The framework keeps the tests of a suite together, in the order of their suites.
        suites = list(dict.fromkeys(self.suite_of.values()))
        self.tests = sorted(self.operations, key=lambda test: suites.index(self.suite_of[test]))

    def text(self):
        return "\n".join(self.lines) + "\n"

    def run(self, order):
        """The outcome of each position of one process."""
        state, outcomes = defaultdict(int), []
        for test in order:
            ended = bool(outcomes) and (outcomes[-1] is None or outcomes[-1][0] in ENDS_PROCESS)
            outcomes.append(None if ended else self._run_one(test, state))
        return outcomes

    def _run_one(self, test, state):
        failed_at = None
        for line, word, x, *rest in self.operations[test]:
            holds = bool(rest) and state[x] == rest[0]
            failed = False
            if word == "set":
                state[x] = rest[0]
            elif word == "add":
                state[x] += rest[0]
            elif word == "set_if" and holds:
                state[rest[1]] = rest[2]
            elif word in ("expect", "require"):
                failed = not holds
            elif word == "below":
                failed = state[x] >= rest[0]
            elif word == "expect_if":
                failed = holds and state[rest[1]] != rest[2]
            elif word in ("crash_if", "exit_if") and holds:
                return (word[:-3],)
            elif word == "skip_if" and holds:
                return ("skip",) if failed_at is None else ("fail", failed_at)
            if failed and failed_at is None:
                failed_at = line
            if failed and word == "require":
                break
        return ("pass",) if failed_at is None else ("fail", failed_at)

    def alone(self, test):
        return self.run([test])[0]

    def after(self, before, test):
        """The outcome of `test` at the end of a process; None if it was not reached."""
        return self.run([*before, test])[-1]

    def expected(self):
        """{test: outcome in the default order}. What ends the process there is its result, and the
        tests behind it are expected to do what they do without it."""
        order, known = list(self.tests), {}
        while len(known) < len(self.tests):
            for test, outcome in zip(order, self.run(order)):
                if outcome is not None:
                    known.setdefault(test, outcome)
            order = [t for t in self.tests if known.get(t, ("pass",))[0] not in ENDS_PROCESS]
        return known

    def predecessors(self, test, length):
        """Every list of `length` other tests."""
        others = [other for other in self.tests if other != test]
        return itertools.permutations(others, length)

    def truth(self, k):
        """{test: facts} of every dependent test that orders of up to k different tests can show."""
        expected, found = self.expected(), {}
        for test in self.tests:
            alone = self.alone(test)
            shows = any(self.after(before, test) not in (None, expected[test])
                        for length in range(k) for before in self.predecessors(test, length))
            if shows:
                found[test] = {"role": "victim" if alone == ("pass",) else "brittle",
                               "expected": expected[test], "alone": alone}
        return found

    def shortest(self, test, outcome):
        """The fewest tests, `test` included, that give it this result."""
        for length in range(len(self.tests)):
            if any(self.after(before, test) == outcome
                   for before in self.predecessors(test, length)):
                return length + 1
        return None

    def self_dependent(self):
        """Tests that run twice, and then do not do what they are expected to do."""
        expected = self.expected()
        return {test for test in self.tests
                if self.after([test], test) not in (None, expected[test])}

    def singles(self, test, outcome):
        """The other tests that give `test` this result, each by itself."""
        return {other for other in self.tests
                if other != test and self.after([other], test) == outcome}

    def cleaners(self, by, test, good):
        """The tests behind `by` that make `test` do this."""
        return {other for other in self.tests
                if other != test and other not in by and self.after([*by, other], test) == good}

    def splits_suites(self, order):
        blocks = [suite for suite, _ in itertools.groupby(self.suite_of[test] for test in order)]
        return len(blocks) != len(set(blocks))
