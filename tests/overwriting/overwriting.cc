// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A suite with one planted dependence and one test that writes over all memory which its process
// shares with others: ours. Harmless unless OVERWRITE names a pattern: "ff", "zero" or "wild:SEED";
// or "kill": then it kills every process that it can see.
// OVERWRITE_BY says who does it: "test" (while it runs), "thread" or "child" (left behind, again
// and again). To be run in a PID namespace of its own only.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

int level = 1;

struct Shared {
  char* begin;
  std::size_t size;
};

/// Every mapping of a memory file that can be made writable, whatever it was.
std::vector<Shared> shared_memory() {
  std::vector<Shared> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    char rights[5] = "";
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, rights) != 3) continue;
    if (rights[3] != 's' || line.find("memfd:") == std::string::npos) continue;
    auto* memory = reinterpret_cast<char*>(begin);
    if (mprotect(memory, end - begin, PROT_READ | PROT_WRITE) != 0) continue;
    found.push_back({memory, end - begin});
  }
  return found;
}

/// Where most of what matters is: not all of an arena that nobody reads.
std::size_t reach(const Shared& memory) {
  return std::min<std::size_t>(memory.size, 1u << 20);
}

void scatter(const Shared& memory, std::mt19937& random) {
  for (int i = 0; i < 300; ++i) {
    const std::size_t room =
        i % 2 == 0 ? std::min<std::size_t>(reach(memory), 20000) : reach(memory);
    const std::size_t size = 1 + random() % 16;
    const std::size_t at = random() % (room - size);
    for (std::size_t b = 0; b < size; ++b) memory.begin[at + b] = static_cast<char>(random());
  }
}

void overwrite(const std::string& pattern) {
  static std::mt19937 random(
      pattern.rfind("wild:", 0) == 0 ? static_cast<unsigned>(std::stoul(pattern.substr(5))) : 0u);
  for (const Shared& memory : shared_memory()) {
    if (pattern == "ff") {
      std::memset(memory.begin, 0xff, reach(memory));
    } else if (pattern == "zero") {
      std::memset(memory.begin, 0, reach(memory));
    } else {
      scatter(memory, random);
    }
  }
}

void overwrite_for_a_while(const std::string& pattern) {
  for (int i = 0; i < 200; ++i) {
    overwrite(pattern);
    usleep(1000);
  }
}

TEST(Before, IsQuiet) {
  EXPECT_EQ(level, 1);
}

TEST(Before, Adds) {
  EXPECT_EQ(1 + 1, 2);
}

TEST(Before, Raises) {
  level = 3;
}

TEST(Hostile, Overwrites) {
  const char* pattern = std::getenv("OVERWRITE");
  const char* by = std::getenv("OVERWRITE_BY");
  if (!pattern) return;
  if (std::string(pattern) == "kill") {
    kill(-1, SIGKILL);
    return;
  }
  const std::string who = by ? by : "test";
  if (who == "thread") {
    std::thread(overwrite_for_a_while, std::string(pattern)).detach();
  } else if (who == "child") {
    if (fork() == 0) {
      overwrite_for_a_while(pattern);
      _exit(0);
    }
  } else {
    overwrite(pattern);
  }
}

TEST(Behind, Passes) {
  SUCCEED();
}

TEST(Behind, Fails) {
  EXPECT_EQ(2 + 2, 5) << "as it should";
}

}  // namespace
