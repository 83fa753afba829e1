// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "base/files.h"
#include "cli/command.h"
#include "cli/screen.h"
#include "cli/shared_options.h"
#include "report/compare.h"
#include "report/detect_report.h"
#include "report/formats/formats.h"
#include "report/json.h"
#include "report/page/report_json.h"
#include "store/report_store.h"

namespace gordian {
namespace {

struct ReportCommand {
  std::vector<std::string> targets, compared;
  std::string fail_on;  ///< empty: not said
  ReportOutputs outputs;
};

/// Paths as searches store them.
std::vector<std::string> binary_paths(const std::vector<std::string>& targets) {
  std::vector<std::string> paths;
  for (const std::string& target : targets) {
    std::error_code ec;
    auto path = std::filesystem::canonical(target, ec);
    paths.push_back(ec ? std::filesystem::absolute(target).lexically_normal().string()
                       : path.string());
  }
  return paths;
}

int report(const ReportCommand& command, const CommonOptions& common) {
  if (command.fail_on == "new") {
    return report_error(usage_error("--fail-on new asks what is new since when",
                                    "--compare OLD NEW names two reports; without it use any"));
  }
  auto store = ReportStore::open(common.db_path());
  if (!store) return report_error(store.error());
  auto facts = store->load(binary_paths(command.targets));
  if (!facts) return report_error(facts.error());
  const TerminalFacts terminal = describe_terminal(kScreen, common.color_choice());
  bool found = false;
  for (const ReportedSuite& suite : facts->suites) {
    sink_to(kScreen)(detect_summary(suite.detect, terminal.style));
    found = found || !suite.detect.dependences.empty();
  }
  if (Status written = write_reports(command.outputs, *facts); !written) {
    return report_error(written.error());
  }
  return found && command.fail_on != "none" ? kExitTestsFailed : kExitOk;
}

bool is_database(const std::string& file) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::string begin(kMagic.size(), '\0');
  auto fd = open_regular(file);
  return fd &&
         ::read(fd->get(), begin.data(), begin.size()) == static_cast<ssize_t>(begin.size()) &&
         begin == kMagic;
}

/// A comparison quotes no source, and asks for no single pair.
SourceReader no_sources(const std::string&) {
  return [](const std::string&) -> const std::vector<std::string>& {
    static const std::vector<std::string> none;
    return none;
  };
}

Result<nlohmann::json> stored_document(const std::string& file) {
  auto store = ReportStore::open(file);
  if (!store) return store.error();
  auto facts = store->load();
  if (!facts) return facts.error();
  for (ReportedSuite& suite : facts->suites) suite.pairs.reset();
  return report_to_json(*facts, no_sources);
}

Result<ComparedReport> load_compared(const std::string& file) {
  if (is_database(file)) {
    auto document = stored_document(file);
    if (!document) return document.error();
    return compared_report(*document, file);
  }
  const auto text = read_regular(file);
  if (!text) {
    return usage_error(text.error().message,
                       "give a database of Gordian, or what report --json or detect --json wrote");
  }
  return compared_report(nlohmann::json::parse(*text, nullptr, false), file);
}

Status write_comparison(const ReportOutputs& outputs, const Comparison& comparison) {
  if (!outputs.json.empty()) {
    Status written = write_file(outputs.json, dump_json(comparison_to_json(comparison)));
    if (!written) return written;
  }
  if (const std::string file = outputs.file("markdown"); !file.empty()) {
    Status written = write_file(file, comparison_to_markdown(comparison));
    if (!written) return written;
  }
  if (!outputs.github) return {};
  return write_github(comparison_to_github(comparison, outputs.source_root()),
                      comparison_to_markdown(comparison));
}

bool is_worse(const Comparison& comparison, const std::string& fail_on) {
  if (fail_on == "none") return false;
  const bool remaining = !comparison.remaining.empty() || !comparison.not_searched.empty();
  return !comparison.fresh.empty() || (fail_on == "any" && remaining);
}

int compare(const ReportCommand& command, const CommonOptions& common) {
  auto before = load_compared(command.compared[0]);
  if (!before) return report_error(before.error());
  auto now = load_compared(command.compared[1]);
  if (!now) return report_error(now.error());
  const Comparison comparison = compare_reports(*before, *now);
  const TerminalFacts terminal = describe_terminal(kScreen, common.color_choice());
  sink_to(kScreen)(comparison_text(comparison, terminal.style));
  if (Status written = write_comparison(command.outputs, comparison); !written) {
    return report_error(written.error());
  }
  return is_worse(comparison, command.fail_on) ? kExitTestsFailed : kExitOk;
}

int report_or_compare(const ReportCommand& command, const CommonOptions& common) {
  if (Status fine = check_report_outputs(command.outputs); !fine) {
    return report_error(fine.error());
  }
  return command.compared.empty() ? report(command, common) : compare(command, common);
}

}  // namespace

std::function<int()> declare_report(OptionSet& set, CommonOptions& common) {
  auto c = std::make_shared<ReportCommand>();
  Option* target =
      set.add_option("target", c->targets, "Test binaries that were searched (default: all)");
  set.add_option("--json", c->outputs.json, "Write JSON to this file, - for standard output")
      ->value_name("FILE");
  add_report_outputs(set, c->outputs);
  Option* compared =
      set.add_option("--compare", c->compared,
                     "Say which dependences are new, gone or remaining: two databases, or JSON of "
                     "report or detect. Goes with --json, --markdown and --github")
          ->value_name("OLD NEW")
          ->values(2, 2)
          ->excludes(target);
  for (const ReportFormat& format : report_formats()) {
    if (format.word == "markdown") continue;
    compared->excludes(set.find("--" + std::string(format.word)));
  }
  set.add_option("--fail-on", c->fail_on,
                 "Exit with 1 for: any, none, or with --compare new (its default) dependences")
      ->one_of({"new", "any", "none"});
  add_db_option(set, common);
  return [c, &common] { return report_or_compare(*c, common); };
}

}  // namespace gordian
