// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/snapshot/checkpoint.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "target/agent/agent.h"
#include "target/agent/snapshot/address_space.h"
#include "target/agent/snapshot/dirty_pages.h"
#include "target/agent/snapshot/kernel_state.h"
#include "target/agent/snapshot/memory_rollback.h"
#include "target/agent/snapshot/proc_files.h"
#include "target/agent/snapshot/raw_syscall.h"
#include "target/agent/snapshot/syscall_gate.h"

namespace gordian_agent {
namespace {

namespace wire = gordian_wire;

const size_t kStackSize = 256 * 1024;

/// Everything that a rollback must not touch.
struct Machine {
  GordianRegisters registers;
  uint64_t signal_mask;
  uint64_t tests_mask;  // as the branch left it
  Gate gate;
  KernelState kernel;
  MemoryRollback memory;
  AddressSpace space, now;
  SpaceChanges changes;
  CheckpointCosts costs;
  volatile uint32_t* keeper_pid;
  int32_t branch;
  bool active, forked;
  char* stack;
};
Machine* machine;

bool make_machine() {
  if (machine) return true;
  Machine* made = (Machine*)lasting_memory(sizeof(Machine));
  char* stack = (char*)lasting_memory(kStackSize);
  if (!made || !stack) return false;
  made->stack = stack;
  machine = made;
  return true;
}

void on_own_stack(void (*function)()) {
  gordian_call_on(machine->stack + kStackSize, function);
}

uint64_t block_signals() {
  uint64_t all = ~0ull, before = 0;
  raw(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, 8);
  return before;
}

void set_signal_mask(uint64_t mask) {
  raw(SYS_rt_sigprocmask, SIG_SETMASK, &mask, 0, 8);
}

/// Tests of ours leave a part out to see that it is missed.
bool left_out(uint32_t part) {
  return (header->without & part) != 0;
}

/// Starts over. Without the gate nothing is ever noticed.
void forget_effects() {
  reset_gate(&machine->gate);
  machine->gate.given_up = left_out(wire::kGate);
}

bool try_to_take() {
  Machine& m = *machine;
  m.costs = CheckpointCosts();
  forget_effects();
  m.forked = false;
  m.gate.fault_fd = -1;
  if (m.signal_mask & kSigsysBit) return false;
  if (live_threads() != 1 || !install_gate(&m.gate)) return false;
  if (!m.memory.tracking().open(snapshot_backend())) return false;
  m.gate.fault_fd = m.memory.tracking().fault_fd();
  m.memory.tracking().each_descriptor([&m](int fd) { m.kernel.keep(fd); });
  if (!m.kernel.record()) return false;
  m.gate.heap_end = m.kernel.heap_end();
  m.gate.space = &m.space;
  if (!read_address_space(&m.space)) return false;
  if (!m.memory.begin(m.space, m.keeper_pid)) return false;
  if (left_out(wire::kMemory)) m.memory.leave_out_program(m.space);
  return true;
}

void take() {
  machine->signal_mask = block_signals();
  machine->active = try_to_take();
  if (!machine->active) {
    remove_gate(&machine->gate);
    machine->memory.tracking().close();
  }
  set_signal_mask(machine->signal_mask);
}

/// Mappings that the test added; unmapped last, because libc points there until memory is back.
bool changed_mappings(uint32_t effects) {
  Machine& m = *machine;
  m.changes.count = 0;
  if (!(effects & kMappings)) return true;
  if (!read_address_space(&m.now)) return false;
  compare_spaces(m.space, m.now, &m.changes);
  return !m.changes.lost;
}

void note_difference(uint64_t address, uint32_t bytes) {
  uint32_t at = __atomic_fetch_add(&report->differences, 1, __ATOMIC_RELAXED);
  if (at >= wire::kMostDifferences) return;
  wire::Difference difference = {address, (uint32_t)machine->branch, bytes};
  report->difference[at] = difference;
}

/// Without its keeper (a test killed it, or our parent, and it with it) a process cannot be
/// verified.
void verify() {
  if (!machine->memory.each_difference(note_difference)) raw(SYS_exit_group, 0);
  __atomic_fetch_add(&report->verified, 1, __ATOMIC_RELAXED);
}

void go_back() {
  Machine& m = *machine;
  m.memory.tracking().suspect_emptied((m.gate.effects & kEmptied) && !left_out(kEmptied));
  if (!m.memory.restore(&m.costs)) raw(SYS_exit_group, 0);  // the parent takes over
  if (header->flags & wire::kVerify) verify();
  for (int i = 0; i < m.changes.count; ++i) {
    Range range = m.changes.added[i];
    raw(SYS_munmap, range.begin, range.end - range.begin);
  }
  if (!left_out(kHeapEnd)) m.kernel.put_heap_end_back();
  forget_effects();
  ++m.costs.rollbacks;
  set_signal_mask(left_out(kSignals) ? m.tests_mask : m.signal_mask);
  gordian_resume(&m.registers);
}

}  // namespace

Checkpoint take_checkpoint(volatile uint32_t* keeper_pid) {
  if (!make_machine() || machine->active) return kRefused;
  machine->keeper_pid = keeper_pid;
  if (gordian_save(&machine->registers)) return kRolledBack;
  on_own_stack(take);
  return machine->active ? kTaken : kRefused;
}

bool has_checkpoint() {
  return machine && machine->active;
}

void note_fork() {
  if (has_checkpoint()) machine->forked = true;
}

void forget_checkpoint() {
  if (!has_checkpoint()) return;
  remove_gate(&machine->gate);  // tests look at what SIGSYS does, too
  machine->active = false;
  machine->memory.tracking().close();
  memset(&machine->kernel, 0, sizeof machine->kernel);
}

Obstacle obstacle_to_rollback() {
  Machine& m = *machine;
  m.tests_mask = block_signals();
  uint32_t effects = m.gate.effects & ~header->without;
  if (m.gate.obstacle != wire::kNoObstacle) return m.gate.obstacle;
  // Pages that we share with a fork of ours look as if we shared them with the keeper.
  if (m.forked && m.memory.tracking().way().by_sharing) return wire::kNotTaken;
  if ((effects & kFiles) && file_system_touched()) return wire::kWroteFiles;
  if ((effects & kThreads) && has_relatives(m.memory.keeper())) return wire::kStartedProcess;
  Obstacle obstacle = m.kernel.obstacle(effects);
  if (obstacle != wire::kNoObstacle) return obstacle;
  if (!changed_mappings(effects)) return wire::kOldMapping;
  obstacle = m.kernel.put_back(effects);
  if (obstacle != wire::kNoObstacle) return obstacle;
  bool unseen = (effects & kThreads) && m.memory.changed_unseen(m.space);
  return unseen ? wire::kOldMapping : wire::kNoObstacle;
}

void roll_back(int32_t branch) {
  machine->branch = branch;
  block_signals();
  on_own_stack(go_back);
  __builtin_unreachable();
}

const CheckpointCosts& checkpoint_costs() {
  return machine->costs;
}

}  // namespace gordian_agent
