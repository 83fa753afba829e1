// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/fix_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/explain_session.h"
#include "app/fix_delivery.h"
#include "app/stored_dependences.h"
#include "base/files.h"
#include "base/sha256.h"
#include "runtime/interrupt.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

constexpr std::array kSourceEndings = {".c",     ".cc",  ".cpp", ".cxx", ".c++", ".h",   ".hh",
                                       ".hpp",   ".hxx", ".h++", ".inc", ".inl", ".ipp", ".tcc",
                                       ".tpp",   ".def", ".S",   ".s",   ".in",  ".y",   ".l",
                                       ".cmake", ".mk",  ".bzl", ".cppm"};
constexpr std::array kBuildFiles = {"CMakeLists.txt", "Makefile",    "GNUmakefile",
                                    "meson.build",    "build.ninja", "BUILD"};

bool is_source(const fs::path& path) {
  const std::string name = path.filename(), ending = path.extension();
  return std::find(kSourceEndings.begin(), kSourceEndings.end(), ending) != kSourceEndings.end() ||
         std::find(kBuildFiles.begin(), kBuildFiles.end(), name) != kBuildFiles.end();
}

bool is_left_out(const fs::path& directory, const Project& project) {
  std::error_code none;
  return directory.filename().string().starts_with(".") ||
         fs::exists(directory / "CMakeCache.txt", none) ||
         (!project.build_dir.empty() && fs::equivalent(directory, project.build_dir, none));
}

void add_sources(const fs::path& root, const Project& project, std::vector<std::string>& lines) {
  std::error_code failed;
  fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    std::error_code none;
    if (at->is_directory(none)) {
      if (is_left_out(at->path(), project)) at.disable_recursion_pending();
    } else if (is_source(at->path())) {
      lines.push_back(fmt::format("{} {} {}", at->path().string(), at->file_size(none),
                                  at->last_write_time(none).time_since_epoch().count()));
    }
  }
}

std::string digest_of(const ChangedFiles& files) {
  if (files.empty()) return "";
  Sha256 digest;
  for (const auto& [path, file] : files) digest.update(path + '\0' + file.after + '\0');
  return digest.hex_digest();
}

std::vector<std::string_view> words_of(const std::vector<Strategy>& strategies) {
  std::vector<std::string_view> words;
  for (Strategy strategy : strategies) words.push_back(to_string(strategy));
  return words;
}

Result<FixReport> report_of(const DependenceGroup& group, const std::vector<NamedDependence>& found,
                            const std::string& db) {
  FixReport report;
  report.binary = group.stored.front().target.binary.string();
  std::vector<NamedDependence> all = group.stored;
  all.insert(all.end(), found.begin(), found.end());
  report.suite = suite_of_names(all);
  report.db = db;
  for (const NamedDependence& stored : all) {
    auto dependence = numbered(stored, report.suite);
    if (!dependence) return dependence.error();
    report.dependences.push_back(std::move(*dependence));
  }
  return report;
}

/// Without those that were found in the patched program: the database does not know them.
FixFacts storable(const FixReport& report, const DependenceGroup& group) {
  FixFacts facts = report.fix;
  facts.repairs.resize(std::min(facts.repairs.size(), group.stored.size()));
  return facts;
}

}  // namespace

FixKey fix_key(const DependenceGroup& group, const FixOptions& options) {
  const RepairOptions& repair = options.repair;
  std::string text = fmt::format(
      "strategies {} product {} partly {} orders {} seed {} runs {} build {} source {} clang {} "
      "before {} all {}",
      fmt::join(words_of(repair.strategies.only), ","), repair.strategies.allow_product_code,
      repair.accept_partly, repair.random_orders, repair.seed, repair.confirmations,
      options.project.build_command, options.project.source_root.string(),
      !options.without_compiler, digest_of(repair.base), options.repeat.on);
  if (!repair.wavering.empty())
    text += fmt::format(" wavering {}", fmt::join(repair.wavering, ","));
  for (const NamedDependence& d : group.stored) {
    text += fmt::format("\n{} {}", to_string(d.id), fmt::join(d.witness, " "));
  }
  return {group.stored.front().target.binary.string(), group.binary.sha256, std::move(text)};
}

std::string source_stamp(const Project& project) {
  std::vector<std::string> lines;
  add_sources(project.source_root, project, lines);
  for (const fs::path& directory : project.source_dirs) add_sources(directory, project, lines);
  std::sort(lines.begin(), lines.end());
  Sha256 digest;
  for (const std::string& line : lines) digest.update(line + '\0');
  return digest.hex_digest();
}

Result<std::vector<DependenceGroup>> FixSession::load(const std::vector<std::string>& words) {
  auto groups = load_asked(words, db_);
  if (!groups) return groups.error();
  if (Status s = ExplanationStore::open(db_, explanations_); !s) return s.error();
  if (Status s = FixStore::open(db_, fixes_); !s) return s.error();
  if (Status s = SearchStore::open(db_, searches_); !s) return s.error();
  return groups;
}

Result<std::optional<StoredFix>> FixSession::known(const FixKey& key, const std::string& stamp) {
  if (again_ || options_.repeat.on) return std::optional<StoredFix>();
  auto stored = fixes_->load(key);
  if (!stored || !*stored) return stored;
  const FixFacts& facts = (*stored)->facts;
  if (facts.source_stamp == stamp && source_is_untouched(facts.files)) return stored;
  return std::optional<StoredFix>();
}

Result<std::vector<Dependence>> FixSession::explain(const DependenceGroup& group, Suite& suite) {
  auto job = explain_job(group, group.stored, options_.engine);
  if (!job) return job.error();
  suite = job->suite;
  return explain_what_is_new(std::move(*job), &*explanations_, front_end_);
}

Result<FixOutcome> FixSession::make(const DependenceGroup& group, const Project& project,
                                    const FixOptions& options) {
  Suite suite;
  auto explained = explain(group, suite);
  if (!explained) return explained.error();
  if (interrupted()) return Error{ErrorKind::interrupted, "interrupted", ""};
  return fix_explained(project, suite, *explained, options, front_end_);
}

Result<FixReport> FixSession::fix(DependenceGroup& group) {
  if (Status same_build = check_build(group); !same_build) return same_build.error();
  auto project = find_project(group.stored.front().target, options_.project);
  if (!project) return project.error();
  auto report = known_or_made(group, *project);
  if (report) accepted_[project->source_root] = report->fix.files;
  return report;
}

Result<FixReport> FixSession::known_or_made(const DependenceGroup& group, const Project& project) {
  FixOptions options = options_;
  options.repair.base = accepted_[project.source_root];
  auto wavering = searches_->nondeterministic(group.binary);
  if (!wavering) return wavering.error();
  options.repair.wavering = {wavering->begin(), wavering->end()};
  const FixKey key = fix_key(group, options);
  const std::string stamp = source_stamp(project);
  auto stored = known(key, stamp);
  if (!stored) return stored.error();
  if (*stored) {
    auto report = report_of(group, {}, db_);
    if (!report) return report;
    report->fix = std::move((*stored)->facts);
    report->fix.source_root = project.source_root;  // not what a database of others says it is
    report->age = (*stored)->age;
    return report;
  }
  auto made = make(group, project, options);
  if (!made) return made.error();
  auto report = report_of(group, made->found, db_);
  if (!report) return report;
  report->fix = std::move(made->facts);
  report->fix.source_stamp = stamp;
  report->notices = std::move(made->notices);
  if (made->interrupted) return report;
  Status saved = fixes_->save(key, storable(*report, group));
  if (!saved) return saved.error();
  return report;
}

}  // namespace gordian
