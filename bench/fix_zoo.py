# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Every guilty suite of the zoo, repaired by the whole ladder and by the paper's strategy alone."""
import concurrent.futures
import os
import shutil
import tempfile
import time
from pathlib import Path

import as_project

WAYS = {"ladder": (), "paper": ("--strategy", "paper")}
SOME = ["global_int", "env_var", "brittle_init", "class_static"]  # of the smoke test


def build(lab, _):
    suites = as_project.guilty_suites()
    if lab.quick:
        suites = [suite for suite in suites if suite["name"] in SOME]
    directory = lab.directory / "fix-zoo"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    as_project.write(directory, suites)
    lab.progress(f"building {len(suites)} suites of the zoo")
    return suites, as_project.build(directory, suites)


def outcome(repair, explanation, of_all):
    """What became of one dependence, by one way."""
    accepted = repair["accepted"]
    patch = repair["attempts"][accepted]["patch"] if accepted is not None else None
    by = next((r for r in of_all if r["id"] == repair["gone_by"]), None)
    if by is not None and by["accepted"] is not None:
        patch = by["attempts"][by["accepted"]]["patch"]
    carriers = explanation["carriers"]
    return {"test": repair["test"], "role": repair["role"],
            "kind": carriers[0]["kind"] if carriers else "unknown",
            "state": carriers[0]["name"] if carriers else None,
            "repaired": repair["repaired"], "strategy": patch["strategy"] if patch else None,
            "summary": patch["summary"] if patch else None,
            "with": repair["gone_by"],
            "lines": patch["added"] + patch["removed"] if patch else None,
            "attempts": [attempt["verdict"] for attempt in repair["attempts"]],
            "why_not": None if repair["repaired"] else why_not(repair)}


def why_not(repair):
    if repair["why_not"]:
        return repair["why_not"]
    reasons = [one["why"] for one in repair["inapplicable"]]
    return reasons[0] if reasons else "it was not tried"


def repair_both_ways(lab, binary):
    """{way: what became of it}, from one search."""
    with tempfile.TemporaryDirectory(prefix="gordian-fix-") as scratch:
        explained, searched = as_project.find(lab.gordian, binary, scratch)
        results = {"tests": searched["suite"]["tests"]}
        for way, options in WAYS.items():
            begin = time.monotonic()
            fixed = as_project.fix(lab.gordian, scratch, "--again", "-j1", *options)
            results[way] = {
                "repairs": [outcome(r, explained[r["id"]], fixed["repairs"])
                            for r in fixed["repairs"]],
                "differing": [fixed["failing_before"], fixed["failing_after"]],
                "orders": fixed["random_orders"], "diff": fixed["diff"],
                "seconds": round(time.monotonic() - begin, 1)}
        return results


def run(lab, built):
    suites, binaries = built
    names = [as_project.target_of(suite) for suite in suites]
    folders = {as_project.target_of(suite): as_project.folder_of(suite) for suite in suites}
    results = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(repair_both_ways, lab, binaries[name]): name for name in names}
        for done in concurrent.futures.as_completed(running):
            name = running[done]
            found = done.result()
            repaired = sum(r["repaired"] for r in found["ladder"]["repairs"])
            lab.progress(f"{len(results) + 1} of {len(names)}, {name}: {repaired} of "
                         f"{len(found['ladder']['repairs'])} repaired")
            results.append({"suite": name.partition("_")[2], "framework": folders[name], **found})
    return {"suites": sorted(results, key=lambda one: (one["framework"], one["suite"]))}
