// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A process that can be put back to an earlier moment of its own: memory, stack, registers and what
// the kernel holds for it. Used like fork(), with time in place of processes:
//
//   switch (take_checkpoint(&pid)) {
//     case kTaken:      ... run tests ...; roll_back();   // does not return here, but ...
//     case kRolledBack: ... here, with all memory as it was when it was taken
//     case kRefused:    ...
//   }
//
// At most one per process; a forked child starts without. When something cannot be undone,
// obstacle_to_rollback() names it and the process is of no further use: the caller ends it, and its
// parent, which never ran a test, forks another.
#pragma once

#include <stdint.h>

#include "target/agent/snapshot/effects.h"

extern "C" {
struct GordianRegisters {
  uint64_t kept[8];
  uint32_t mxcsr;
  uint16_t x87, unused;
};
/// 0 when it saves, 1 when gordian_resume() comes back to it.
__attribute__((returns_twice)) int gordian_save(GordianRegisters* to);
[[noreturn]] void gordian_resume(const GordianRegisters* from);
void gordian_call_on(void* stack_top, void (*function)());
}

namespace gordian_agent {

enum Checkpoint { kRefused, kTaken, kRolledBack };

/// REQUIRES: probe_snapshots() found a way, which is snapshot_backend().
/// `keeper_pid` (shared memory) receives the process that keeps the snapshot's memory; the caller's
/// parent must end it.
Checkpoint take_checkpoint(volatile uint32_t* keeper_pid);

/// What the process did since that cannot be undone. Looks, and puts back what the kernel may
/// refuse; call once, right before roll_back().
Obstacle obstacle_to_rollback();
/// `branch` names what is undone, for the list of differences.
[[noreturn]] void roll_back(int32_t branch);

/// True between take_checkpoint() and the end of this process: it, not a child of it, can go back.
bool has_checkpoint();
/// This process has forked in the middle of a branch, with pages written that the fork shared.
void note_fork();
/// In a forked child: it inherits the variables, not the kernel's side.
void forget_checkpoint();

/// Counts since the checkpoint, for the engine's statistics.
struct CheckpointCosts {
  uint32_t rollbacks, pages_written, pages_changed;
};
const CheckpointCosts& checkpoint_costs();

}  // namespace gordian_agent
