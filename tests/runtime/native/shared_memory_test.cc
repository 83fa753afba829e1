// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The engine's side of the shared memory, and of a process that is held by it.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/native/held_process.h"
#include "runtime/native/wire_memory.h"
#include "tests/runtime/native/played_agent.h"

namespace gordian {
namespace {

using namespace gordian_wire;

class SharedMemory : public PlayedAgent {
 protected:
  SharedMemory() { load(Plan::in_process({TestId{3}, TestId{7}})); }
};

TEST_F(SharedMemory, OrdersCannotBeWrittenByWhoeverMapsThemAgain) {
  void* at =
      ::mmap(nullptr, sizeof(Header), PROT_READ | PROT_WRITE, MAP_SHARED, memory_.header_fd(), 0);
  EXPECT_EQ(at, MAP_FAILED);
  const char byte = 1;
  EXPECT_LT(::pwrite(memory_.header_fd(), &byte, 1, 0), 0);
  EXPECT_NE(::ftruncate(memory_.report_fd(), 0), 0) << "that would be a SIGBUS of ours";
}

TEST_F(SharedMemory, SlotsThatNobodyWroteToAreIntact) {
  for (std::uint32_t token : plan_.tests()) {
    EXPECT_TRUE(memory_.intact(memory_.slot(token), token));
  }
}

TEST_F(SharedMemory, ZerosAreNotWhatNobodyWrote) {
  std::memset(&slot(0), 0, sizeof(Slot));
  EXPECT_FALSE(memory_.intact(memory_.slot(0), 0));
}

TEST_F(SharedMemory, TextsAreNotLongerThanTheAgentsAre) {
  const std::string longest(kLongestMessage, 'm');
  EXPECT_TRUE(memory_.failure(text("a.cc", 1, longest)));
  EXPECT_FALSE(memory_.failure(text("a.cc", 1, longest + "m")));
  EXPECT_FALSE(memory_.failure(text(std::string(kLongestFile + 1, 'f'), 1, "m")));
}

TEST_F(SharedMemory, ModulesAreThoseOfTheStart) {
  const std::string path = "/lib/a.so";
  const ModuleEntry entry{0x1000, static_cast<std::uint32_t>(path.size()), 0};
  char* at = reinterpret_cast<char*>(&memory_.report()) + memory_.header().arena_offset + 64;
  std::memcpy(at, &entry, sizeof entry);
  std::memcpy(at + sizeof entry, path.data(), path.size());
  memory_.report().modules = 1;
  memory_.report().modules_at = 64;
  memory_.keep_modules();
  std::memset(at, 0xff, 200);
  memory_.report().modules = 1000;
  const auto modules = memory_.modules("/bin/a");
  ASSERT_EQ(modules.size(), 1u);
  EXPECT_EQ(modules.front().path, path);
  EXPECT_EQ(modules.front().base, 0x1000u);
}

TEST_F(SharedMemory, WhoDoesNotAnswerIsNotAskedAgain) {
  int asked = 0;
  HeldProcess held(memory_, ::getpid(), 0, -1, [&asked] { return ++asked > 1; });
  EXPECT_EQ(held.request(kEnvironment), -ESRCH);
  EXPECT_TRUE(held.is_silent());
  const int before = asked;
  EXPECT_EQ(held.request(kEnvironment), -ESRCH);
  EXPECT_EQ(held.system_call(0, {}), -ESRCH);
  EXPECT_EQ(asked, before);
}

}  // namespace
}  // namespace gordian
