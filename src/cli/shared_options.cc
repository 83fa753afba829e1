// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/shared_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "report/formats/formats.h"

namespace gordian {

void add_run_options(OptionSet& set, RunOptions& o) {
  std::string each;
  for (const IsolationTraits& traits : kIsolations) {
    each += fmt::format("{}{}: {}", each.empty() ? "" : "; ", traits.word, traits.brief);
  }
  set.add_option("--isolate", o.isolate, each)->one_of(isolation_words(true))->show_default();
  set.add_option("-j,--jobs", o.jobs, "Tests at a time; 0: one per processor")
      ->between(0, 64)
      ->show_default();
  set.add_option("--repeat", o.repeat, "Run the order this often")
      ->between(1, 100000)
      ->show_default();
  set.add_option("--timeout", o.timeout, "Time limit of one test, 0 for none (500ms, 2s, 1m)")
      ->show_default();
  set.add_option("--total-timeout", o.total_timeout, "Time limit of the whole run, 0 for none")
      ->show_default();
  set.add_option("--start-timeout", o.start_timeout, "Time limit from start to the first test")
      ->show_default();
  set.add_option("--slow", o.slow, "Mark tests that take longer as SLOW, 0 for never")
      ->show_default();
  add_private_options(set, o,
                      "Copy-on-write view of the working and temporary directories for each test: "
                      "auto (where it works), on (or fail), off");
  set.add_flag(
      "--verify-isolation", o.verify,
      "After each test compare all memory with the snapshot, and every outcome with that of "
      "a fresh process; slow");
  set.add_flag("--fail-fast", o.fail_fast, "Stop at the first failure");
  set.add_flag("-v,--verbose", o.verbose, "A line for every test, and no output cut");
  set.add_flag("--no-crash-stacks", o.no_stacks, "Do not run a crashing test again for its stack");
  set.add_option("--junit", o.junit, "Write JUnit XML to this file")->value_name("FILE");
  add_json_option(set, o.json);
  set.add_flag("--no-db", o.no_db, "Do not store the run");
}

void add_targets_argument(OptionSet& set, std::vector<std::string>& targets) {
  set.add_option("target", targets,
                 "Test binaries, or CMake build directories; arguments for them follow --")
      ->required();
}

void add_filter_option(OptionSet& set, std::string& filter) {
  set.add_option("--filter", filter,
                 "Only these tests: A.*:B.?-A.Slow, as --gtest_filter; or by tags: [io]-[slow]");
}

void add_json_option(OptionSet& set, std::string& file) {
  set.add_option("--json", file, "Write JSON to this file, - for standard output")
      ->value_name("FILE");
}

void add_order_jobs_option(OptionSet& set, int& jobs) {
  set.add_option("-j,--jobs", jobs, "Orders at a time; 0: one per processor")
      ->between(0, 64)
      ->show_default();
}

void add_order_isolation_option(OptionSet& set, std::string& isolate, const std::string& help) {
  set.add_option("--isolate", isolate, help)->one_of(isolation_words(false))->show_default();
}

Option* add_private_options(OptionSet& set, RunOptions& o, const std::string& help) {
  set.add_option("--private-fs", o.private_fs, help)->one_of({"auto", "on", "off"})->show_default();
  return set.add_option("--private-dir", o.private_dirs,
                        "One more directory to cover; may be repeated");
}

Result<RunRequest> to_request(const RunOptions& options) {
  RunRequest request;
  auto test = parse_duration(options.timeout), total = parse_duration(options.total_timeout),
       start = parse_duration(options.start_timeout), slow = parse_duration(options.slow);
  for (const auto* time : {&test, &total, &start, &slow}) {
    if (!*time) return time->error();
  }
  request.isolation = parse_isolation(options.isolate).value_or(Isolation::automatic);
  request.engine.verify_snapshots = options.verify;
  unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  request.engine.jobs = options.jobs > 0 ? options.jobs : static_cast<int>(std::min(cores, 64u));
  request.engine.limits.test_timeout = *test;
  if (start->count() > 0) request.engine.start_timeout = *start;
  request.engine.private_fs = options.private_fs != "off";
  request.engine.private_fs_required = options.private_fs == "on";
  for (const std::string& dir : options.private_dirs) request.engine.private_dirs.emplace_back(dir);
  request.repeat = options.repeat;
  request.fail_fast = options.fail_fast;
  request.total_timeout = *total;
  request.crash_stacks = !options.no_stacks;
  return request;
}

Result<RunRequest> to_isolating_request(const RunOptions& options) {
  auto request = to_request(options);
  if (request && request->isolation == Isolation::none) {
    return usage_error("ctest's tests cannot share a process: --isolate none makes no sense here",
                       "leave it out");
  }
  return request;
}

bool ReportOutputs::any() const {
  return github || !json.empty() || std::any_of(files.begin(), files.end(), [](const auto& output) {
           return !output.second.empty();
         });
}

std::string ReportOutputs::file(std::string_view format) const {
  auto found = files.find(format);
  return found == files.end() ? std::string() : found->second;
}

SourceRoot ReportOutputs::source_root() const {
  return SourceRoot(root.empty() ? SourceRoot::above(std::filesystem::current_path())
                                 : std::filesystem::path(root));
}

void add_report_outputs(OptionSet& set, ReportOutputs& outputs) {
  for (const ReportFormat& format : report_formats()) {
    set.add_option("--" + std::string(format.word), outputs.files[format.word],
                   std::string(format.help))
        ->value_name("FILE");
  }
  set.add_flag("--github", outputs.github,
               "Print annotations of a GitHub workflow to standard output, and add a summary to "
               "$GITHUB_STEP_SUMMARY if that is set");
  set.add_option("--root", outputs.root,
                 "Names of source files are relative to this folder (default: the git checkout "
                 "around the current one)")
      ->value_name("DIR")
      ->existing_directory();
}

Status check_report_outputs(const ReportOutputs& outputs, const std::vector<std::string>& others) {
  std::vector<std::string> files = others;
  files.push_back(outputs.json);
  for (const auto& [format, file] : outputs.files) files.push_back(file);
  if (std::count(files.begin(), files.end(), "-") + (outputs.github ? 1 : 0) < 2) return {};
  return usage_error("only one report can go to standard output",
                     "--github prints there; give the others the name of a file");
}

Status write_reports(const ReportOutputs& outputs, const ReportFacts& facts) {
  if (!outputs.any()) return {};
  if (!outputs.json.empty()) {
    if (Status written = write_file(outputs.json, report_json_text(facts)); !written) {
      return written;
    }
  }
  const SourceRoot root = outputs.source_root();
  for (const ReportFormat& format : report_formats()) {
    const std::string file = outputs.file(format.word);
    if (file.empty()) continue;
    auto text = format.text(facts, root);
    if (!text) return text.error();
    if (Status written = write_file(file, *text); !written) return written;
  }
  if (!outputs.github) return {};
  return write_github(report_to_github(facts, root),
                      report_to_markdown(facts, root, kLongestSummary));
}

Status write_github(const std::string& annotations, const std::string& summary) {
  if (Status written = write_file("-", annotations); !written) return written;
  const char* file = std::getenv("GITHUB_STEP_SUMMARY");
  if (file == nullptr || *file == '\0') return {};
  return append_file(file, summary);
}

}  // namespace gordian
