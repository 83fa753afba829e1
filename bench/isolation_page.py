# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""bench/results/isolation.md, and its parts for README.md and docs/isolation.md."""
from isolation_suites import each_us

WAYS = {"bare": "bare binary, no isolation", "snapshot": "snapshot `-j1`",
        "snapshot-shared": "the same, `--private-fs off`", "snapshot-2": "snapshot `-j2`",
        "fork": "fork `-j1`", "process": "process `-j1`", "loop": "loop of processes",
        "ctest-gtest": "`ctest -j2`, gtest_discover_tests",
        "ctest-gordian": "`ctest -j2`, gordian_discover_tests"}
WORK_US = 500  # a test that takes so long should hardly notice
MOST_US, MOST_SHARE, LESS_THAN_FORK, FASTER_THAN_PROCESS = 25, 0.10, 5, 50


def target(what, result, wanted, met):
    return {"what": what, "result": result, "target": wanted, "met": met}


def warm_targets(curves):
    us = curves["warm"][0]["us"]
    found = []
    for way, words in (("snapshot", "private files"), ("snapshot-shared", "`--private-fs off`")):
        more = us[way] - us["bare"]
        found.append(target(f"snapshot over the bare binary, a warm small process, {words}",
                            f"{more:+.1f} us a test", f"at most {MOST_US} us", more <= MOST_US))
    return found


def share_targets(rows):
    found = []
    for row in rows:
        if each_us(row, "bare") < WORK_US:
            continue
        share = row["ways"]["snapshot"]["seconds"] / row["ways"]["bare"]["seconds"] - 1
        found.append(target(f"snapshot over the bare binary, whole command, {row['what']}",
                            f"{100 * share:+.1f} %", f"at most {100 * MOST_SHARE:.0f} %",
                            share <= MOST_SHARE))
    return found


def targets(results):
    rows, curves = results["suites"], results["curves"]
    us = next(point["us"] for point in curves["heap"] if point["at"] == 200)
    less = us["fork-shared"] / us["snapshot-shared"]
    trivial = rows[0]
    faster = each_us(trivial, "loop") / each_us(trivial, "snapshot")
    return [*warm_targets(curves), *share_targets(rows),
            target("a warm test with a heap of 200 MB: snapshot against fork",
                   f"{less:.1f} times less", f"at least {LESS_THAN_FORK} times",
                   less >= LESS_THAN_FORK),
            target(f"{trivial['what']}, whole command: snapshot against a loop of processes",
                   f"{faster:.0f} times as fast", f"at least {FASTER_THAN_PROCESS} times",
                   faster >= FASTER_THAN_PROCESS)]


def target_lines(found):
    return ["| measured | result | target | |", "|---|---|---|---|",
            *(f"| {t['what']} | {t['result']} | {t['target']} | "
              f"{'met' if t['met'] else '**missed**'} |" for t in found)]


def reasons(row):
    total = sum(row["fell_back"].values())
    why = ", ".join(f"{words} ({count})" for words, count in sorted(row["fell_back"].items()))
    return f"{total}: {why}" if total else "0"


def suite_lines(rows, cell):
    lines = [f"| suite | tests | {' | '.join(WAYS.values())} |",
             f"|---|--:|{'--:|' * len(WAYS)}"]
    for row in rows:
        cells = " | ".join(cell(row, way) for way in WAYS)
        lines.append(f"| {row['what']} | {row['tests']:,} | {cells} |")
    return lines


def seconds_cell(row, way):
    seconds, tests = row["ways"][way]["seconds"], row["ways"][way]["tests"]
    return f"{seconds:.3f}" + ("" if tests == row["tests"] else f" for {tests}")


def fall_back_lines(rows):
    return ["| suite | tests that fell back to a fork, and why |", "|---|---|",
            *(f"| {row['what']} | {reasons(row)} |" for row in rows)]


def curve_lines(title, points):
    lines = [f"| {title} | bare binary | snapshot | fork | fork against snapshot |",
             "|--:|--:|--:|--:|--:|"]
    for point in points:
        us = point["us"]
        snapshot, fork = us["snapshot-shared"], us["fork-shared"]
        lines.append(f"| {point['at']:,} | {us['bare']:.1f} | {snapshot:.1f} | {fork:.1f} | "
                     f"{fork / snapshot:.1f} |")
    return lines


def warm_lines(curves):
    us = curves["warm"][0]["us"]
    return ["| a small process | bare binary | snapshot | fork |", "|---|--:|--:|--:|",
            f"| private files | {us['bare']:.1f} | {us['snapshot']:.1f} | {us['fork']:.1f} |",
            f"| `--private-fs off` | {us['bare']:.1f} | {us['snapshot-shared']:.1f} | "
            f"{us['fork-shared']:.1f} |"]


def curve_parts(curves):
    missing = "" if curves["heap"][-1]["at"] == 1000 else " (1,000 MB: not measured)"
    return [*warm_lines(curves), "",
            "Against the pages that each test writes to:", "",
            *curve_lines("pages", curves["pages"]), "",
            f"Against the heap that is there before the first test{missing}:", "",
            *curve_lines("MB", curves["heap"])]


CURVE_NOTE = ["Microseconds for one more test once the process is warm: the time of all tests minus "
              "that of the first", "20, `-j1`, trivial tests. The start of the program, the "
              "filling of its heap and the first snapshot are", "not in it."]
NOTES = [
    "Seconds are those of the whole command (`gordian run --no-db`), the minimum of all rounds. "
    "\"40\" beside a time: the slow ways ran only so many tests of that suite.",
    "Loop of processes: `--gtest_filter=TEST` for each test, one at a time, started by posix_spawn "
    "without a shell. ctest: discovery is done at build time and not counted.",
    "`gtest-parallel` is no package of Debian and was not measured.",
    "The real suites are GoogleTest's and GoogleMock's own tests, from Debian's package "
    "`googletest`, where all tests of a file pass alone.",
    "What falls back costs the fork that it falls back to, and the snapshot that was in vain.",
]


def measured_line(measured):
    return (f"Measured {measured['date']}, load average before: {measured['load']:.2f}, gordian "
            f"{measured['gordian']}.")


def render(results):
    rows = results["suites"]
    return "\n".join([
        "# What isolation costs", "",
        *(["A smoke test: small suites, one round. These are no results.", ""]
          if results["quick"] else []),
        "Written by `bench/isolation`. All ways were measured in the same run, in turn; the minimum "
        "counts.", "Absolute times belong to this machine only.", "", "| machine | |", "|---|---|",
        *(f"| {name} | {value} |" for name, value in results["machine"].items()), "",
        *([] if results["quick"] else ["## Targets", "", *target_lines(results["targets"]), ""]),
        "## Seconds", "", *suite_lines(rows, seconds_cell), "",
        "## Microseconds a test", "",
        *suite_lines(rows, lambda row, way: f"{each_us(row, way):,.0f}"), "",
        *fall_back_lines(rows), "", *(f"* {note}" for note in NOTES), "",
        "## One more test", "", *CURVE_NOTE, "", *curve_parts(results["curves"]), "",
        measured_line(results["measured"])]) + "\n"


def readme_part(results, link):
    return "\n".join([*target_lines(results["targets"]), "",
                      f"All suites, all ways, and how it was measured: [`{link}`]({link})."])


def docs_part(results, link):
    return "\n".join([*CURVE_NOTE, "", *curve_parts(results["curves"]), "",
                      "Suites of all kinds, beside a process per test and ctest: "
                      f"[`bench/results/isolation.md`]({link})."])
