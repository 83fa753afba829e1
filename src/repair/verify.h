// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whether a patch does what it shall and nothing else, found out by building and running it.
// Checks, in this order; the first that shows harm ends it:
//
//   checks kept     no assertion fewer, no skip or disabled test more, in the text of any file
//   build           it builds, and prints no warning that was not there before
//   tests kept      the program has the same tests, and runs the same ones by itself
//   witness         the dependent test behind those it depends on: passes
//   alone           so by itself, and the tests it depends on as before; no other test that passed
//                   by itself fails
//   other witnesses the brittle tests that passed in theirs still do
//   repaired before the tests that other patches have repaired still pass in their witnesses and
//                   alone
//   other tests     likewise behind each other test that is known to be enough
//   reversed        the test first, then those it depends on
//   default order   every test as before
//   random orders   no other test differs in more of them; the test itself in none
//
// Runs are repeated, and all have to agree. Tests that wavered before any patch do not count.
// Another test that wavers for the first time with a patch is run in the same order without it, as
// often: only if it wavers there too, the patch is not to blame.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/repair.h"
#include "repair/baseline_runs.h"
#include "repair/change.h"
#include "repair/workspace.h"

namespace gordian {

struct Verification {
  RepairVerdict verdict = RepairVerdict::rejected;
  std::vector<RepairCheck> checks;
  std::string why;    ///< not verified: one sentence
  Names still_by;     ///< partly: these still make the test differ, each alone
  Symptoms symptoms;  ///< by random orders, now
  double build_seconds = 0, check_seconds = 0;
};

struct StillShows {
  bool in_witness = false;  ///< or alone
  Names singles;            ///< tests behind which it shows, each alone

  bool any() const { return in_witness || !singles.empty(); }
};

struct CheckContext;  // patch_checks.h

class Verifier {
 public:
  using Tell = std::function<void(std::string_view what)>;

  /// `base`: in which the copy differed from the user's tree when `before` was measured.
  Verifier(Workspace& workspace, BeforePatches before, const CheckOptions& options,
           ChangedFiles base = {})
      : workspace_(workspace),
        before_(std::move(before)),
        options_(options),
        base_(std::move(base)) {}

  /// `files`: everything in which the copy shall differ from the user's tree. `reference`: what
  /// the random orders showed without this patch. `repaired`: dependences that it must not bring
  /// back. Errors: it could not be found out.
  Result<Verification> verify(const NamedDependence& dependence, const ChangedFiles& files,
                              const Symptoms& reference, const Tell& tell,
                              const std::vector<NamedDependence>& repaired = {});

  /// All patches together: every test alone, the witnesses of what they repair, default order and
  /// random orders. REQUIRES: they are built.
  Result<Verification> verify_all(const ChangedFiles& files, const Symptoms& reference,
                                  const std::vector<NamedDependence>& repaired = {});

  /// Where the dependence still shows in the program as it is built now.
  Result<StillShows> still_shows(const NamedDependence& dependence,
                                 const std::set<std::string>& changed_files);

 private:
  CheckContext context();

  Workspace& workspace_;
  BeforePatches before_;  ///< what turns out to waver later joins it
  CheckOptions options_;
  ChangedFiles base_;
};

std::set<std::string> names_of(const ChangedFiles& files);

}  // namespace gordian
