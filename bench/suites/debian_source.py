# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Source packages of Debian, fetched into a directory of our own: the machine's apt is not told."""
import os
import subprocess
from pathlib import Path

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
LIMIT = 180  # seconds for each step


def release():
    for line in Path("/etc/os-release").read_text().splitlines():
        if line.startswith("VERSION_CODENAME="):
            return line.partition("=")[2].strip('"')
    return "stable"


def run(argv, cwd):
    """Why it failed; empty when it did not."""
    try:
        done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, timeout=LIMIT)
    except (OSError, subprocess.TimeoutExpired) as failure:
        return str(failure)
    said = [line for line in done.stderr.splitlines() if line.startswith("E: ")]
    return "" if done.returncode == 0 else (said or ["apt-get failed"])[-1]


def fetch(directory, package, suite=None):
    """(the unpacked sources or None, why not). `suite`: another release of Debian than this one's;
    it needs a directory of its own."""
    directory.mkdir(parents=True, exist_ok=True)
    unpacked = sorted(path for path in directory.glob(f"{package}-*") if path.is_dir())
    if unpacked:
        return unpacked[-1], ""
    for part in ("lists/partial", "cache/archives/partial"):
        (directory / part).mkdir(parents=True, exist_ok=True)
    listed = directory / "sources.list"
    listed.write_text(f"deb-src [signed-by={KEYRING}] http://deb.debian.org/debian "
                      f"{suite or release()} main\n")
    options = [f"-oDir::Etc::sourcelist={listed}", "-oDir::Etc::sourceparts=/nonexistent",
               f"-oDir::State::lists={directory}/lists", f"-oDir::Cache={directory}/cache",
               f"-oAPT::Sandbox::User={'root' if os.getuid() == 0 else ''}"]
    why = (run(["apt-get", *options, "update"], directory)
           or run(["apt-get", *options, "source", package], directory))
    unpacked = sorted(path for path in directory.glob(f"{package}-*") if path.is_dir())
    return (unpacked[-1], "") if unpacked and not why else (None, why or "nothing was unpacked")
