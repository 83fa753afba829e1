// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/snapshot/syscall_gate.h"

#include <linux/audit.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include "target/agent/snapshot/raw_syscall.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

namespace gordian_agent {
namespace {

enum : uint8_t { kAllow = 0, kBlock = 1 };
const int kFromGate = 2;  // si_code of what the gate sends: SYS_USER_DISPATCH
Gate* the_gate;           // lasting memory; set before the snapshot

/// Memory that is registered with our userfaultfd cannot be with the test's. We are not going back
/// after such a call anyway.
void give_way() {
  if (the_gate->fault_fd >= 0) raw(SYS_close, the_gate->fault_fd);
  the_gate->fault_fd = -1;
}

/// Returning from a handler sets mask and alternate stack: to what the call has made of them.
long execute(long number, const long* a, ucontext_t* context) {
  long result = raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (number == SYS_rt_sigprocmask) {
    raw(SYS_rt_sigprocmask, SIG_SETMASK, 0, &context->uc_sigmask, 8);
  } else if (number == SYS_sigaltstack) {
    raw(SYS_sigaltstack, 0, &context->uc_stack);
  }
  return result;
}

bool set_action(uint64_t handler) {
  KernelSigaction action;
  memset(&action, 0, sizeof action);
  action.handler = handler;
  action.flags = SA_SIGINFO | SA_NODEFER | kSaRestorer;
  action.restorer = (uint64_t)(uintptr_t)gordian_raw_sigreturn;
  return raw(SYS_rt_sigaction, SIGSYS, &action, 0, 8) == 0;
}

/// From here on the program finds SIGSYS as if there were no gate.
void step_aside() {
  KernelSigaction plain;
  memset(&plain, 0, sizeof plain);
  raw(SYS_rt_sigaction, SIGSYS, &plain, 0, 8);
  the_gate->given_up = true;
  the_gate->effects = kEverything;
  the_gate->selector = kAllow;
}

void note(const Judgement& judgement) {
  the_gate->effects |= judgement.effects;
  if (the_gate->obstacle == gordian_wire::kNoObstacle) the_gate->obstacle = judgement.obstacle;
  if (++the_gate->traps >= kMostTraps || judgement.open_first) step_aside();
}

void on_syscall(int, siginfo_t* info, void* opaque) {
  if (info->si_code != kFromGate) {  // somebody sent it: what would have happened without us
    step_aside();
    raw(SYS_tgkill, raw(SYS_getpid), raw(SYS_gettid), SIGSYS);
    return;
  }
  ucontext_t* context = (ucontext_t*)opaque;
  greg_t* regs = context->uc_mcontext.gregs;
  long number = regs[REG_RAX];
  const long a[6] = {regs[REG_RDI], regs[REG_RSI], regs[REG_RDX],
                     regs[REG_R10], regs[REG_R8],  regs[REG_R9]};
  // A call of another kind (int $0x80) has other numbers.
  const bool native = info->si_arch == AUDIT_ARCH_X86_64;
  const Judgement foreign = {kEverything, gordian_wire::kUnknownCall, true};
  note(native ? judge_syscall(*the_gate, number, a) : foreign);
  if (native && number == SYS_userfaultfd) give_way();
  if (the_gate->given_up) {
    regs[REG_RIP] -= 2;  // the instruction runs again
    return;
  }
  regs[REG_RAX] = execute(number, a, context);
}

}  // namespace

bool install_gate(Gate* gate) {
  the_gate = gate;
  gate->selector = kAllow;
  const uint64_t ours = (uint64_t)(uintptr_t)on_syscall;
  KernelSigaction before;
  if (raw(SYS_rt_sigaction, SIGSYS, 0, &before, 8) != 0) return false;
  if (before.handler != 0 && before.handler != ours) return false;  // the program's own
  if (!set_action(ours)) return false;
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
  if (gate->installed && gate->given_up) set_action((uint64_t)(uintptr_t)on_syscall);
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
