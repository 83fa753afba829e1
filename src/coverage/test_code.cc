// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "coverage/test_code.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gordian {
namespace {

/// Paths as compiled in may be relative to a directory that we do not know: then the end decides.
class TestFiles {
 public:
  explicit TestFiles(const Suite& suite) {
    for (const Test& test : suite.tests()) {
      if (test.file.empty()) continue;
      std::string path = std::filesystem::path(test.file).lexically_normal().string();
      while (path.starts_with("../")) path.erase(0, 3);
      files_.insert(std::move(path));
    }
  }

  bool hold(const std::string& file) {
    auto [at, is_new] = known_.try_emplace(file, false);
    if (is_new) at->second = look_up(file);
    return at->second;
  }

 private:
  bool look_up(const std::string& file) const {
    return std::any_of(files_.begin(), files_.end(), [&file](const std::string& one) {
      return file == one || (!one.starts_with('/') && file.ends_with("/" + one));
    });
  }

  std::set<std::string> files_;
  std::map<std::string, bool> known_;
};

std::vector<std::size_t> kept_units(const CoverTable& table, TestFiles& files) {
  std::vector<std::size_t> kept;
  for (std::size_t u = 0; u < table.units.size(); ++u) {
    if (!files.hold(table.units[u].file)) kept.push_back(u);
  }
  return kept;
}

CoverTable part_of(const CoverTable& table, const std::vector<std::size_t>& kept) {
  CoverTable part;
  for (std::size_t unit : kept) part.units.push_back(table.units[unit]);
  for (const CoverSet& test : table.tests) {
    CoverSet& set = part.tests.emplace_back(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (test.has(kept[i])) set.add(i);
    }
  }
  return part;
}

}  // namespace

std::size_t leave_out_test_code(Coverage& coverage, const Suite& suite) {
  TestFiles files(suite);
  const std::vector<std::size_t> lines = kept_units(coverage.statements, files);
  const std::size_t all = coverage.statements.units.size();
  if (lines.empty() || lines.size() == all) return 0;
  coverage.statements = part_of(coverage.statements, lines);
  coverage.functions = part_of(coverage.functions, kept_units(coverage.functions, files));
  return all - lines.size();
}

}  // namespace gordian
