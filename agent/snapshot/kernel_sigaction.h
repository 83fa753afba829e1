// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// struct sigaction as the kernel takes it on x86-64.
#pragma once

#include <signal.h>
#include <stdint.h>

namespace gordian_agent {

struct KernelSigaction {
  uint64_t handler, flags, restorer, mask;
};
const uint64_t kSaRestorer = 0x04000000;
const uint64_t kSigsysBit = 1ull << (SIGSYS - 1);

}  // namespace gordian_agent
