// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What one `gordian fix` of one binary came to: a repair for each dependence it was asked for, and
// all patches that were accepted as one. Plain values; stored and reported.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/repair.h"

namespace gordian {

/// A file that the accepted patches change or add.
struct RepairedFile {
  std::string path;                   ///< absolute
  std::optional<std::string> before;  ///< nullopt: the file is new
  std::string after;
};

struct FixFacts {
  std::string source_root;      ///< paths of the diff are below it
  std::string source_stamp;     ///< what the source was like; another one: it may be another now
  std::string build_command;    ///< by which the copy was built
  std::vector<Repair> repairs;  ///< in the order of the dependences asked for
  std::vector<RepairedFile> files;
  std::string diff, commit_message;           ///< of all accepted patches together
  int failing_before = 0, failing_after = 0;  ///< tests that some random order makes differ
  int random_orders = 0;                      ///< of which each side ran so many
  std::vector<RepairCheck> checks;            ///< of all accepted patches together
  double seconds = 0;
};

/// The attempt that stands for a dependence; nullptr: there is none.
const RepairAttempt* accepted_attempt(const Repair& repair);

/// True if this dependence is gone by a patch that passed every check: its own or another's.
bool is_repaired(const Repair& repair, const std::vector<Repair>& all);

}  // namespace gordian
