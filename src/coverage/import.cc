// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "coverage/import.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "coverage/counted_program.h"
#include "coverage/counter_maps.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct ImportedFunction {
  std::string name;
  int line = 0;
  bool ran = false;
};

/// What is said of one source file, for one test.
struct ImportedPart {
  std::string test;                         ///< as the file names it; empty when it does not
  std::string file;                         ///< absolute
  std::vector<std::pair<int, bool>> lines;  ///< and whether they ran
  std::vector<ImportedFunction> functions;
};

struct ImportedFile {
  std::string source;  ///< "lcov", "gcov", "llvm-cov"
  std::vector<ImportedPart> parts;
};

Error strange(const fs::path& file, std::string_view why) {
  return usage_error(fmt::format("{}: {}", file.string(), why),
                     "docs/coverage.md tells what it may look like");
}

std::string absolute(const std::string& name, const fs::path& directory) {
  return (directory / name).lexically_normal();
}

/// The number at the front of `text`, and the comma behind it, if there is one.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(',')) text.remove_prefix(1);
  return value;
}

class LcovParser {
 public:
  explicit LcovParser(const fs::path& file) : file_(file) {}

  Result<ImportedFile> parse(std::string_view text) {
    int number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      ++number;
      if (!take(line)) return strange(file_, fmt::format("line {} is no line of lcov's", number));
    }
    if (open_) return strange(file_, "it is cut off: end_of_record is missing");
    return std::move(result_);
  }

 private:
  bool take(std::string_view line) {
    if (line == "end_of_record") return end_record();
    const std::size_t colon = line.find(':');
    if (line.empty() || line.starts_with('#')) return true;
    if (colon == std::string_view::npos) return false;
    const std::string_view key = line.substr(0, colon);
    std::string_view value = line.substr(colon + 1);
    if (key == "TN") test_ = value;
    if (key == "SF") {
      open_ = true;
      result_.parts.push_back({test_, absolute(std::string(value), file_.parent_path()), {}, {}});
    }
    if (key != "DA" && key != "FN" && key != "FNDA") return true;
    if (!open_) return false;
    const auto first = take_number(value);
    if (!first) return false;
    if (key == "DA") return take_line(static_cast<int>(*first), value);
    if (key == "FN") {
      std::string_view rest = value;  // newer versions have the last line too
      if (take_number(rest)) value = rest;
      functions_[std::string(value)].first = static_cast<int>(*first);
    } else {
      functions_[std::string(value)].second = *first > 0;
    }
    return true;
  }

  bool take_line(int line, std::string_view value) {
    const auto count = take_number(value);
    if (!count) return false;
    result_.parts.back().lines.emplace_back(line, *count > 0);
    return true;
  }

  bool end_record() {
    if (!open_) return false;
    for (const auto& [name, function] : functions_) {
      result_.parts.back().functions.push_back({name, function.first, function.second});
    }
    functions_.clear();
    open_ = false;
    return true;
  }

  const fs::path& file_;
  ImportedFile result_{"lcov", {}};
  std::string test_;
  bool open_ = false;
  std::map<std::string, std::pair<int, bool>> functions_;
};

/// gcov --json-format.
ImportedFile parse_gcov(const json& root, const fs::path& file) {
  ImportedFile result{"gcov", {}};
  const fs::path directory = root.value("current_working_directory", file.parent_path().string());
  for (const json& source : root.at("files")) {
    ImportedPart part{"", absolute(source.at("file"), directory), {}, {}};
    for (const json& line : source.at("lines")) {
      part.lines.emplace_back(line.at("line_number"), line.at("count").get<std::int64_t>() > 0);
    }
    for (const json& function : source.at("functions")) {
      part.functions.push_back({function.at("name"), function.at("start_line"),
                                function.at("execution_count").get<std::int64_t>() > 0});
    }
    result.parts.push_back(std::move(part));
  }
  return result;
}

/// Lines by llvm-cov's rules, from [line, column, count, has count, is region entry, is gap].
void lines_of_segments(const json& segments, ImportedPart& part) {
  std::map<int, std::vector<const json*>> by_line;
  for (const json& segment : segments) by_line[segment.at(0).get<int>()].push_back(&segment);
  const auto counted = [](const json& s) { return s.at(3).get<bool>(); };
  const auto starts = [&](const json& s) {
    return counted(s) && s.at(4).get<bool>() && !(s.size() > 5 && s.at(5).get<bool>());
  };
  const auto ran = [](const json& s) { return s.at(2).get<std::uint64_t>() > 0; };
  const json* wrapped = nullptr;
  int last = 0;
  for (const auto& [line, here] : by_line) {
    for (int between = last + 1; wrapped != nullptr && counted(*wrapped) && between < line;
         ++between) {
      part.lines.emplace_back(between, ran(*wrapped));
    }
    bool mapped = false, covered = wrapped != nullptr && counted(*wrapped) && ran(*wrapped);
    for (const json* segment : here) {
      if (!starts(*segment)) continue;
      mapped = true;
      covered |= ran(*segment);
    }
    const bool skips = !counted(*here.front()) && here.front()->at(4).get<bool>();
    mapped |= !skips && wrapped != nullptr && counted(*wrapped);
    if (mapped) part.lines.emplace_back(line, covered);
    wrapped = here.back();
    last = line;
  }
}

/// llvm-cov export.
ImportedFile parse_llvm(const json& root, const fs::path& file) {
  ImportedFile result{"llvm-cov", {}};
  const fs::path directory = file.parent_path();
  for (const json& data : root.at("data")) {
    std::map<std::string, std::size_t> parts;
    for (const json& source : data.at("files")) {
      ImportedPart part{"", absolute(source.at("filename"), directory), {}, {}};
      if (source.contains("segments")) lines_of_segments(source.at("segments"), part);
      parts[part.file] = result.parts.size();
      result.parts.push_back(std::move(part));
    }
    for (const json& function : data.value("functions", json::array())) {
      auto it = parts.find(absolute(function.at("filenames").at(0), directory));
      if (it == parts.end()) continue;
      result.parts[it->second].functions.push_back({without_file(function.at("name")),
                                                    function.at("regions").at(0).at(0),
                                                    function.at("count").get<std::uint64_t>() > 0});
    }
  }
  return result;
}

/// Files that gcov, llvm-cov and lcov write about what ran: lcov tracefiles, `gcov --json-format`,
/// `llvm-cov export`. What is none of these, or is damaged, is an Error{usage} that names the file.
/// Relative paths in it are relative to where `file` is.
Result<ImportedFile> parse_coverage_file(std::string_view bytes, const fs::path& file) {
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return strange(file, "it is empty");
  if (bytes[begin] != '{') return LcovParser(file).parse(bytes);
  try {
    const json root = json::parse(bytes);
    if (root.contains("files")) return parse_gcov(root, file);
    if (root.value("type", "") == "llvm.coverage.json.export") return parse_llvm(root, file);
  } catch (const json::exception& error) {
    return strange(file, fmt::format("it cannot be read: {}", error.what()));
  }
  return strange(file, "it is JSON of neither gcov nor llvm-cov");
}

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
