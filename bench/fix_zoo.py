# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Every guilty suite of the zoo, repaired by the whole ladder and by the paper's strategy alone."""
import concurrent.futures
import json
import os
import shutil
import time

import as_project
import fix_orders

WAYS = {"ladder": (), "paper": ("--strategy", "paper")}
SOME = ["global_int", "env_var", "brittle_init", "class_static"]  # of the smoke test


def build(lab, _):
    suites = as_project.guilty_suites()
    if lab.quick:
        suites = [suite for suite in suites if suite["name"] in SOME]
    directory = lab.directory / "fix-zoo"
    if not lab.resume or not directory.exists():
        shutil.rmtree(directory, ignore_errors=True)
        shutil.rmtree(kept(lab), ignore_errors=True)
        directory.mkdir(parents=True)
        as_project.write(directory, suites)
    kept(lab).mkdir(parents=True, exist_ok=True)
    if all((kept(lab) / f"{as_project.target_of(suite)}.{way}.json").exists()
           for suite in suites for way in WAYS):
        return suites, {as_project.target_of(suite): None for suite in suites}
    lab.progress(f"building {len(suites)} suites of the zoo")
    return suites, as_project.build(directory, suites)


def kept(lab):
    """Where searches and results of single suites lie, for --resume."""
    return lab.scratch / "fix-zoo"


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


def within_project(lab, fixed):
    """The patch with paths as seen from the project, which lies inside of a git repository."""
    inside = os.path.relpath(lab.directory / "fix-zoo", fixed["source_root"])
    diff = fixed["diff"] or ""
    return diff if inside == "." else diff.replace(f"/{inside}/", "/")


def fix_one_way(lab, name, scratch, explained, way):
    """What became of a suite; as it was if an interrupted run has measured it."""
    result = kept(lab) / f"{name}.{way}.json"
    if result.exists():
        return json.loads(result.read_text())
    begin = time.monotonic()
    fixed = as_project.fix(lab.gordian, scratch, "--again", "-j1", "--timeout", "2s", *WAYS[way])
    found = {"repairs": [outcome(repair, explained[repair["id"]], fixed["repairs"])
                         for repair in fixed["repairs"]],
             "as_expected": as_project.as_expected(fixed),
             "differing": [fixed["failing_before"], fixed["failing_after"]],
             "orders": fixed["random_orders"], "seconds": round(time.monotonic() - begin, 1),
             "diff": within_project(lab, fixed)}
    result.write_text(json.dumps(found))
    return found


def repair_both_ways(lab, name, binary):
    """{way: what became of it}, from one search."""
    scratch = kept(lab) / name
    searched = scratch / "search.json"
    if not searched.exists():
        scratch.mkdir(exist_ok=True)
        explained, search = as_project.find(lab.gordian, binary, scratch)
        searched.write_text(json.dumps({"explained": explained, "tests": search["suite"]["tests"]}))
    search = json.loads(searched.read_text())
    return {"tests": search["tests"],
            **{way: fix_one_way(lab, name, scratch, search["explained"], way) for way in WAYS}}


def surprises(results):
    """Sentences: where the outcome is not what zoo/repairs.json says. What is impossible gets the
    reason that stands there, in place of what the last attempt said."""
    expected = as_project.expected_repairs()
    for found in results:
        entries = expected.get(found["target"], [])
        reasons = {entry["test"]: entry.get("impossible") for entry in entries}
        for repair in found["ladder"]["repairs"]:
            if not repair["repaired"]:
                repair["why_not"] = reasons.get(repair["test"]) or repair["why_not"]
        wanted = as_project.bare(entries)
        if sorted(map(tuple, found["ladder"].pop("as_expected"))) != wanted:
            yield f"{found['target']} is not repaired as zoo/repairs.json says"
        found["paper"].pop("as_expected")


def run(lab, built):
    suites, binaries = built
    names = [as_project.target_of(suite) for suite in suites]
    folders = {as_project.target_of(suite): as_project.folder_of(suite) for suite in suites}
    results = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(repair_both_ways, lab, name, binaries[name]): name
                   for name in names}
        for done in concurrent.futures.as_completed(running):
            name = running[done]
            found = done.result()
            repaired = sum(r["repaired"] for r in found["ladder"]["repairs"])
            lab.progress(f"{len(results) + 1} of {len(names)}, {name}: {repaired} of "
                         f"{len(found['ladder']['repairs'])} repaired")
            results.append({"target": name, "suite": name.partition("_")[2],
                            "framework": folders[name], **found})
    results.sort(key=lambda one: (one["framework"], one["suite"]))
    for sentence in surprises(results):
        lab.progress(sentence)
    diffs = {way: {found["target"]: found[way].pop("diff") for found in results} for way in WAYS}
    return {"suites": results, "prioritised": fix_orders.run(lab, suites, diffs)}
