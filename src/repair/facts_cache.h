// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What gordian-facts said of a translation unit, kept between runs: one file for each unit and
// command, which is good as long as every file that was read is still the same. What cannot be read
// or written is done without. Files are written beside and renamed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "repair/compile_commands.h"
#include "repair/facts_json.h"

namespace gordian {

class FactsCache {
 public:
  /// Without a directory nothing is kept. `salt` tells programs and their options apart.
  FactsCache(std::filesystem::path directory, std::string salt)
      : directory_(std::move(directory)), salt_(std::move(salt)) {}

  std::optional<UnitFacts> find(const CompileCommand& command, const ReadSource& read) const;
  /// `output` is what was printed. Units with errors are not kept: the file that is missing may
  /// come.
  void keep(const CompileCommand& command, const UnitFacts& unit, const std::string& output) const;

 private:
  std::filesystem::path place_of(const CompileCommand& command) const;

  std::filesystem::path directory_;
  std::string salt_;
};

}  // namespace gordian
