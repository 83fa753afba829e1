// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <filesystem>
#include <memory>

#include "base/files.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/help_text.h"
#include "store/dependence_store.h"
#include "store/run_store.h"

namespace gordian {
namespace {

int print(const std::string& text) {
  Status written = write_all(1, text, "standard output");
  return written ? static_cast<int>(kExitOk) : report_error(written.error());
}

std::string script_for(const std::string& shell, const CommandParser& program) {
  CompletionFacts facts{all_command_facts(program), {}};
  for (const HelpTopic& topic : help_topics()) facts.topics.emplace_back(topic.name);
  return shell == "bash"  ? bash_completion(facts)
         : shell == "zsh" ? zsh_completion(facts)
                          : fish_completion(facts);
}

/// One id a line. A shell that completes wants no complaints: what cannot be read has no ids.
int print_ids(const CommonOptions& common) {
  constexpr int kMostRuns = 50;
  std::error_code none;
  if (!std::filesystem::exists(common.db_path(), none)) return kExitOk;
  std::string text;
  if (auto store = DependenceStore::open(common.db_path())) {
    auto numbers = store->numbers();
    for (DependenceId id : numbers ? *numbers : std::vector<DependenceId>()) {
      text += to_string(id) + "\n";
    }
  }
  if (auto store = RunStore::open(common.db_path())) {
    auto runs = store->recent_runs(kMostRuns);
    for (const RunSummary& run : runs ? *runs : std::vector<RunSummary>()) {
      text += to_string(run.id) + "\n";
    }
  }
  return print(text);
}

}  // namespace

std::function<int()> declare_completion(OptionSet& set, CommonOptions&) {
  auto shell = std::make_shared<std::string>();
  set.add_option("shell", *shell, "bash, zsh or fish")->one_of({"bash", "zsh", "fish"})->required();
  return [shell, &set] { return print(script_for(*shell, set.program())); };
}

std::function<int()> declare_complete_ids(OptionSet& set, CommonOptions& common) {
  add_db_option(set, common);
  return [&common] { return print_ids(common); };
}

}  // namespace gordian
