// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The fix of one binary with what a reader wants beside it: what the reports of `gordian fix` are
// functions of.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "model/dependence.h"
#include "model/repair.h"

namespace gordian {

struct FixReport {
  std::string binary;  ///< path
  Suite suite;
  std::vector<Dependence> dependences;  ///< one for each of fix.repairs
  FixFacts fix;
  std::string db;                           ///< where it is stored; empty: nowhere
  std::optional<std::chrono::seconds> age;  ///< shown again from the database; nullopt: made now
  bool applied = false;                     ///< the files of the source have the patch
  std::string diff_file;                    ///< the patch was written there; empty: nowhere
  std::string apply_command;                ///< what the user may type next
  std::vector<Notice> notices;
};

}  // namespace gordian
