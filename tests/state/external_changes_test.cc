// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/syscall.h>

#include "state/external/external_kinds.h"
#include "state/external/external_state.h"
#include "tests/state/fake_image.h"

namespace gordian {
namespace {

std::string handler_name(std::uint64_t) {
  return "on_signal()";
}

/// "kind name old -> new", one for each change; "-" for none.
std::vector<std::string> changes(const ExternalState& before, const ExternalState& after) {
  std::vector<std::string> words;
  for (const ExternalChange& change : external_changes(before, after, handler_name)) {
    const Carrier& c = change.carrier;
    words.push_back(std::string(to_string(c.key.kind())) + " " + c.key.text() + " " +
                    c.old_value.value_or("-") + " -> " + c.new_value.value_or("-"));
  }
  return words;
}

std::pair<const StateKey, StatePiece> variable(const char* name, const char* value) {
  return {{CarrierKind::environment, NameKey{name}}, {value, {}}};
}

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ExternalChanges, NoneBetweenEqualStates) {
  ExternalState state;
  state.pieces = {variable("A", "1")};
  state.descriptors[3] = {"/dev/null", 0, 0};
  EXPECT_THAT(changes(state, state), IsEmpty());
}

TEST(ExternalChanges, Environment) {
  ExternalState before, after;
  before.pieces = {variable("GONE", "1"), variable("KEPT", "x"), variable("OTHER", "a")};
  after.pieces = {variable("KEPT", "x"), variable("NEW", ""), variable("OTHER", "b")};
  EXPECT_THAT(changes(before, after),
              ElementsAre("env GONE 1 -> -", "env NEW - -> ", "env OTHER a -> b"));
}

TEST(ExternalChanges, DirectoryAndMask) {
  ExternalState before, after;
  before.cwd = "/home", after.cwd = "/";
  const StateKey umask(CarrierKind::umask, SoleKey{});
  before.pieces = {{umask, {"0022", {}}}}, after.pieces = {{umask, {"0100", {}}}};
  EXPECT_THAT(changes(before, after),
              ElementsAre("cwd cwd /home -> /", "umask umask 0022 -> 0100"));
}

TEST(ExternalChanges, ALocaleForAllCategoriesIsOneChange) {
  ExternalState before, after;
  for (int category = 0; category < 6; ++category) {
    before.locale[category] = "C";
    after.locale[category] = "C.UTF-8";
  }
  EXPECT_THAT(changes(before, after), ElementsAre("locale LC_ALL C -> C.UTF-8"));
  after.locale[0] = "C";  // LC_CTYPE
  EXPECT_EQ(changes(before, after).size(), 5u);
}

TEST(ExternalChanges, Signals) {
  ExternalState before, after;
  before.signals[SIGUSR1] = {0, 0, std::string(32, '\0')};
  after.signals[SIGUSR1] = {0x1234, 0, std::string(32, '\1')};
  after.blocked = 1u << (SIGURG - 1);
  EXPECT_THAT(changes(before, after), ElementsAre("signal SIGUSR1 SIG_DFL -> on_signal",
                                                  "signal_mask SIGURG unblocked -> blocked"));
}

TEST(ExternalChanges, Descriptors) {
  ExternalState before, after;
  before.descriptors = {
      {1, {"/out", 10, 0}}, {3, {"/a", 0, 0}}, {4, {"/b", 0, 0}}, {5, {"/c", 0, 0}}};
  after.descriptors = {
      {1, {"/out", 99, 0}}, {4, {"/b", 7, 0}}, {5, {"/c", 0, O_NONBLOCK}}, {6, {"/d", 0, 0}}};
  EXPECT_THAT(changes(before, after),
              ElementsAre("fd descriptor 3 /a -> -", "fd offset of descriptor 4 0 -> 7",
                          "fd flags of descriptor 5 0 -> O_NONBLOCK", "fd descriptor 6 - -> /d"));
}

TEST(ExternalChanges, ExceptionsThatHappenedAreNoMode) {
  ExternalState before, after;
  before.float_control = 0x1f80;
  after.float_control = 0x1fa0;
  EXPECT_THAT(changes(before, after), IsEmpty());
  after.float_control = 0x5f80;
  EXPECT_THAT(changes(before, after), ElementsAre("fpmode rounding FE_TONEAREST -> FE_UPWARD"));
}

TEST(ExternalChanges, PiecesByTheirValues) {
  const auto key = [](std::uint32_t number) {
    return StateKey(CarrierKind::sysv, SegmentKey{number});
  };
  const StatePiece ready{"8 bytes: ready", std::string(32, 'r')};
  const StatePiece busy{"8 bytes: busy", std::string(32, 'b')};
  ExternalState before, after;
  before.pieces = {{key(1), ready}, {key(2), ready}, {key(3), ready}};
  after.pieces = {{key(1), ready}, {key(2), busy}, {key(4), busy}};
  EXPECT_THAT(changes(before, after),
              ElementsAre("sysv System V segment 0x2 8 bytes: ready -> 8 bytes: busy",
                          "sysv System V segment 0x3 8 bytes: ready -> -",
                          "sysv System V segment 0x4 - -> 8 bytes: busy"));
}

// --- which calls count as writes and reads -----------------------------------------------------

constexpr std::uint64_t kBase = 0x1000;

class Calls : public testing::Test {
 protected:
  std::uint64_t text(const char* words) {
    std::memcpy(&memory_.bytes()[used_], words, std::strlen(words) + 1);
    used_ += 256;
    return kBase + used_ - 256;
  }
  bool counts(CarrierKind kind, bool writing, long number, std::array<std::uint64_t, 6> arguments) {
    TraceEvent event;
    event.kind = number < 0 ? TraceKind::function : TraceKind::syscall;
    event.syscall = number;
    event.arguments = arguments;
    return concerns(event, kind, writing, events_, memory_);
  }
  StateEvents events_;
  explain_test::FakeImage memory_{kBase, 8192};
  std::size_t used_ = 0;
};

TEST_F(Calls, SegmentsByKeyAndByNumber) {
  events_.number = 0x60d1a;
  events_.handle = 32769;
  EXPECT_TRUE(counts(CarrierKind::sysv, true, SYS_shmget, {0x60d1a, 64, IPC_CREAT | 0600}));
  EXPECT_FALSE(counts(CarrierKind::sysv, true, SYS_shmget, {0x60d1a, 0, 0}));
  EXPECT_TRUE(counts(CarrierKind::sysv, false, SYS_shmget, {0x60d1a, 0, 0}));
  EXPECT_FALSE(counts(CarrierKind::sysv, false, SYS_shmget, {0x60d1b, 0, 0}));
  EXPECT_TRUE(counts(CarrierKind::sysv, true, SYS_shmat, {32769, 0, 0}));
  EXPECT_FALSE(counts(CarrierKind::sysv, true, SYS_shmat, {1, 0, 0}));
}

TEST_F(Calls, EnvironmentByName) {
  events_.argument = "MODE";
  EXPECT_TRUE(counts(CarrierKind::environment, true, -1, {text("MODE")}));
  EXPECT_TRUE(counts(CarrierKind::environment, true, -1, {text("MODE=fast")}));
  EXPECT_FALSE(counts(CarrierKind::environment, true, -1, {text("MODES")}));
}

TEST_F(Calls, FilesByTheirLastName) {
  events_.argument = "/tmp/x/results.txt";
  EXPECT_TRUE(counts(CarrierKind::file, false, SYS_open, {text("results.txt")}));
  EXPECT_TRUE(counts(CarrierKind::file, false, SYS_openat, {~0u, text("../x/results.txt")}));
  EXPECT_TRUE(counts(CarrierKind::file, true, SYS_rename, {text("a"), text("results.txt")}));
  EXPECT_FALSE(counts(CarrierKind::file, false, SYS_open, {text("other.txt")}));
}

TEST_F(Calls, ACallThatOnlyAsksIsNoWrite) {
  EXPECT_FALSE(counts(CarrierKind::signal_mask, true, SYS_rt_sigprocmask, {0, 0}));
  EXPECT_TRUE(counts(CarrierKind::signal_mask, true, SYS_rt_sigprocmask, {0, 1}));
  EXPECT_TRUE(counts(CarrierKind::signal_mask, false, SYS_rt_sigprocmask, {0, 0}));
}

TEST_F(Calls, DescriptorsByNumber) {
  events_.number = 7;
  EXPECT_TRUE(counts(CarrierKind::descriptor, true, SYS_close, {7}));
  EXPECT_TRUE(counts(CarrierKind::descriptor, true, SYS_dup2, {3, 7}));
  EXPECT_FALSE(counts(CarrierKind::descriptor, true, SYS_close, {8}));
}

TEST_F(Calls, RelativePathsReadTheDirectory) {
  EXPECT_TRUE(counts(CarrierKind::cwd, false, SYS_open, {text("here")}));
  EXPECT_FALSE(counts(CarrierKind::cwd, false, SYS_open, {text("/there")}));
}

}  // namespace
}  // namespace gordian
