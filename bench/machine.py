# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What the numbers depend on: the machine and the tools, without host name or path."""
import datetime
import os
import platform
import subprocess


def first_line(argv, cwd=None):
    try:
        done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return (done.stdout.splitlines() or [""])[0]


def cpu_model():
    with open("/proc/cpuinfo") as lines:
        for line in lines:
            if line.startswith("model name"):
                return " ".join(line.split(":", 1)[1].split())
    return platform.machine()


def memory_gb():
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)


def describe(compiler):
    return {"CPU": cpu_model(),
            "cores": os.cpu_count(),
            "memory": f"{memory_gb()} GB",
            "kernel": f"{platform.system()} {platform.release()}",
            "compiler": first_line([compiler, "--version"])}


def describe_moment(gordian, source, just_built):
    """When, how busy the machine was, and which gordian."""
    version = first_line([str(gordian), "--version"])
    commit = first_line(["git", "rev-parse", "--short", "HEAD"], source)
    changed = first_line(["git", "status", "--porcelain", "--untracked-files=no"], source)
    if not just_built:
        version += " (built earlier)"
    elif commit:
        version += f" ({commit}{', with changes' if changed else ''})"
    now = datetime.datetime.now(datetime.timezone.utc)
    return {"date": now.strftime("%Y-%m-%d %H:%M UTC"), "load": os.getloadavg()[0],
            "gordian": version.replace("gordian ", "", 1)}
