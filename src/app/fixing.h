// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Repairing explained dependences of one binary: the copy of its project is opened,
// patches are made, built and run in it, and what came of it is returned as plain facts.
#pragma once

#include <chrono>
#include <filesystem>
#include <vector>

#include "app/front_end.h"
#include "base/result.h"
#include "model/dependence.h"
#include "model/repair.h"
#include "repair/project.h"
#include "repair/repair.h"
#include "runtime/engine_options.h"
#include "store/dependence_store.h"

namespace gordian {

/// Whether the patched program is searched for more, and those repaired too.
struct FixRepeat {
  bool on = false;
  std::chrono::milliseconds budget{60'000};  ///< of one search
  std::filesystem::path db;                  ///< whose numbers go on
};

struct FixOptions {
  RepairOptions repair;
  ProjectOptions project;
  EngineOptions engine;
  std::chrono::seconds build_limit{0};  ///< of one build; 0: none
  bool without_compiler = false;        ///< facts from debug information alone
  std::filesystem::path facts_cache;    ///< empty: none
  FixRepeat repeat;
};

struct FixOutcome {
  FixFacts facts;
  std::vector<NamedDependence> found;  ///< in the patched program: what the last repairs are of
  std::vector<Notice> notices;
  bool interrupted = false;
};

/// `suite`: that of the dependences.
Result<FixOutcome> fix_explained(const Project& project, const Suite& suite,
                                 const std::vector<KnownDependence>& dependences,
                                 const FixOptions& options, FrontEnd& front_end);

ChangedFiles changed_files(const std::vector<RepairedFile>& files);

}  // namespace gordian
