// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Gathers what `gordian export` writes: known dependences as rules for another runner.
//
// For ctest each test is a process. Of a build directory that is what a search with --level process
// has seen, so the rules are made from it, and from the files that tests share. Of a test binary
// only those dependences matter that memory does not carry: one whose proved carrier lies in memory
// vanishes in processes of their own, or cannot be helped there (a brittle test).
#pragma once

#include <string>

#include "app/front_end.h"
#include "base/result.h"
#include "batch/cmake_script.h"
#include "detect/detect.h"
#include "model/export_facts.h"

namespace gordian {

struct ExportOptions {
  std::string db;
  bool locks = true;         ///< look which files tests of a build share, if nobody has yet
  batch::NamingStyle style;  ///< of the tests of a binary, as gtest_discover_tests was told
  DetectRequest watch;       ///< how to look
};

/// What is watched of a build is kept in the database.
Result<CtestExport> ctest_export(const Target& target, const ExportOptions& options,
                                 FrontEnd& front_end);
Result<BazelTarget> bazel_export(const Target& target, const ExportOptions& options);

}  // namespace gordian
