// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "agent/snapshot/syscall_gate.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include "agent/snapshot/kernel_sigaction.h"
#include "agent/snapshot/raw_syscall.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

namespace gordian_agent {
namespace {

enum : uint8_t { kAllow = 0, kBlock = 1 };
const uint64_t kSigsysBit = 1ull << (SIGSYS - 1);
Gate* the_gate;  // lasting memory; set before the snapshot

/// The mask is the caller's own, not this handler's: take over what the call made of it. SIGSYS
/// must stay deliverable, or the next system call would kill the process.
void keep_mask(ucontext_t* context) {
  uint64_t mask = 0;
  raw(SYS_rt_sigprocmask, SIG_SETMASK, 0, &mask, 8);
  mask &= ~kSigsysBit;
  memcpy(&context->uc_sigmask, &mask, 8);
}

/// As the program asked, but without SIGSYS in the handler's own mask.
long set_action(const long* a) {
  if (a[0] == SIGSYS || a[1] == 0 || a[3] != 8)
    return raw(SYS_rt_sigaction, a[0], a[1], a[2], a[3]);
  KernelSigaction action;
  memcpy(&action, (const void*)a[1], sizeof action);
  action.mask &= ~kSigsysBit;
  return raw(SYS_rt_sigaction, a[0], &action, a[2], a[3]);
}

/// Memory that is registered with our userfaultfd cannot be with the test's. We are not going back
/// after such a call anyway.
void give_way() {
  if (the_gate->fault_fd >= 0) raw(SYS_close, the_gate->fault_fd);
  the_gate->fault_fd = -1;
}

long execute(long number, const long* a, ucontext_t* context) {
  if (number == SYS_rt_sigaction) return set_action(a);
  long result = raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (number == SYS_rt_sigprocmask) keep_mask(context);
  return result;
}

void note(const Judgement& judgement) {
  the_gate->effects |= judgement.effects;
  if (the_gate->obstacle == gordian_wire::kNoObstacle) the_gate->obstacle = judgement.obstacle;
  if (++the_gate->traps < kMostTraps && !judgement.open_first) return;
  the_gate->given_up = true;
  the_gate->effects = kEverything;
}

void on_syscall(int, siginfo_t*, void* opaque) {
  ucontext_t* context = (ucontext_t*)opaque;
  greg_t* regs = context->uc_mcontext.gregs;
  long number = regs[REG_RAX];
  const long a[6] = {regs[REG_RDI], regs[REG_RSI], regs[REG_RDX],
                     regs[REG_R10], regs[REG_R8],  regs[REG_R9]};
  Judgement judgement = judge_syscall(*the_gate, number, a);
  note(judgement);
  if (number == SYS_userfaultfd) give_way();
  if (the_gate->given_up) {
    the_gate->selector = kAllow;
    regs[REG_RIP] -= 2;  // the instruction runs again
    return;
  }
  regs[REG_RAX] = execute(number, a, context);
}

}  // namespace

bool install_gate(Gate* gate) {
  the_gate = gate;
  gate->selector = kAllow;
  KernelSigaction action;
  memset(&action, 0, sizeof action);
  action.handler = (uint64_t)(uintptr_t)on_syscall;
  action.flags = SA_SIGINFO | SA_NODEFER | kSaRestorer;
  action.restorer = (uint64_t)(uintptr_t)gordian_raw_sigreturn;
  KernelSigaction before;
  if (raw(SYS_rt_sigaction, SIGSYS, 0, &before, 8) != 0) return false;
  if (before.handler != 0 && before.handler != action.handler) return false;  // the program's own
  if (raw(SYS_rt_sigaction, SIGSYS, &action, 0, 8) != 0) return false;
  size_t length = (size_t)(gordian_gate_end - gordian_gate_begin);
  gate->installed = raw(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 1, gordian_gate_begin, length,
                        &gate->selector, 0) == 0;
  if (!gate->installed) raw(SYS_rt_sigaction, SIGSYS, &before, 0, 8);
  return gate->installed;
}

void remove_gate(Gate* gate) {
  if (!gate->installed) return;
  KernelSigaction plain;
  memset(&plain, 0, sizeof plain);
  raw(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 0, 0, 0, 0, 0);
  raw(SYS_rt_sigaction, SIGSYS, &plain, 0, 8);
  gate->installed = false;
}

void reset_gate(Gate* gate) {
  gate->given_up = false;
  gate->traps = gate->effects = 0;
  gate->obstacle = gordian_wire::kNoObstacle;
}

void shut_gate() {
  if (the_gate && the_gate->installed && !the_gate->given_up) the_gate->selector = kBlock;
}

void open_gate() {
  if (the_gate) the_gate->selector = kAllow;
}

}  // namespace gordian_agent
