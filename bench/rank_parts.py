# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""The measurements of bench/rank: what ranking costs by itself, what prioritised orders change in
real suites, what reducing them saves."""
import json
import subprocess

from measure import Failed

SEEDS = 10       # random orders beside the first one
ROUNDS = 3       # of times; the least counts
LIMIT = 1800     # seconds for one command


def cost(program, quick):
    done = subprocess.run([program, *(["--quick"] if quick else [])], check=True,
                          capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def database(lab, suite):
    return lab.scratch / f"rank-{suite.name}.db"


def gordian(lab, command, suite, *options):
    """The JSON that it prints. Changed results are no failure."""
    argv = [lab.gordian, command, suite.binary, *options, "--db", database(lab, suite),
            "--json", "-", *(["--", *suite.arguments] if suite.arguments else [])]
    lab.progress(f"{command} {suite.name} {' '.join(map(str, options))}")
    done = subprocess.run([str(word) for word in argv], cwd=lab.scratch, capture_output=True,
                          text=True, timeout=LIMIT)
    if done.returncode not in (0, 1) or not done.stdout:
        raise Failed(f"gordian {command} {suite.name} failed: {done.stderr.strip()[-500:]}")
    return json.loads(done.stdout)


def orders_of(facts):
    return [{"technique": order["technique"], "seed": order["seed"],
             "changed": [{"test": one["test"], "dependence": one["dependence"]}
                         for one in order["checked"]["changed"]],
             "wavering": len(order["checked"]["nondeterministic"]),
             "not_reached": order["checked"]["not_reached"],
             "processes": len(order["processes"]), "extra_runs": order["extra_runs"],
             "rates": {units: curve and curve["rate"] for units, curve in order["curves"].items()}}
            for order in facts["orders"]]


def impact(lab, suite):
    """Unaware orders, a search, then aware ones: what is found first must not help the first."""
    database(lab, suite).unlink(missing_ok=True)
    plain = gordian(lab, "impact", suite)
    more = gordian(lab, "impact", suite, "--technique", "T1", "--seed", "2", "--seeds",
                   lab.pick(SEEDS, 2))
    found = gordian(lab, "detect", suite, "--seed", "1", "--budget", lab.pick("60s", "5s"))
    aware = gordian(lab, "impact", suite, "--aware")
    return {"name": suite.name, "package": suite.package, "tests": plain["tests"],
            "statements": plain["coverage"]["statements"],
            "functions": plain["coverage"]["functions"],
            "dependences": len(found["dependences"]),
            "orders": orders_of(plain), "random": orders_of(more), "aware": orders_of(aware)}


def reduce(lab, suite):
    facts = gordian(lab, "reduce", suite, "--rounds", lab.pick(ROUNDS, 1))
    plain = gordian(lab, "reduce", suite, "--unaware", "--no-times")
    return {"name": suite.name, "package": suite.package, "tests": facts["tests"],
            "by_coverage": len(facts["by_coverage"]), "kept": facts["kept"],
            "statements": facts["statements"],
            "changed": len(facts["order"]["checked"]["changed"]),
            "changed_unaware": len(plain["order"]["checked"]["changed"]),
            "times": facts["times"], "rounds": facts["rounds"]}
