#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Random small suites with planted dependences, and the truth about them.

  generate.py SEED            the model, for planted --model=FILE
  generate.py SEED --truth    what is true of it for orders of up to 2 and up to 3 tests, as JSON
"""
import argparse
import json
import random

from model import Model

VARIABLES = 5


def plant(rng, tests):
    """One dependence between tests chosen at random; `tests` is a list of lists of operations."""
    x, y = rng.sample(range(VARIABLES), 2)
    a, b, c = rng.sample(tests, 3)
    kind = rng.choice(("victim", "brittle", "pair", "ordered_pair", "self", "cleaner", "ender"))
    if kind == "victim":
        a.append(("set", x, rng.choice((1, 2))))
        b.append(("expect", x, 0))
    elif kind == "brittle":
        a.append(("set", x, 1))
        b.append(("require", x, 1))
    elif kind == "pair":
        a.append(("add", x, 1))
        b.append(("add", x, 1))
        c.append(("below", x, 2))
    elif kind == "ordered_pair":
        a.append(("set", x, 1))
        b.append(("set_if", x, 1, y, 1))
        c.append(("expect", y, 0))
    elif kind == "self":
        a += [("require", x, 0), ("set", x, 1)]
    elif kind == "cleaner":
        a.append(("set", x, 1))
        b.append(("expect", x, 0))
        c.append(("set", x, 0))
    elif kind == "ender":
        a.append(("set", x, 1))
        b.append((rng.choice(("crash_if", "exit_if", "skip_if")), x, 1))


def noise(rng, tests):
    """An operation that may make, mask or break a dependence; whatever it does, the model knows."""
    x, y = rng.sample(range(VARIABLES), 2)
    rng.choice(tests).append(rng.choice((
        ("set", x, rng.choice((0, 1))), ("add", x, 1), ("set_if", x, 1, y, rng.choice((0, 1))),
        ("expect_if", x, 1, y, 0), ("below", x, 3))))


def generate(seed):
    rng = random.Random(seed)
    tests = [[] for _ in range(rng.randint(4, 9))]
    for _ in range(rng.randint(0, 4)):
        plant(rng, tests)
    for _ in range(rng.randint(0, 3)):
        noise(rng, tests)
    suites = ["First", "Second"][:rng.randint(1, 2)]
    return Model([(rng.choice(suites), f"Test{i}", operations)
                  for i, operations in enumerate(tests)])


def with_varying(seed):
    """The same suite with tests whose result hangs on the process that they run in, on chance, the
    clock or the scheduler, and two that move what the heap gives to the others."""
    rng, model = random.Random(-seed), generate(seed)
    more = [("Varying", word.title(), [(word, rng.randint(2, 9))])
            for word in ("stack", "heap", "pid", "coin", "clock", "race")]
    more += [("Varying", f"Keep{i}", [("keep", rng.randint(1, 9) * 1500)]) for i in range(2)]
    rng.shuffle(more)
    at = rng.randint(0, len(model.planted))
    return Model(model.planted[:at] + more + model.planted[at:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("seed", type=int)
    parser.add_argument("--truth", action="store_true")
    args = parser.parse_args()
    model = generate(args.seed)
    if not args.truth:
        print(model.text(), end="")
        return
    truth = {"tests": model.tests, "self_dependent": sorted(model.self_dependent())}
    truth.update({f"up_to_{k}": model.truth(k) for k in (2, 3)})
    print(json.dumps(truth, indent=2))


if __name__ == "__main__":
    main()
