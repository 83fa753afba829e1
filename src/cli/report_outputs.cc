// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/report_outputs.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "report/formats/formats.h"

namespace gordian {

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
