// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "coverage/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/files.h"
#include "coverage/cover_units.h"
#include "coverage/import_formats.h"
#include "coverage/inflate.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInfo = ".info", kJson = ".json", kPacked = ".gz";

/// What lcov makes of a name: letters, digits and underscores.
std::string lcov_name(const std::string& name) {
  std::string text = name;
  for (char& c : text) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!kept) c = '_';
  }
  return text;
}

/// Tests by the names that files can have.
class TestNames {
 public:
  explicit TestNames(const Suite& suite) {
    for (std::uint32_t i = 0; i < suite.size(); ++i) {
      const std::string name = suite.tests()[i].full_name();
      add(name, i);
      if (lcov_name(name) != name) add(lcov_name(name), i);
    }
  }
  std::optional<std::uint32_t> find(const std::string& name) const {
    auto it = tests_.find(name);
    return it == tests_.end() || it->second.size() != 1 ? std::nullopt
                                                        : std::optional(*it->second.begin());
  }

 private:
  void add(const std::string& name, std::uint32_t test) { tests_[name].insert(test); }
  std::map<std::string, std::set<std::uint32_t>> tests_;  ///< several: the name says nothing
};

class Importer {
 public:
  explicit Importer(const Suite& suite) : suite_(suite), names_(suite), rows_(suite.size()) {}

  Status take(const fs::path& from) {
    std::error_code none;
    if (!fs::is_directory(from, none)) return take_file(from, std::nullopt);
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(from, none)) entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    for (const fs::path& entry : entries) {
      if (Status taken = take_entry(entry); !taken) return taken;
    }
    return {};
  }

  Result<Coverage> finish(const fs::path& from) {
    if (given_.empty()) {
      return usage_error(
          fmt::format("{} has no coverage of any test of this program", from.string()),
          unknown_.empty()
              ? "docs/coverage.md tells what it may look like"
              : fmt::format("it names {}, which is none of its tests", *unknown_.begin()));
    }
    Coverage coverage = units_.coverage(rows_);
    coverage.source = source_;
    const std::size_t without =
        suite_.default_order().size() - std::min(suite_.default_order().size(), given_.size());
    if (without > 0) {
      coverage.notices.push_back(fmt::format("{} has nothing of {} tests", from.string(), without));
    }
    if (!unknown_.empty()) {
      coverage.notices.push_back(
          fmt::format("{} has coverage of {} names that are no tests of this "
                      "program, such as {}",
                      from.string(), unknown_.size(), *unknown_.begin()));
    }
    return coverage;
  }

 private:
  /// A file or directory that is named after a test.
  Status take_entry(const fs::path& entry) {
    std::error_code none;
    if (!fs::is_directory(entry, none)) {
      std::string name = entry.filename();
      for (std::string_view ending : {kPacked, kJson, kInfo}) {
        if (name.ends_with(ending)) name.resize(name.size() - ending.size());
      }
      return name == entry.filename() ? Status() : take_file(entry, name);
    }
    for (const auto& file : fs::recursive_directory_iterator(entry, none)) {
      if (!file.is_regular_file(none)) continue;
      if (Status taken = take_file(file.path(), entry.filename().string()); !taken) return taken;
    }
    return {};
  }

  /// `test`: whose file it is; none: the file says it itself.
  Status take_file(const fs::path& file, const std::optional<std::string>& test) {
    auto bytes = whole_file(file);
    if (!bytes) return usage_error(fmt::format("{} cannot be read", file.string()));
    if (file.extension() == kPacked) bytes = inflated(*bytes);
    if (!bytes) return usage_error(fmt::format("{} is damaged", file.string()));
    const std::string inner = file.extension() == kPacked ? file.stem().string() : file.string();
    if (test && !inner.ends_with(kInfo) && !inner.ends_with(kJson)) return {};
    auto parts = parse_coverage_file(*bytes, file);
    if (!parts) return parts.error();
    source_ = parts->source;
    for (const ImportedPart& part : parts->parts) {
      const std::string& name = test ? *test : part.test;
      const auto id = names_.find(name);
      if (!id) unknown_.insert(name.empty() ? "no test" : name);
      if (id) given_.insert(*id);
      add(part, id ? &rows_[*id] : nullptr);
    }
    return {};
  }

  /// Without a row only its units count.
  void add(const ImportedPart& part, CoverRow* row) {
    if (is_system_file(part.file)) return;
    const std::uint32_t file = units_.file(part.file);
    for (const auto& [line, ran] : part.lines) {
      const std::uint32_t unit = units_.line(file, line);
      if (ran && row != nullptr) row->lines.push_back(unit);
    }
    for (const ImportedFunction& function : part.functions) {
      const std::uint32_t unit = units_.function(file, function.line, function.name);
      if (function.ran && row != nullptr) row->functions.push_back(unit);
    }
  }

  const Suite& suite_;
  TestNames names_;
  CoverUnits units_;
  std::vector<CoverRow> rows_;
  std::set<std::uint32_t> given_;
  std::set<std::string> unknown_;
  std::string source_;
};

}  // namespace

Result<Coverage> import_coverage(const fs::path& from, const Suite& suite) {
  std::error_code none;
  if (!fs::exists(from, none)) return usage_error(fmt::format("there is no {}", from.string()));
  Importer importer(suite);
  if (Status taken = importer.take(from); !taken) return taken.error();
  return importer.finish(from);
}

}  // namespace gordian
