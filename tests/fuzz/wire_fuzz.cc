// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A libFuzzer target: an agent that writes anything at any time, sealed or not, and the engine's
// side of the protocol that reads it. Whatever was written, every test of a plan that is over has a
// result, a verdict is what somebody sealed, and nobody outside of the guard's tree is signalled.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "runtime/native/children.h"
#include "runtime/native/decode.h"
#include "runtime/native/plan.h"
#include "runtime/native/watchdog.h"
#include "runtime/native/wire_memory.h"
#include "symbols/backtrace.h"
#include "wire/check.h"

namespace {

namespace wire = gordian_wire;
using namespace gordian;

constexpr pid_t kGuard = 4000, kLastDescendant = 4100;
constexpr std::uint32_t kTokens = 64, kWorkers = 3;

void require(bool holds) {
  if (!holds) std::abort();
}

/// What is left of the input, taken in pieces; zeros when it is used up.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool empty() const { return size_ == 0; }
  void take(void* to, std::size_t size) {
    std::memset(to, 0, size);
    const std::size_t have = std::min(size, size_);
    if (have > 0) std::memcpy(to, data_, have);
    data_ += have;
    size_ -= have;
  }
  template <class T>
  T take() {
    T value;
    take(&value, sizeof value);
    return value;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

Plan plan_of(std::uint8_t shape) {
  const TestId a{1}, b{2}, c{3};
  const std::vector<Order> orders = {{a, b}, {a, c}, {b}, {c, a, b}};
  if (shape % 3 == 0) return Plan::flat(orders);
  if (shape % 3 == 1) return Plan::tree(orders);
  return Plan::in_process(orders.back());
}

class Session {
 public:
  explicit Session(std::uint8_t shape) : memory_(make()), plan_(plan_of(shape)) {
    memory_.load_plan(plan_.tokens());
    decoder_.emplace(memory_, plan_);
    Limits limits;
    limits.test_timeout = std::chrono::nanoseconds(1);
    watchdog_.emplace(memory_, kGuard, plan_, *decoder_, limits);
  }

  void step(Input& input) {
    switch (input.take<std::uint8_t>() % 7) {
      case 0:
        return scribble(input);
      case 1:
        return seal_slot(input);
      case 2:
        return seal_worker(input);
      case 3:
        return decode(input.take<std::uint8_t>(), input.take<std::uint16_t>());
      case 4:
        watchdog_->check();
        watchdog_->running();
        watchdog_->stuck();
        return;
      case 5:
        memory_.keep_start();
        memory_.keep_modules();
        memory_.modules("/a");
        memory_.early_output();
        return;
      default:
        if (input.take<std::uint8_t>() == 0) (void)memory_.tests();
        return watchdog_->stop_all();
    }
  }

  void finish() {
    decode(2, 0);
    decode(2, 9);
  }

 private:
  static WireMemory make() {
    auto memory = WireMemory::create(kTokens, kWorkers);
    require(memory.ok());
    return std::move(*memory);
  }
  char* bytes() { return reinterpret_cast<char*>(&memory_.report()); }
  wire::Slot& slot(std::uint32_t token) {
    return reinterpret_cast<wire::Slot*>(bytes() + memory_.header().slots_offset)[token];
  }

  void scribble(Input& input) {
    const wire::Header& header = memory_.header();
    const std::uint64_t starts[] = {0, header.slots_offset, header.arena_offset};
    const std::uint64_t at = starts[input.take<std::uint8_t>() % 3] + input.take<std::uint16_t>();
    const std::size_t size = input.take<std::uint8_t>();
    if (at + size <= header.report_total) input.take(bytes() + at, size);
  }
  void seal_slot(Input& input) {
    const std::uint32_t token = input.take<std::uint8_t>() % kTokens;
    input.take(&slot(token), input.take<std::uint8_t>() % sizeof(wire::Slot));
    slot(token).check = check_of(slot(token), token, memory_.header().nonce);
  }
  void seal_worker(Input& input) {
    const std::uint32_t index = input.take<std::uint8_t>() % kWorkers;
    wire::WorkerState& state = memory_.report().worker[index];
    state.pid = input.take<std::uint32_t>();
    state.slot = input.take<std::uint8_t>();
    state.since_ns = input.take<std::uint32_t>();
    state.check = check_of(state, index, memory_.header().nonce);
  }
  void decode(std::uint8_t how, std::uint16_t status) {
    const ProcessState state{how % 3 != 0, how % 3 == 2, status};
    for (std::uint32_t token : plan_.tests()) {
      decoder_->refused_branch(token);
      const auto run = decoder_->result(token, state);
      require(run || !state.over);
      if (!run) continue;
      require(run->test.value() == static_cast<std::uint32_t>(plan_.tokens()[token]));
      const wire::Slot now = memory_.slot(token);
      const bool verdict = run->outcome.kind == OutcomeKind::pass;
      require(!verdict || (now.status == wire::kPass && memory_.intact(now, token)));
    }
  }

  WireMemory memory_;
  Plan plan_;
  std::optional<Decoder> decoder_;
  std::optional<Watchdog> watchdog_;
};

}  // namespace

// The kernel's part is played, too.
namespace gordian {

bool descends_from(pid_t pid, pid_t ancestor) {
  require(ancestor == kGuard);
  return pid > kGuard && pid <= kLastDescendant;
}

bool kill_descendant(pid_t pid, pid_t ancestor) {
  return descends_from(pid, ancestor);
}

bool is_alive(pid_t pid) {
  return descends_from(pid, kGuard);
}

void wake_ancestors(pid_t, pid_t ancestor) {
  require(ancestor == kGuard);
}

Result<std::vector<StackFrame>> read_stack(pid_t pid, pid_t, int, bool) {
  require(descends_from(pid, kGuard));
  return std::vector<StackFrame>{};
}

}  // namespace gordian

extern "C" int kill(pid_t, int) {
  std::abort();  // not by a number that somebody wrote
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  Session session(input.take<std::uint8_t>());
  while (!input.empty()) session.step(input);
  session.finish();
  return 0;
}
