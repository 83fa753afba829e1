// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A suite with one planted dependence and one test that writes over all memory which its process
// shares with others: ours. Harmless unless OVERWRITE names a pattern:
//   ff, zero, wild:SEED    all of it, by accident
//   on:SEED                likewise, for ever
//   others                 the results of others, and nothing else
//   refuse                 forges a word of the agent: this branch was not run
//   reached                likewise: its process is at a branch of somebody else
//   kill, kill-on          kills every process that it can see, once or for ever
//   stop-parent, stop-all  stops its parent, or every process that it can see
// OVERWRITE_BY says who does the first ones: "test" (while it runs), "thread" or "child" (left
// behind, again and again). To be run in a PID namespace of its own only.
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

#include "wire/check.h"

namespace {

namespace wire = gordian_wire;

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

/// What the agent knows, by the names of its files; nullptr without an agent.
char* agents_memory(const char* name) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0;
    if (line.find(name) == std::string::npos) continue;
    if (std::sscanf(line.c_str(), "%lx", &begin) == 1) return reinterpret_cast<char*>(begin);
  }
  return nullptr;
}

template <class Fn>
void each_slot(Fn fn) {
  const auto* header = reinterpret_cast<const wire::Header*>(agents_memory("memfd:gordian-orders"));
  char* report = agents_memory("memfd:gordian-wire");
  if (header == nullptr || report == nullptr) return;
  auto* slots = reinterpret_cast<wire::Slot*>(report + header->slots_offset);
  for (std::uint32_t i = 0; i < header->tokens; ++i) fn(slots[i], i, header->nonce);
}

void overwrite_others() {
  each_slot([](wire::Slot& slot, std::uint32_t, std::uint32_t) {
    const bool own = slot.pid == static_cast<std::uint32_t>(getpid());
    const bool is_result = slot.status >= wire::kPass && slot.status <= wire::kSkip;
    if (is_result || (!own && slot.status == wire::kNotRun)) slot.duration_ns ^= 0x5a5a5a;
  });
}

void refuse() {
  each_slot([](wire::Slot& slot, std::uint32_t token, std::uint32_t nonce) {
    if (slot.status != wire::kBranchOpen || slot.pid != static_cast<std::uint32_t>(getpid()))
      return;
    slot.status = wire::kBranchUnsafe;
    slot.check = check_of(slot, token, nonce);
  });
}

void claim_to_be_elsewhere() {
  const char* orders = agents_memory("memfd:gordian-orders");
  const auto* header = reinterpret_cast<const wire::Header*>(orders);
  if (header == nullptr) return;
  const auto* plan = reinterpret_cast<const std::int32_t*>(orders + header->plan_offset);
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < header->tokens; ++i) last = plan[i] == wire::kOpen ? i : last;
  each_slot([last](wire::Slot& slot, std::uint32_t, std::uint32_t) {
    const bool own = slot.pid == static_cast<std::uint32_t>(getpid());
    if (own && slot.status == wire::kBranchOpen) slot.text = last + 1;
  });
}

/// True if that was all.
bool acted(const std::string& pattern) {
  if (pattern == "kill") kill(-1, SIGKILL);
  while (pattern == "kill-on") kill(-1, SIGKILL);
  if (pattern == "stop-parent") kill(getppid(), SIGSTOP);
  if (pattern == "stop-all") kill(-1, SIGSTOP);
  if (pattern == "others") overwrite_others();
  if (pattern == "refuse") refuse();
  if (pattern == "reached") claim_to_be_elsewhere();
  return pattern.rfind("kill", 0) == 0 || pattern.rfind("stop", 0) == 0 || pattern == "others" ||
         pattern == "refuse" || pattern == "reached";
}

void overwrite(const std::string& pattern) {
  const std::size_t colon = pattern.find(':');
  static std::mt19937 random(colon == std::string::npos
                                 ? 0u
                                 : static_cast<unsigned>(std::stoul(pattern.substr(colon + 1))));
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
  if (acted(pattern)) return;
  while (std::string(pattern).rfind("on:", 0) == 0) overwrite(pattern);
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
