// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the database knows of the tests of a target, as constraints for orders, schedules and
// shards: the dependences that searches of this very build have found, with every single polluter
// or state-setter and every cleaner; pairs that gave yet another result; and what the authors of
// the tests have declared.
//
// A dependence of another build says nothing sure of this one. If only another build was searched
// and something was found there, that is an error that says what to do. If this build was searched
// too, what was not found again is left out, with a notice. A binary that was never searched has
// only what is declared, with a notice.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "model/run.h"
#include "model/target.h"
#include "model/test.h"
#include "order/constraints.h"

namespace gordian {

struct KnownDependences {
  std::vector<Dependence> list;  ///< by their numbers
  ChangedPairs changed;          ///< that searches of this build have seen
  Constraints constraints;       ///< of them, and of what is declared
  bool searched = false;         ///< this very build was
  std::vector<Notice> notices;
};

/// `binary`: the build that is there now, see identity_of(). `suite`: its tests, to which
/// everything is translated; dependences on tests that it does not have (of a search with other
/// arguments) are left out, with a notice. A missing database is an empty one, and is not created.
Result<KnownDependences> known_dependences(const BinaryIdentity& binary, const Suite& suite,
                                           const std::filesystem::path& db);

}  // namespace gordian
