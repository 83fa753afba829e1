# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Rows of results, and the page that shows them. A missed target is written as missed."""
import dataclasses
import json
from dataclasses import dataclass, field
from typing import List, Optional


@dataclass
class Row:
    what: str
    seconds: float              # the minimum of `rounds` times
    rounds: int
    items: int                  # how many tests or pairs were run in that time
    ratio: Optional[float] = None
    ratio_text: str = ""        # the ratio in words: "9.8 times faster than ..."
    target: str = ""
    met: Optional[bool] = None
    samples: List[float] = field(default_factory=list)
    cpu_seconds: Optional[float] = None

    def each_us(self):
        return self.seconds / self.items * 1e6

    def again(self, what):
        """The same measurement, to be compared with something else."""
        return Row(what, self.seconds, self.rounds, self.items, samples=self.samples,
                   cpu_seconds=self.cpu_seconds)


@dataclass
class Section:
    name: str
    title: str
    unit: str                   # what `items` of its rows are: "test" or "pair"
    rows: List[Row] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)

    def add(self, samples, name, items, what=None):
        """The measured row; say what it means with faster() or overhead()."""
        row = Row(what or name, samples.best(name), samples.rounds(name), items,
                  samples=samples.seconds(name), cpu_seconds=samples.best_cpu(name))
        self.rows.append(row)
        return row

    def without_targets(self):
        for row in self.rows:
            row.target, row.met = "", None

    def to_json(self):
        return dataclasses.asdict(self)


def faster(row, baseline, than, at_least=None):
    """Compares costs per item: the baseline may have been measured on a sample."""
    row.ratio = baseline.each_us() / row.each_us()
    slower = row.ratio < 0.95
    row.ratio_text = (f"{1 / row.ratio if slower else row.ratio:.1f} times as "
                      f"{'slow' if slower else 'fast'} as {than}")
    if at_least:
        row.target = f"at least {at_least:g} times"
        row.met = row.ratio >= at_least


def overhead(row, baseline, at_most=None):
    row.ratio = row.seconds / baseline.seconds
    more = row.seconds - baseline.seconds
    row.ratio_text = (f"{100 * (row.ratio - 1):+.1f} %, {1e3 * more:+.1f} ms, "
                      f"{1e6 * more / row.items:+.2f} us a test")
    if at_most is not None:
        row.target = f"at most {100 * at_most:g} % more"
        row.met = row.ratio <= 1 + at_most


def growth(row, baseline, than, at_most=None):
    """How the cost of one item changed."""
    row.ratio = row.each_us() / baseline.each_us()
    row.ratio_text = f"{row.ratio:.2f} of the cost {than}"
    if at_most:
        row.target = f"at most {at_most:g} of it"
        row.met = row.ratio <= at_most


def verdict(row):
    if row["met"] is None:
        return ""
    return "met" if row["met"] else "**missed**"


def render_section(section):
    unit = section["unit"]
    lines = [f"## {section['title']}", "",
             f"| what | {unit}s | seconds | min of | CPU s | us a {unit} | ratio | target | |",
             "|---|--:|--:|--:|--:|--:|---|---|---|"]
    for row in section["rows"]:
        each = row["seconds"] / row["items"] * 1e6
        cpu = "" if row["cpu_seconds"] is None else f"{row['cpu_seconds']:.3f}"
        lines.append(f"| {row['what']} | {row['items']:,} | {row['seconds']:.3f} | {row['rounds']} "
                     f"| {cpu} | {each:,.1f} | {row['ratio_text']} | {row['target']} "
                     f"| {verdict(row)} |")
    lines += [""] + [f"* {note}" for note in section["notes"]]
    measured = section["measured"]
    lines += ["", f"Measured {measured['date']}, load average before: {measured['load']:.2f}, "
                  f"gordian {measured['gordian']}.", ""]
    return lines


def render(results):
    machine = results["machine"]
    missed = sum(row["met"] is False for s in results["sections"] for row in s["rows"])
    judged = sum(row["met"] is not None for s in results["sections"] for row in s["rows"])
    lines = ["# Benchmarks", "",
             *(["A smoke test: small suites, one round. These are no results.", ""]
               if results["quick"] else []),
             "Written by `bench/run`. Ratios are the result: both sides were measured in the same "
             "run, in turn,", "and the minimum of all rounds counts. Absolute times belong to this "
             "machine only.", "",
             "| machine | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in machine.items()]
    if judged:
        lines += ["", f"{judged - missed} of {judged} targets met" +
                  (f", {missed} **missed**." if missed else ".")]
    lines.append("")
    for section in results["sections"]:
        lines += render_section(section)
    return "\n".join(lines).rstrip() + "\n"


def readme_part(results):
    """The first target of each section, and how many of its targets were met, for the README."""
    lines = ["| measured | result | target | | targets met |", "|---|---|---|---|--:|"]
    for section in results["sections"]:
        judged = [row for row in section["rows"] if row["met"] is not None]
        if not judged:
            continue
        first, met = judged[0], sum(row["met"] for row in judged)
        lines.append(f"| {section['title']}: {first['what']} | {first['ratio_text']} | "
                     f"{first['target']} | {verdict(first)} | {met} of {len(judged)} |")
    machine = results["machine"]
    facts = ", ".join(str(value) for value in machine.values() if value)
    lines += ["", f"Measured on: {facts}. All rows, how they were measured and how costs grow:",
              "[`bench/results/run.md`](bench/results/run.md). `make bench` makes them anew."]
    return "\n".join(lines)


def keep(directory, name, results, page, complete=True):
    """Writes the page and, beside it, what it was made of: raw numbers stay on the machine that
    measured them (git ignores them), pages are for everybody. So where only some parts were measured
    and the others are not at hand, the page that everybody has is left alone."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"{name}.json").write_text(json.dumps(results, indent=1) + "\n")
    (directory / (f"{name}.md" if complete else f"{name}.part.md")).write_text(page)


def fill(path, name, part):
    """Replaces what stands between the markers of this name."""
    text = path.read_text()
    begin = text.index(f"<!-- {name}:begin -->") + len(f"<!-- {name}:begin -->")
    end = text.index(f"<!-- {name}:end -->")
    path.write_text(text[:begin] + "\n" + part + "\n" + text[end:])


def fill_readme(path, results):
    fill(path, "bench", readme_part(results))
