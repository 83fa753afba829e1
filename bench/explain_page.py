# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""bench/results/explain.md, and its parts for README.md and docs/explain.md."""

WAYS = {"first": "`gordian explain`, first time", "again": "again",
        "gdb": "gdb, told the variable"}
MOST_SECONDS, AT_MB = 0.5, 20
SIZE_NOTES = [
    "Seconds of the whole command; the median of all rounds, and the minimum in brackets; of CPU "
    "seconds the minimum. All ways ran in turn.",
    "The programs are GoogleTest suites with the same three tests; classes, templates and filled "
    "globals with all their debug information make up the size. The dependence is one `int` in a "
    "global structure. Carrier, proof and both lines were checked before anything was timed.",
    "First time: the index of debug information is made and kept. Again: it is read "
    "(`gordian explain --again`).",
    "gdb: `break main`, `run`, `awatch` on the variable, a backtrace at each access, in a shuffle "
    "that shows the failure. It has to be told the variable, which is what Gordian finds, and "
    "proves nothing.",
]
REAL_NOTES = [
    "`gordian detect --seed 1`, then `gordian explain`, with the defaults; built with `-O0 -g`. "
    "GoogleTest's suites come from Debian's package `googletest`, others from Debian's sources. "
    "Lines: of the first carrier, where it was last written and first read.",
]


def target_of(results):
    """[{"what", "result", "target", "met"}] of the middle size."""
    row = next((row for row in results["size"]["rows"] if row["asked_mb"] == AT_MB), None)
    if row is None or results["quick"]:
        return []
    return [{"what": f"explaining a dependence of two tests, {row['mb']:.0f} MB with debug "
                     f"information, {words}",
             "result": f"{row['ways'][way]['median']:.2f} s",
             "target": f"at most {MOST_SECONDS:g} s", "met": row["ways"][way]["median"]
             <= MOST_SECONDS}
            for way, words in (("first", "first time"), ("again", "index kept"))]


def target_lines(results):
    found = target_of(results)
    return ["| measured | result | target | |", "|---|---|---|---|",
            *(f"| {t['what']} | {t['result']} | {t['target']} | "
              f"{'met' if t['met'] else '**missed**'} |" for t in found)] if found else []


def size_cell(row, way):
    times = row["ways"].get(way)
    return f"{times['median']:.2f} ({times['min']:.2f})" if times else "not installed"


def size_lines(rows):
    return [f"| program, MB | {' | '.join(WAYS.values())} |", f"|--:|{'--:|' * len(WAYS)}",
            *(f"| {row['mb']:.1f} | {' | '.join(size_cell(row, way) for way in WAYS)} |"
              for row in rows)]


def cpu_lines(rows):
    """What the processes themselves used: nearly the same on a busy machine."""
    return [f"| CPU seconds, MB | {' | '.join(WAYS.values())} |", f"|--:|{'--:|' * len(WAYS)}",
            *("| {:.1f} | {} |".format(row["mb"], " | ".join(
                f"{row['ways'][way]['cpu_seconds']:.2f}" if way in row["ways"] else "not installed"
                for way in WAYS)) for row in rows)]


def share_lines(suites):
    lines = ["| suite | from | tests | dependences | proved | with both lines | suspected | none | "
             "seconds each |", "|---|---|--:|--:|--:|--:|--:|--:|--:|"]
    for suite in suites:
        all_of = suite["dependences"]
        proved = [d for d in all_of if d["proved"]]
        suspected = [d for d in all_of if not d["proved"] and d["carriers"]]
        seconds = (f"{min(d['seconds'] for d in all_of):.2f} to "
                   f"{max(d['seconds'] for d in all_of):.2f}" if all_of else "")
        lines.append(f"| `{suite['name']}` | {suite['package']} | {suite['tests']:,} | "
                     f"{len(all_of)} | {len(proved)} | {sum(d['lines'] == 2 for d in proved)} | "
                     f"{len(suspected)} | {len(all_of) - len(proved) - len(suspected)} | "
                     f"{seconds} |")
    return lines


def carrier_text(dependence):
    names = ", ".join(f"`{name}`" for name in dependence["carriers"][:2])
    more = len(dependence["carriers"]) - 2
    return (names + (f" and {more} more" if more > 0 else "")) or "none"


def dependence_lines(suites):
    lines = ["| test | role | carrier | | why not |", "|---|---|---|---|---|"]
    for suite in suites:
        for d in suite["dependences"]:
            word = "proved" if d["proved"] else "suspected" if d["carriers"] else "not explained"
            lines.append(f"| `{d['test']}` | {d['role']} | {carrier_text(d)} | {word} | "
                         f"{d['why_not'] or ''} |")
    return lines


def measured_line(measured):
    return (f"Measured {measured['date']}, load average before: {measured['load']:.2f}, gordian "
            f"{measured['gordian']}.")


def bullets(notes):
    return ["", *(f"* {note}" for note in notes), ""]


def render(results):
    lines = ["# What explaining costs", "",
             *(["A smoke test: small programs, one round. These are no results.", ""]
               if results["quick"] else []),
             "Written by `bench/explain`. Absolute times belong to this machine only.", "",
             "| machine | |", "|---|---|",
             *(f"| {name} | {value} |" for name, value in results["machine"].items()), ""]
    if results.get("size"):
        lines += [*target_lines(results), "", "## Size of the program", "",
                  *size_lines(results["size"]["rows"]), "", *cpu_lines(results["size"]["rows"]),
                  *bullets(SIZE_NOTES),
                  measured_line(results["size"]["measured"]), ""]
    if results.get("real"):
        real = results["real"]
        lines += ["## Suites that we did not write", "", *share_lines(real["suites"]),
                  *bullets(REAL_NOTES + [f"Left out: {why}." for why in real["left_out"]]),
                  *dependence_lines(real["suites"]), "", measured_line(real["measured"])]
    return "\n".join(lines).rstrip() + "\n"


def readme_part(results, link):
    return "\n".join([*target_lines(results), "",
                      f"Programs from 1 to 60 MB, beside gdb, and suites that we did not write: "
                      f"[`{link}`]({link})."])


def docs_part(results, link):
    return "\n".join([
        "Seconds to explain the same dependence of two tests, median (minimum):", "",
        *size_lines(results["size"]["rows"]), "",
        "Dependences of suites that we did not write:", "",
        *share_lines(results["real"]["suites"]), "",
        f"How it was measured, and each carrier: [`bench/results/explain.md`]({link})."])
