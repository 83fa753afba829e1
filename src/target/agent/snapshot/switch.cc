// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The few instructions that C++ cannot say: system calls from a known place, a save that returns
// twice, a call on another stack. x86-64 System V.
#include "target/agent/snapshot/checkpoint.h"
#include "target/agent/snapshot/raw_syscall.h"

#if !defined(__x86_64__)
#error "snapshots are written for x86-64"
#endif

asm(R"(
  .pushsection .text.gordian_gate, "ax", @progbits
  .balign 64
  .hidden gordian_gate_begin
  .globl gordian_gate_begin
gordian_gate_begin:

  .hidden gordian_raw_syscall
  .globl gordian_raw_syscall
  .type gordian_raw_syscall, @function
gordian_raw_syscall:
  endbr64
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rdx, %rsi
  movq %rcx, %rdx
  movq %r8, %r10
  movq %r9, %r8
  movq 8(%rsp), %r9
  syscall
  ret
  .size gordian_raw_syscall, .-gordian_raw_syscall

  .hidden gordian_raw_sigreturn
  .globl gordian_raw_sigreturn
  .type gordian_raw_sigreturn, @function
gordian_raw_sigreturn:
  movl $15, %eax
  syscall
  ud2  # the gate looks at the address behind the instruction
  .size gordian_raw_sigreturn, .-gordian_raw_sigreturn

  .hidden gordian_gate_end
  .globl gordian_gate_end
gordian_gate_end:
  .popsection

  .pushsection .text
  .hidden gordian_save
  .globl gordian_save
  .type gordian_save, @function
gordian_save:
  endbr64
  movq %rbx, 0(%rdi)
  movq %rbp, 8(%rdi)
  movq %r12, 16(%rdi)
  movq %r13, 24(%rdi)
  movq %r14, 32(%rdi)
  movq %r15, 40(%rdi)
  leaq 8(%rsp), %rdx
  movq %rdx, 48(%rdi)
  movq (%rsp), %rdx
  movq %rdx, 56(%rdi)
  stmxcsr 64(%rdi)
  fnstcw 68(%rdi)
  xorl %eax, %eax
  ret
  .size gordian_save, .-gordian_save

  .hidden gordian_resume
  .globl gordian_resume
  .type gordian_resume, @function
gordian_resume:
  endbr64
  movq 0(%rdi), %rbx
  movq 8(%rdi), %rbp
  movq 16(%rdi), %r12
  movq 24(%rdi), %r13
  movq 32(%rdi), %r14
  movq 40(%rdi), %r15
  movq 48(%rdi), %rsp
  fninit
  fldcw 68(%rdi)
  ldmxcsr 64(%rdi)
  cld
  movl $1, %eax
  jmp *56(%rdi)
  .size gordian_resume, .-gordian_resume

  .hidden gordian_call_on
  .globl gordian_call_on
  .type gordian_call_on, @function
gordian_call_on:
  endbr64
  pushq %rbp
  movq %rsp, %rbp
  movq %rdi, %rsp
  callq *%rsi
  movq %rbp, %rsp
  popq %rbp
  ret
  .size gordian_call_on, .-gordian_call_on
  .popsection
)");
