// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/formats/sarif_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "model/repair.h"
#include "report/detect_report.h"
#include "report/text.h"

namespace gordian::sarif {
namespace {

using nlohmann::json;

constexpr std::string_view kRootId = "%SRCROOT%";

struct RuleText {
  std::string_view id, name, brief, full, help;
};

/// In the order of roles; the rule of tests that have none comes last.
constexpr RuleText kRules[] = {
    {"gordian/victim", "VictimTest", "The test fails after another test that leaves state behind.",
     "A victim passes alone and has another result after its polluter, a test that changes state "
     "which both share and does not put it back. It fails as soon as tests run in another order, "
     "are filtered, sharded or run in parallel.",
     "Put the state back in the polluter when it ends (a guard object, the fixture's TearDown), or "
     "set it in the victim before it is used. `gordian fix` writes and verifies such a patch; "
     "`gordian replay` shows the failure again."},
    {"gordian/brittle", "BrittleTest", "The test passes only after another test has run.",
     "A brittle test fails alone and passes after its state-setter, a test that happens to set up "
     "what it needs. It fails as soon as it is run alone, filtered or sharded.",
     "Let the test set up itself what it needs. `gordian fix` copies what the state-setter does "
     "and "
     "verifies the patch; `gordian replay` shows the failure again."},
    {"gordian/self-dependent", "SelfDependentTest",
     "The test has another result when it is run twice.",
     "A self-dependent test leaves state behind that changes its own result when it runs again in "
     "the same process, as with --gtest_repeat.",
     "Put the state back when the test ends, or set it before it is used. `gordian fix` writes and "
     "verifies such a patch."},
    {"gordian/nondeterministic", "NondeterministicTest",
     "The test changes its result when the same order is repeated.",
     "Time, chance, threads or the machine decide on its result. It is not counted as dependent on "
     "other tests.",
     "Find out what differs from run to run: time, random numbers, threads, addresses."},
};

json rule(const RuleText& text, std::string_view level) {
  return {
      {"id", text.id},
      {"name", text.name},
      {"shortDescription", {{"text", text.brief}}},
      {"fullDescription", {{"text", text.full}}},
      {"help", {{"text", text.help}, {"markdown", fmt::format("{}\n\n{}", text.full, text.help)}}},
      {"defaultConfiguration", {{"level", level}}},
      {"properties",
       {{"tags", {"test", "reliability"}},
        {"precision", "very-high"},
        {"problem.severity", level == "note" ? "recommendation" : level}}}};
}

/// Lines up to the end of one: behind its newline, or at the end of the file.
json deleted_region(const DiffChange& change) {
  json region = {{"startLine", change.first}, {"startColumn", 1}};
  if (change.at_open_end) {
    region["endLine"] = std::max(change.first, change.first + change.removed - 1);
  } else {
    region["endLine"] = change.first + change.removed;
    region["endColumn"] = 1;
  }
  return region;
}

json replacement(const DiffChange& change, bool is_new) {
  json region = is_new ? json{{"charOffset", 0}, {"charLength", 0}} : deleted_region(change);
  json value = {{"deletedRegion", std::move(region)}};
  if (!change.inserted.empty()) value["insertedContent"] = {{"text", change.inserted}};
  return value;
}

/// What the head of a hunk says: "@@ -12,3 +14,4 @@".
struct Hunk {
  int old_first = 0, old_count = 1, new_count = 1;
};

/// Takes "12" or "12,3" off the front.
bool take_range(std::string_view& text, int& first, int& count) {
  auto number = [&text](int& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return error == std::errc();
  };
  if (!number(first)) return false;
  if (!text.starts_with(',')) return true;
  text.remove_prefix(1);
  return number(count);
}

std::optional<Hunk> read_hunk(std::string_view line) {
  Hunk hunk;
  int new_first = 0;
  if (!line.starts_with("@@ -")) return std::nullopt;
  line.remove_prefix(4);
  if (!take_range(line, hunk.old_first, hunk.old_count) || !line.starts_with(" +")) {
    return std::nullopt;
  }
  line.remove_prefix(2);
  if (!take_range(line, new_first, hunk.new_count)) return std::nullopt;
  return hunk;
}

/// Goes over the lines of one hunk.
class HunkReader {
 public:
  HunkReader(const Hunk& hunk, std::vector<DiffChange>& changes)
      : changes_(changes),
        line_(hunk.old_count == 0 ? hunk.old_first + 1 : hunk.old_first),
        old_left_(hunk.old_count),
        new_left_(hunk.new_count) {}

  bool done() const { return old_left_ <= 0 && new_left_ <= 0; }

  /// False: this is no line of a hunk.
  bool read(std::string_view line) {
    const char sign = line.empty() ? ' ' : line.front();
    if (!line.empty()) line.remove_prefix(1);
    if (sign == ' ') {
      open_ = false;
      ++line_, --old_left_, --new_left_;
    } else if (sign == '-') {
      ++change().removed;
      ++line_, --old_left_;
      removed_last_ = true;
    } else if (sign == '+') {
      change().inserted += std::string(line) + "\n";
      --new_left_;
      removed_last_ = false;
    } else if (sign == '\\') {
      no_newline();
    } else {
      return false;
    }
    return true;
  }

 private:
  /// "\ No newline at end of file" is about the line before.
  void no_newline() {
    if (!open_) return;
    DiffChange& last = changes_.back();
    if (removed_last_) {
      last.at_open_end = true;
    } else if (last.inserted.ends_with('\n')) {
      last.inserted.pop_back();
    }
  }

  DiffChange& change() {
    if (!open_) changes_.push_back({line_, 0, "", false});
    open_ = true;
    return changes_.back();
  }

  std::vector<DiffChange>& changes_;
  int line_, old_left_, new_left_;
  bool open_ = false, removed_last_ = false;
};

}  // namespace

std::string literal(std::string_view text) {
  std::string out;
  for (char c : sanitize_text(text)) {
    if (c == '[' || c == ']' || c == '\\') out += '\\';
    if (c == '{' || c == '}') out += c;
    out += c;
  }
  return out;
}

json message(std::string_view text) {
  return {{"text", literal(text)}};
}

std::string uri_path(std::string_view path) {
  std::string out;
  for (char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~+").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

json artifact(const Place& place, const ReportedSuite& suite, const SourceRoot& root) {
  if (auto path = root.relative(place.file, suite.detect.binary.path)) {
    return {{"uri", uri_path(*path)}, {"uriBaseId", kRootId}};
  }
  const std::filesystem::path file(place.file);
  if (!file.is_absolute()) return {};
  return {{"uri", "file://" + uri_path(file.lexically_normal().generic_string())}};
}

json location(const Place& place, std::string_view text, const ReportedSuite& suite,
              const SourceRoot& root) {
  json file = artifact(place, suite, root);
  if (file.is_null()) return {};
  json physical = {{"artifactLocation", std::move(file)}};
  if (place.line > 0) physical["region"] = {{"startLine", place.line}};
  return {{"physicalLocation", std::move(physical)}, {"message", message(text)}};
}

std::size_t rule_index(Role role) {
  return static_cast<std::size_t>(role);
}

std::string rule_id(Role role) {
  return std::string(kRules[rule_index(role)].id);
}

json rules() {
  json list = json::array();
  for (const RuleText& text : kRules) {
    list.push_back(rule(text, text.id == kUnsteadyRule ? "note" : "error"));
  }
  return list;
}

json fixes(const Finding& finding, const SourceRoot& root) {
  json list = json::array();
  const RepairAttempt* accepted = finding.accepted();
  if (accepted == nullptr || accepted->verdict != RepairVerdict::verified) return list;
  json changes = json::array();
  for (const FileChange& file : changes_of(accepted->patch.diff)) {
    const std::filesystem::path path =
        std::filesystem::path(finding.suite->source_root) / file.path;
    json where = artifact({path.string(), 0}, *finding.suite, root);
    json replacements = json::array();
    for (const DiffChange& change : file.changes) {
      replacements.push_back(replacement(change, file.is_new));
    }
    if (where.is_null() || replacements.empty()) return json::array();  // half a fix is none
    changes.push_back(
        {{"artifactLocation", std::move(where)}, {"replacements", std::move(replacements)}});
  }
  if (changes.empty()) return list;
  list.push_back(
      {{"description", message(accepted->patch.summary)}, {"artifactChanges", std::move(changes)}});
  return list;
}

json stack(const Site& site, std::string_view text, const ReportedSuite& suite,
           const SourceRoot& root) {
  json frames = json::array();
  for (const StackFrame& frame : site.stack) {
    json where = location({frame.file, frame.line}, "", suite, root);
    if (where.is_null()) where = json::object();
    where.erase("message");
    const std::string name = frame.function.empty() ? frame.module : frame.function;
    const json function = {{"fullyQualifiedName", name}};
    where["logicalLocations"] = json::array({function});
    frames.push_back({{"location", std::move(where)}, {"module", frame.module}});
  }
  if (frames.empty()) return {};
  return {{"message", message(text)}, {"frames", std::move(frames)}};
}

std::vector<FileChange> changes_of(std::string_view diff) {
  std::vector<FileChange> files;
  const std::vector<std::string_view> lines = split_lines(diff);
  bool is_new = false;
  for (std::size_t i = 0; i < lines.size();) {
    const std::string_view line = lines[i++];
    if (line.starts_with("--- ")) is_new = line.starts_with("--- /dev/null");
    if (line.starts_with("rename ") || line.starts_with("+++ /dev/null")) return {};
    if (line.starts_with("+++ b/")) files.push_back({std::string(line.substr(6)), is_new, {}});
    const auto hunk = read_hunk(line);
    if (!hunk) continue;
    if (files.empty()) return {};
    HunkReader reader(*hunk, files.back().changes);
    while (i < lines.size() && !reader.done()) {
      if (!reader.read(lines[i++])) return {};
    }
    // It may be said of the last line, when all have been counted.
    if (i < lines.size() && lines[i].starts_with('\\')) {
      reader.read(lines[i++]);
    }
  }
  return files;
}

}  // namespace gordian::sarif
