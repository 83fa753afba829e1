# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""bench/results/trace.md."""
MOST = 6  # times the plain build

NOTES = [
    "CPU seconds (user and system) of the whole program, the minimum of {rounds} rounds, in which "
    "the three builds ran in turn; wall seconds in brackets. Ratios are of CPU seconds: they do "
    "not hide behind waiting for the disk.",
    "Same sources, same flags (`-O2 -g`), same tests; traced: `gordian cxxflags` added, and the "
    "program records while it runs. yaml-cpp runs its tests 5 times over: once takes too little "
    "time. leveldb's tests are those that take no seconds by themselves and whose threads do not "
    "race by design.",
    "Sources from Debian. GoogleTest is the system's, and not traced.",
]
COLLECTION_NOTES = [
    "`gordian graph --trace` on the traced build, `gordian graph` on the plain one (the binary as "
    "it is), each once: seconds of the whole command, from start to exit, without a database. Both "
    "include one pass that watches files. A pass is one run of all tests.",
    "Unsure: tests of which more may be true than was seen (docs/collectors.md).",
]


def short(compiler):
    return compiler.split("(")[0].strip() + " " + compiler.split()[-1] if "g++" in compiler \
        else compiler.replace("Debian ", "").replace(" version", "")


def ratio(row, kind):
    return row["builds"][kind]["cpu_seconds"] / row["builds"]["plain"]["cpu_seconds"]


def verdict(met):
    return "met" if met else "**missed**"


def build_cell(row, kind):
    times = row["builds"][kind]
    return f"{times['cpu_seconds']:.2f} ({times['seconds']:.2f})"


def build_lines(rows, judged):
    lines = ["| suite | compiler | plain | traced | TSan | traced / plain | TSan / plain | below "
             f"{MOST} times plain | below TSan |", "|---|---|--:|--:|--:|--:|--:|---|---|"]
    for row in rows:
        ours, theirs = ratio(row, "traced"), ratio(row, "tsan")
        verdicts = [verdict(ours < MOST), verdict(ours < theirs)] if judged else ["", ""]
        cells = [build_cell(row, kind) for kind in ("plain", "traced", "tsan")]
        lines.append(f"| {row['suite']} | {short(row['compiler'])} | {' | '.join(cells)} | "
                     f"{ours:.1f} | {theirs:.1f} | {' | '.join(verdicts)} |")
    return lines


def collection_line(row, name, found):
    head = f"| {row['suite']} | {short(row['compiler'])} | {name} |"
    if "failed" in found:
        return f"{head} failed: {found['failed'][-200:]} | | | | |"
    return (f"{head} {found['seconds']:.1f} | {found['passes']} | {found['tests']} | "
            f"{found['dependences']} | {found['unsure']} |")


def collection_lines(rows):
    return ["| suite | compiler | build | seconds | passes | tests | data dependences | unsure |",
            "|---|---|---|--:|--:|--:|--:|--:|",
            *(collection_line(row, name, found) for row in rows
              for name, found in row["collections"].items())]


def bullets(notes):
    return ["", *(f"* {note}" for note in notes), ""]


def render(results):
    measured = results["measured"]
    left_out = [f"Left out: {why}." for why in results["left_out"]]
    lines = ["# What a traced build costs", "",
             *(["A smoke test: one suite, one round. These are no results.", ""]
               if results["quick"] else []),
             "Written by `bench/trace`. Absolute times belong to this machine only.", "",
             "| machine | |", "|---|---|",
             *(f"| {name} | {value} |" for name, value in results["machine"].items()), "",
             "## The program itself", "", *build_lines(results["rows"], not results["quick"]),
             *bullets([note.format(rounds=results["rounds"]) for note in NOTES] + left_out),
             "## Collecting data flow", "", *collection_lines(results["rows"]),
             *bullets(COLLECTION_NOTES),
             f"Measured {measured['date']}, load average before: {measured['load']:.2f}, gordian "
             f"{measured['gordian']}."]
    return "\n".join(lines).rstrip() + "\n"
