// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/exit_codes.h"
#include "cli/screen.h"
#include "report/detect_text.h"
#include "report/page/html.h"
#include "report/page/report_json.h"
#include "report/run_json.h"
#include "report/write_file.h"
#include "store/report_store.h"

namespace gordian {
namespace {

struct ReportCommand {
  std::vector<std::string> targets;
  std::string html, json;
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

SourceReader sources_of(const std::string& binary) {
  auto files = std::make_shared<SourceFiles>(binary);
  return [files](const std::string& file) -> const std::vector<std::string>& {
    return files->lines(file);
  };
}

Status write_reports(const ReportCommand& command, const ReportFacts& facts) {
  if (command.html.empty() && command.json.empty()) return {};
  const nlohmann::json document = report_to_json(facts, sources_of);
  if (!command.json.empty()) {
    if (Status written = write_file(command.json, dump_json(document)); !written) return written;
  }
  if (command.html.empty()) return {};
  auto page = page_with(page_template(), document);
  if (!page) return page.error();
  return write_file(command.html, *page);
}

int report(const ReportCommand& command, const CommonOptions& common) {
  auto store = ReportStore::open(common.db_path());
  if (!store) return report_error(store.error());
  auto facts = store->load(binary_paths(command.targets));
  if (!facts) return report_error(facts.error());
  const TerminalFacts terminal = describe_terminal(kScreen, common.color_choice());
  bool found = false;
  for (const ReportedSuite& suite : facts->suites) {
    sink_to(kScreen)(detect_summary(suite.detect, terminal.style, suite.explanations));
    found = found || !suite.detect.dependences.empty();
  }
  if (Status written = write_reports(command, *facts); !written) {
    return report_error(written.error());
  }
  return found ? kExitTestsFailed : kExitOk;
}

}  // namespace

std::function<int()> declare_report(CLI::App& app, CommonOptions& common) {
  auto c = std::make_shared<ReportCommand>();
  app.add_option("target", c->targets, "Test binaries that were searched (default: all)");
  app.add_option("--html", c->html, "Write one page that needs nothing else to this file")
      ->type_name("FILE");
  app.add_option("--json", c->json, "Write JSON to this file, - for standard output")
      ->type_name("FILE");
  add_db_option(app, common);
  return [c, &common] { return report(*c, common); };
}

}  // namespace gordian
