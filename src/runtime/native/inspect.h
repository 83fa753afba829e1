// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What can be told of a target without running it, and what works on this machine and what does
// not, found out by trying, with the price of each missing thing.
#pragma once

#include <vector>

#include "base/result.h"
#include "model/order_spec.h"
#include "model/run.h"
#include "model/target.h"
#include "runtime/powers.h"
#include "symbols/elf_file.h"
#include "symbols/framework_detection.h"
#include "wire/protocol.h"

namespace gordian {

struct Inspection {
  ElfFacts elf;
  FrameworkFinding framework;
  gordian_wire::Hooks hook_offsets{};  ///< from the binary's own symbol tables
  /// Why the agent cannot be used; empty when it can.
  std::string unhookable;
};

/// The library path that the program will see: the target's own setting wins over ours.
std::string library_path(const Target& target);

/// Errors: no such file, not an executable, another architecture, no framework that we can drive.
Result<Inspection> inspect(const Target& target);

/// The same target, told to run disabled tests too where that takes an argument.
Target with_disabled(Target target, Framework framework);

/// `digest`: sha256_file() of the binary.
BinaryIdentity identify(const Target& target, const ElfFacts& facts, std::string digest);
/// Reads the whole file for its digest.
Result<BinaryIdentity> identify(const Target& target, const ElfFacts& facts);

std::vector<DoctorFinding> examine_machine();
/// Starts the binary to the state before its first test. Errors: it is none that we could run.
Result<std::vector<DoctorFinding>> examine_binary(const Target& target);

}  // namespace gordian
