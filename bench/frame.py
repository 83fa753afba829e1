# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What bench/run and bench/detect begin with: a clock on every line, and a release build."""
import os
import subprocess
import time

from measure import Failed

BEGIN = time.monotonic()


def progress(text):
    print(f"[{time.monotonic() - BEGIN:6.1f} s] {text}", flush=True)


def build_gordian(root, directory, programs):
    """The release preset, with these programs of bench/."""
    progress("building gordian (release)")
    for argv in (["cmake", "--preset", "release", "-B", directory, "-DGORDIAN_BUILD_BENCH=ON"],
                 ["cmake", "--build", directory, "--target", "gordian", *programs, "-j",
                  str(os.cpu_count())]):
        argv = [str(word) for word in argv]
        done = subprocess.run(argv, cwd=root, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"{' '.join(argv)} failed:\n{done.stdout}{done.stderr}")
