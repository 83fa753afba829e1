# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Time to explain the same small dependence in programs of growing size, beside gdb."""
import json
import os
import shutil
import statistics
import subprocess

import measure
from measure import Contender, Failed
from suites import sized

SIZES = [1, 5, 20, 60]  # MB
GDB_SCRIPT = f"""set pagination off
set debuginfod enabled off
break main
run
awatch {sized.VARIABLE}
continue
backtrace 3
continue
backtrace 3
continue
backtrace 3
continue
"""


def build(generator, quick):
    return sized.build(generator, SIZES[:2] if quick else SIZES)


def search(lab, program):
    """The database that holds D1: the one dependence there is."""
    database = lab.scratch / f"{program.binary.name}.db"
    database.unlink(missing_ok=True)
    done = subprocess.run([lab.gordian, "detect", program.binary, "--db", database, "--seed", "1",
                           "--json", "-"], cwd=lab.scratch, capture_output=True, text=True)
    found = json.loads(done.stdout)["dependences"] if done.stdout else []
    if [d["witness"] for d in found] != [[sized.WRITER, sized.READER]]:
        raise Failed(f"gordian detect did not find what is planted: {found} {done.stderr.strip()}")
    return database


def check(lab, database):
    """What is timed must be a whole explanation: carrier, proof and both lines."""
    done = subprocess.run([lab.gordian, "explain", "D1", "--again", "--db", database, "--json",
                           "-"], cwd=lab.scratch, capture_output=True, text=True)
    found = json.loads(done.stdout)["explanations"][0] if done.stdout else {}
    carriers = found.get("carriers", [])
    if (not found.get("proved") or [c["name"] for c in carriers] != [sized.VARIABLE]
            or not all(carriers[0][site] for site in ("write", "read"))):
        raise Failed(f"gordian explain was wrong: {found} {done.stderr.strip()}")


def explain(lab, name, database, cache, fresh):
    argv = [lab.gordian, "explain", "D1", "--again", "--db", database]

    def run():
        if fresh:
            shutil.rmtree(cache, ignore_errors=True)
        os.environ["XDG_CACHE_HOME"] = str(cache)
        return measure.timed(argv, lab.scratch)
    return Contender(name, run)


def failing_seed(program):
    """A user has the seed of a shuffle that failed."""
    tests = f"--gtest_filter={sized.WRITER}:{sized.READER}"
    for seed in range(1, 100):
        words = [tests, "--gtest_shuffle", f"--gtest_random_seed={seed}"]
        if subprocess.run([program.binary, *words], capture_output=True).returncode == 1:
            return words
    raise Failed("no shuffle shows the dependence")


def gdb(lab, program):
    """Told the variable, which is what Gordian finds out; shows each access with its stack."""
    script = lab.scratch / "watch.gdb"
    script.write_text(GDB_SCRIPT)
    argv = [shutil.which("gdb"), "-nx", "-batch", "-x", script, "--args", program.binary,
            *failing_seed(program)]
    output = lab.scratch / "gdb.txt"
    measure.timed(argv, lab.scratch, output)
    said = output.read_text(errors="replace")
    # It stops behind the write, so that its line may be the next one.
    read = sized.TESTS.splitlines().index("  EXPECT_EQ(g_settings.net.retries, 3);") + 1
    for words in ("Old value = 3\nNew value = 0\n", f"sized-tests.cc:{read}\n"):
        if words not in said:
            raise Failed(f"gdb did not see both accesses:\n{said}")
    return Contender("gdb", lambda: measure.timed(argv, lab.scratch, output))


def measure_one(lab, program):
    lab.progress(f"a program of {program.mb:.1f} MB")
    caches = {name: lab.scratch / f"cache-{name}" for name in ("first", "again")}
    database = search(lab, program)
    os.environ["XDG_CACHE_HOME"] = str(caches["again"])
    check(lab, database)
    contenders = [explain(lab, "first", database, caches["first"], True),
                  explain(lab, "again", database, caches["again"], False)]
    if shutil.which("gdb"):
        contenders.append(gdb(lab, program))
    samples = lab.race(contenders, lab.pick(7, 1))
    ways = {c.name: {"median": statistics.median(samples.seconds(c.name)),
                     "min": samples.best(c.name), "rounds": samples.rounds(c.name),
                     "cpu_seconds": samples.best_cpu(c.name), "samples": samples.seconds(c.name)}
            for c in contenders}
    return {"asked_mb": program.asked_mb, "mb": program.mb, "ways": ways}


def run(lab, programs):
    before = os.environ.get("XDG_CACHE_HOME")
    try:
        return {"rows": [measure_one(lab, program) for program in programs]}
    finally:
        os.environ.pop("XDG_CACHE_HOME", None)
        if before is not None:
            os.environ["XDG_CACHE_HOME"] = before
