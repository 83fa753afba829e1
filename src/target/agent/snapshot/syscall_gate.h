// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Sees every system call of the main thread while it is shut (syscall user dispatch, Linux 5.11)
// and notes what it may leave behind. Not inherited by forks, threads and programs that a test
// starts. The first calls cost some 2 us each; after kMostTraps the gate opens and everything is
// suspected. It opens for a test that asks for a tracer or a filter: they must not meet our
// signals.
#pragma once

#include "target/agent/snapshot/address_space.h"
#include "target/agent/snapshot/effects.h"

namespace gordian_agent {

enum : uint32_t { kMostTraps = 200 };

struct Gate {
  volatile uint8_t selector;  // the kernel reads it at each system call: 0 lets pass
  bool installed, given_up;   // given up: open until the next rollback
  uint32_t traps, effects;
  Obstacle obstacle;
  uint64_t heap_end;          // at the snapshot
  const AddressSpace* space;  // likewise: what must not be unmapped or remade
  int fault_fd;               // ours; given up if the program wants to have its own
};

/// Installs the handler and the gate, open. False where the machine cannot.
bool install_gate(Gate* gate);
/// As if it had never been installed.
void remove_gate(Gate* gate);
/// Forgets what was seen.
void reset_gate(Gate* gate);
void shut_gate();
void open_gate();

/// While one lives, system calls are the agent's own business. Hooks begin with it.
struct OurTurn {
  OurTurn() { open_gate(); }
  ~OurTurn() { shut_gate(); }
};
/// Inside of OurTurn: code of the program runs in between, unless it is `harmless`.
struct TheirTurn {
  explicit TheirTurn(bool harmless = false) {
    if (!harmless) shut_gate();
  }
  ~TheirTurn() { open_gate(); }
};

/// What this system call may leave behind; an obstacle for what no one can undo.
struct Judgement {
  uint32_t effects;
  Obstacle obstacle;
  bool open_first;  // must not run inside a signal handler
};
Judgement judge_syscall(const Gate& gate, long number, const long* arguments);

}  // namespace gordian_agent
