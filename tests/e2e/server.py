#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""What a server that tests share does to runs, and what Gordian says of it.

Its state is outside of every isolation (docs/isolation.md): it outlives runs. Gordian cannot promise to
find what it carries; it must not call something dependent that is not. Starts a Redis server of its
own, on a free port of the loopback.
"""
import shutil
import socket
import subprocess
import time
import unittest

import gordian

BINARY = gordian.ZOO / "server" / "redis_counter"
PATIENCE = 10  # seconds for the server to come up
VICTIM, POLLUTER, CLEANER = ("Counter.IsNotThereAtFirst", "Counter.CanBeRaised",
                             "Counter.CanBeRemoved")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            time.sleep(0.02)
    return False


@unittest.skipUnless(shutil.which("redis-server"), "redis-server is not installed")
@unittest.skipUnless(BINARY.exists(), "libhiredis-dev was not there to build the suite")
class Server(gordian.Case):
    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.server = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "",
             "--appendonly", "no", "--dir", str(self.dir)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end_server)
        self.assertTrue(answers(self.port))

    def end_server(self):
        self.server.kill()
        self.server.wait()

    def ask(self, *words):
        env = gordian.clean_environment(ZOO_REDIS_PORT=str(self.port))
        return self.run_json(*words, "--no-db", env=env)

    def outcomes(self, *words):
        return gordian.outcomes(self.ask("run", BINARY, "--isolate", "none", *words))

    def test_what_it_keeps_outlives_a_run(self):
        first = self.outcomes("--filter", f"{POLLUTER}:{VICTIM}", "--order", "reverse")
        self.assertEqual(first, {POLLUTER: "pass", VICTIM: "fail"})
        self.assertEqual(self.outcomes("--filter", VICTIM), {VICTIM: "fail"})
        self.assertEqual(self.outcomes("--filter", CLEANER), {CLEANER: "pass"})
        self.assertEqual(self.outcomes("--filter", VICTIM), {VICTIM: "pass"})

    def test_the_graph_names_it_by_its_address(self):
        """Which part of it a test uses cannot be seen: all who connect share the server."""
        flow = self.ask("graph", BINARY)["data_flows"][0]
        if any("refused" in limit or "system calls" in limit for limit in flow["misses"]):
            self.skipTest("system calls cannot be watched here")
        peers = {i for i, state in enumerate(flow["states"])
                 if state["kind"] == "socket" and state["name"] == f"127.0.0.1:{self.port}"}
        self.assertEqual(len(peers), 1, flow["states"])
        users = {test["test"] for test in flow["tests"] if peers & set(test["reads"])}
        self.assertLessEqual({VICTIM, POLLUTER, CLEANER}, users)
        self.assertTrue(any(peers & set(d["states"]) for d in flow["dependences"]))

    def test_a_search_blames_nobody_else(self):
        """Found or not: only this test depends on anything, and only it wavers."""
        found = self.ask("detect", BINARY, "-j1")
        self.assertLessEqual({d["test"] for d in found["dependences"]}, {VICTIM})
        self.assertLessEqual({n["test"] for n in found["nondeterministic"]}, {VICTIM})


if __name__ == "__main__":
    gordian.main()
