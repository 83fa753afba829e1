// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Facts of source files in the copy: from the compiler where gordian-facts and compile commands are
// there, else from debug information, with a notice that says why.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "repair/repair.h"
#include "repair/workspace.h"

namespace gordian {

struct FactsOptions {
  std::filesystem::path cache_dir;  ///< ".gordian/facts"; empty: nothing is kept
  std::filesystem::path program;    ///< gordian-facts; empty: the one beside us, if any
  bool without_compiler = false;
  std::function<void(const std::string& sentence)> tell = [](const std::string&) {};
};

/// `workspace` must live as long as what is returned.
FactsOf facts_in(Workspace& workspace, const FactsOptions& options);

}  // namespace gordian
