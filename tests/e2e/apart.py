# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""Runs of gordian that may do harm: in a PID namespace of their own, with a witness in it, a process
that has nothing to do with the run and must outlive it."""
import os
import shutil
import subprocess

import gordian

WITNESS_GONE = 99
# Starts the witness, runs the words, and says whether the witness is still there.
SCRIPT = (f'sleep 1000 & witness=$!; "$@"; code=$?; kill -0 $witness || exit {WITNESS_GONE}; '
          'exit $code')


def namespace():
    """The words that make one; None where that is not allowed."""
    words = ["unshare", "-p", "-f", "-m", "--mount-proc", "--kill-child"]
    if os.getuid() != 0:
        words.insert(1, "-r")
    if not shutil.which("unshare"):
        return None
    tried = subprocess.run([*words, "true"], check=False, capture_output=True)
    return words if tried.returncode == 0 else None


class Case(gordian.Case):
    def apart(self, *words, patience=300, **environment):
        """A gordian.Ran. Fails if a process outside of the run was killed."""
        words_before = namespace()
        if words_before is None:
            self.skipTest("no PID namespace can be had here")
        ran = subprocess.run([*words_before, "sh", "-c", SCRIPT, "sh", gordian.BIN,
                              *map(str, words)], cwd=self.dir,
                             env=gordian.clean_environment(**environment),
                             stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             errors="surrogateescape", timeout=patience, check=False)
        ran = gordian.Ran(words, ran)
        self.assertNotEqual(ran.code, WITNESS_GONE, f"somebody else was killed\n{ran}")
        return ran
