# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""bench/results/fix.md, and its part for README.md."""
import re

PAPER = {"human": (13, 9), "generated": (360, 284)}  # dependents before and after, its table 2
ZOO_NOTES = [
    "Every guilty suite of the zoo, as a project of its own: `gordian detect`, `gordian explain`, "
    "`gordian fix -j1 --timeout 2s`. Repaired: a patch was accepted that passed every check, or "
    "the patch of another dependence took this one away too.",
    "Paper: `gordian fix --strategy paper` alone, the repair of *Repairing Test Dependence* (FSE "
    "2016): the victim begins with the initial value of the variable, for primitive types and "
    "strings.",
    "The suites were written by us, to have each kind of state once: a share of them says which "
    "kinds can be repaired, not how many dependences of other people's suites would be.",
]
REAL_NOTES = [
    "`gordian detect --seed 1 --budget 20s` (and what stands behind the program), `gordian explain`, "
    "`gordian fix` with the defaults. Lines: added and removed in files that were there before, and "
    "those of new files, among them the header with the guards.",
]


def repairs_of(suites, way):
    return [repair for suite in suites for repair in suite.get(way, {}).get("repairs", [])]


def share(repairs):
    return f"{sum(repair['repaired'] for repair in repairs)} of {len(repairs)}"


def by_kind(suites):
    """Kind -> way -> its repairs, the most frequent kind first."""
    kinds = {}
    for way in ("ladder", "paper"):
        for repair in repairs_of(suites, way):
            kinds.setdefault(repair["kind"], {"ladder": [], "paper": []})[way].append(repair)
    return dict(sorted(kinds.items(), key=lambda item: (-len(item[1]["ladder"]), item[0])))


def strategies(repairs):
    counts = {}
    for repair in repairs:
        if repair["repaired"]:
            word = repair["strategy"] or "with another"
            counts[word] = counts.get(word, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{word} {count}" for word, count in ordered)


def kind_lines(suites):
    lines = ["| kind of state | dependences | repaired | by | paper's strategy alone |",
             "|---|--:|--:|---|--:|"]
    for kind, ways in by_kind(suites).items():
        lines.append(f"| {kind} | {len(ways['ladder'])} | "
                     f"{sum(r['repaired'] for r in ways['ladder'])} | "
                     f"{strategies(ways['ladder'])} | {sum(r['repaired'] for r in ways['paper'])} |")
    ladder, paper = repairs_of(suites, "ladder"), repairs_of(suites, "paper")
    lines.append(f"| **all** | {len(ladder)} | **{sum(r['repaired'] for r in ladder)}** | "
                 f"{strategies(ladder)} | {sum(r['repaired'] for r in paper)} |")
    return lines


WAY_WORDS = {"paper": "the paper's strategy alone", "ladder": "whole ladder"}


def experiment_lines(zoo):
    """Dependents that orders expose, before and after: the paper's own experiment."""
    suites, changed = zoo["suites"], zoo["prioritised"]["changed"]
    lines = ["| orders | | dependent tests exposed before | after | gone |",
             "|---|---|--:|--:|--:|"]
    count = {way: sum(map(len, of.values())) for way, of in changed.items()}
    for way, words in WAY_WORDS.items():
        lines.append(row(f"five prioritised | zoo, {words}", count["before"], count[way]))
    orders = max(suite["ladder"]["orders"] for suite in suites)
    before = sum(suite["ladder"]["differing"][0] for suite in suites)
    for way, words in WAY_WORDS.items():
        after = sum(suite[way]["differing"][1] for suite in suites)
        lines.append(row(f"{orders} random | zoo, {words}", before, after))
    for tests, (was, left) in PAPER.items():
        lines.append(row(f"four prioritised | the paper, {tests} tests of five Java programs", was,
                         left))
    return lines


def experiment_notes(zoo):
    left_out = zoo["prioritised"]["left_out"]
    notes = ["Tests whose result is another one in some order of their suite than in the default "
             "order, before the repair and after it. Prioritised: by `gordian impact`, the five "
             "techniques of DTDetector, with coverage from a build of its own."]
    if left_out:
        notes.append(f"No prioritised orders of {listed(left_out)}.")
    return notes


def listed(left_out):
    return "; ".join(f"`{name}` ({cell(why)})" for name, why in sorted(left_out.items()))


def row(words, before, after):
    gone = f"{100 * (before - after) / before:.0f} %" if before else ""
    return f"| {words} | {before} | {after} | {gone} |"


def missed_lines(suites):
    lines = ["| suite | test | state | why not |", "|---|---|---|---|"]
    for suite in suites:
        for repair in suite.get("ladder", {}).get("repairs", []):
            if not repair["repaired"]:
                lines.append(f"| `{suite.get('suite') or suite['project']}` | `{repair['test']}` | "
                             f"{state(repair)} | {cell(repair['why_not'])} |")
    return lines if len(lines) > 2 else ["Nothing was left."]


def state(repair):
    return f"{repair['kind']} `{repair['state']}`" if repair["state"] else "unknown"


def cell(text):
    """One line without the directories of this machine."""
    line = re.sub(r"(?<![\w.])/[\w.+/-]*/", "", " ".join(str(text).split())).replace("|", "\\|")
    return line if len(line) <= 240 else line[:237] + "..."


def real_lines(projects):
    lines = ["| project | program | tests | dependences | repaired | paper's strategy alone | lines "
             "changed, new | exposed by random orders, before and after | seconds |",
             "|---|---|--:|--:|--:|--:|--:|---|--:|"]
    for project in projects:
        ladder = project.get("ladder")
        if not ladder:
            lines.append(f"| {project['project']} | {program(project)} | {project['tests']} | 0 | | "
                         "| | | |")
            continue
        repairs = ladder["repairs"]
        changed, new = diff_size(ladder["diff"])
        lines.append(
            f"| {project['project']} | {program(project)} | {project['tests']} | {len(repairs)} | "
            f"{sum(r['repaired'] for r in repairs)} | "
            f"{sum(r['repaired'] for r in project['paper']['repairs'])} | {changed}, {new} | "
            f"{ladder['differing'][0]}, {ladder['differing'][1]} tests in {ladder['orders']} orders | "
            f"{ladder['seconds']:.0f}{' (stopped)' if ladder['stopped'] else ''} |")
    return lines


def program(project):
    words = f" {project['search']}" if project["search"] else ""
    return f"`{project['program']}{words}`"


def diff_size(diff):
    """(lines added or removed in files that were there, lines of new files)."""
    changed = new = 0
    is_new = False
    for line in diff.splitlines():
        if line.startswith("diff --git "):
            is_new = False
        elif line.startswith("new file mode"):
            is_new = True
        elif line[:1] in "+-" and line[:4] not in ("+++ ", "--- "):
            changed, new = (changed, new + 1) if is_new else (changed + 1, new)
    return changed, new


def human_lines(projects):
    """What the authors did themselves, once for each project."""
    known = {project["project"]: project["human"] for project in projects if project["human"]}
    return [f"{name}: {words}" for name, words in known.items()]


def patch_lines(projects):
    lines = ["| project | test | state | patch |", "|---|---|---|---|"]
    for project in projects:
        for repair in project.get("ladder", {}).get("repairs", []):
            if repair["repaired"]:
                lines.append(f"| {project['project']} | `{repair['test']}` | {state(repair)} | "
                             f"{repair['strategy']}: {cell(repair['summary'])} |")
    return lines if len(lines) > 2 else []


def measured_line(part, here):
    measured, there = part["measured"], part["machine"]
    elsewhere = "" if there == here else f" on another machine ({there['CPU']}, {there['kernel']})"
    return (f"Measured {measured['date']}{elsewhere}, load average before: {measured['load']:.2f}, "
            f"gordian {measured['gordian']}.")


def bullets(notes):
    return ["", *(f"* {note}" for note in notes), ""]


def zoo_part(zoo, here):
    suites = zoo["suites"]
    seconds = sorted(suite["ladder"]["seconds"] for suite in suites)
    notes = ZOO_NOTES + [f"One `gordian fix` took {seconds[0]:.0f} to {seconds[-1]:.0f} seconds, "
                         f"{seconds[len(seconds) // 2]:.0f} in the middle, with others beside it."]
    return ["## The zoo", "", *kind_lines(suites), *bullets(notes),
            "### The paper's experiment", "",
            *experiment_lines(zoo), *bullets(experiment_notes(zoo)),
            "### What was not repaired", "", *missed_lines(suites), "",
            measured_line(zoo, here), ""]


def real_part(real, here):
    projects = real["projects"]
    return ["## Suites that we did not write", "", *real_lines(projects),
            *bullets(REAL_NOTES + [f"Left out: {why}." for why in real["left_out"]]),
            *(["### What their authors did", *bullets(human_lines(projects))]
              if human_lines(projects) else []),
            *(["### The patches", "", *patch_lines(projects), ""] if patch_lines(projects) else []),
            "### What was not repaired", "", *missed_lines(projects), "",
            measured_line(real, here)]


def render(results):
    lines = ["# What is repaired", "",
             *(["A smoke test: a few suites. These are no results.", ""] if results["quick"] else []),
             "Written by `bench/fix`. Absolute times belong to this machine only.", "",
             "| machine | |", "|---|---|",
             *(f"| {name} | {value} |" for name, value in results["machine"].items()), ""]
    if results.get("zoo"):
        lines += zoo_part(results["zoo"], results["machine"])
    if results.get("real"):
        lines += real_part(results["real"], results["machine"])
    return "\n".join(lines).rstrip() + "\n"


def readme_part(results, link):
    suites = results["zoo"]["suites"]
    rows = [(f"the zoo, {len(suites)} suites", suites)]
    if results.get("real"):
        rows.append(("suites that we did not write", results["real"]["projects"]))
    return "\n".join([
        "| dependences repaired, each verified by a rebuild and runs | whole ladder | "
        "the paper's strategy alone |", "|---|--:|--:|",
        *(f"| {words} | {share(repairs_of(of, 'ladder'))} | {share(repairs_of(of, 'paper'))} |"
          for words, of in rows), "",
        f"By kind of state, the paper's own experiment, and what was not repaired, with the reason: "
        f"[`{link}`]({link})."])
