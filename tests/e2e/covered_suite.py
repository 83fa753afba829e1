# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Gordian authors
"""A small suite that counts what its tests cover, for the tests of everything that ranks them."""
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

IN_ORDER = ("--cover", "in-order")  # a brittle test covers nothing alone

# In the default order two of the six tests cover everything: Pushes, which needs Opens to have run
# before it, and Shallow.
QUEUE = """
#include <cstdlib>
#include <vector>
std::vector<int> g_queue;
int weigh(int a) {
  if (std::getenv("FAULT_WEIGHT")) a += 1;
  if (std::getenv("FAULT_ONE") && a == 1) a = 5;
  int sum = 0;
  for (int i = 0; i < a; ++i) {
    if (i % 2 == 0) {
      sum += i;
    } else {
      sum -= 1;
    }
  }
  return sum;
}
int deep(int a) {
  if (a > 2) {
    return weigh(a) + 1;
  }
  return a - (std::getenv("FAULT_DEEP") ? 1 : 0);
}
int push(int a) {
  g_queue.push_back(a);
  return g_queue.front();
}
"""
QUEUE_TEST = """
#include <gtest/gtest.h>
int weigh(int a), deep(int a), push(int a);
bool g_open = false;
TEST(Queue, Opens) { g_open = true; }
TEST(Queue, Pushes) {
  ASSERT_TRUE(g_open);
  EXPECT_EQ(push(weigh(3)), 1);
  EXPECT_EQ(deep(5), 5);
}
TEST(Weigh, Small) { EXPECT_EQ(weigh(1), 0); }
TEST(Weigh, Odd) { EXPECT_EQ(weigh(3), 1); }
TEST(Deep, Shallow) { EXPECT_EQ(deep(1), 1); }
TEST(Deep, Deep) { EXPECT_EQ(deep(5), 5); }
"""


class Room:
    """A directory with the suite, and with others that are compiled the same way."""

    def __init__(self):
        if not shutil.which("g++"):
            raise unittest.SkipTest("no g++")
        self.path = Path(tempfile.mkdtemp(prefix="gordian_covered_")).resolve()
        (self.path / "queue.cc").write_text(QUEUE)
        (self.path / "queue_test.cc").write_text(QUEUE_TEST)
        self.queue = self.compiled("queue", self.path / "queue.cc", self.path / "queue_test.cc")

    def compiled(self, name, *sources):
        binary = self.path / name
        done = subprocess.run(["g++", "-std=c++17", "-g", "-w", "--coverage", *map(str, sources),
                               "-lgtest", "-lgtest_main", "-lpthread", "-o", str(binary)],
                              cwd=self.path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return binary

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)
