// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A copy of a project from the command line, for tests/e2e/fix_workspace.py:
//   workspace_probe BINARY [build-command=CMD] [source=DIR] ACTION...
// Actions, one after another, each answered by one line of JSON:
//   project | patch=FILE=NEW_CONTENT_FILE | unpatch | build | suite | run=TEST,TEST,... | read=FILE
//   | helper=SHELL COMMAND
// Exit: 0, 1 after an error, which is the last line.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "repair/project.h"
#include "repair/workspace.h"
#include "runtime/interrupt.h"

namespace {

using gordian::ChangedFiles;
using gordian::Error;
using gordian::Workspace;
using nlohmann::json;

void print(const json& answer) {
  fmt::print("{}\n", answer.dump(-1, ' ', false, json::error_handler_t::replace));
  std::fflush(stdout);
}

int fail(const Error& error) {
  print({{"error", error.message}, {"hint", error.hint}});
  return 1;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, by);) parts.push_back(part);
  return parts;
}

json describe(const gordian::Project& p) {
  return {{"source_root", p.source_root.string()},
          {"build_dir", p.build_dir.string()},
          {"build_command", p.build_command},
          {"compile_commands", p.compile_commands.string()},
          {"target", p.cmake_target},
          {"cmake_file", p.cmake_file.string()},
          {"cmake_line", p.cmake_line},
          {"is_git", p.is_git},
          {"notes", p.notes}};
}

class Probe {
 public:
  explicit Probe(Workspace& workspace) : workspace_(workspace) {}

  /// False: it was answered by an error.
  bool act(const std::string& action) {
    const std::size_t equals = std::min(action.find('='), action.size());
    const std::string what = action.substr(0, equals);
    const std::string rest = equals < action.size() ? action.substr(equals + 1) : "";
    if (what == "project") return told(describe(workspace_.project()));
    if (what == "patch") return patch(rest);
    if (what == "unpatch") return files_.clear(), told({{"patched", 0}});
    if (what == "build") return build();
    if (what == "suite") return suite();
    if (what == "run") return run(split(rest, ','));
    if (what == "read") return read(rest);
    if (what == "helper") return helper(rest);
    return failed({gordian::ErrorKind::usage, "no such action: " + action, ""});
  }

 private:
  static bool told(const json& answer) {
    print(answer);
    return true;
  }
  static bool failed(const Error& error) { return fail(error) == 0; }

  bool patch(const std::string& words) {
    const auto parts = split(words, '=');
    files_[parts.at(0)].after = content_of(parts.at(1));
    return told({{"patched", files_.size()}});
  }

  bool build() {
    int lines = 0;
    auto built = workspace_.build(files_, [&lines](std::string_view line) {
      ++lines;
      fmt::print(stderr, "{}\n", line);
    });
    if (!built) return failed(built.error());
    return told({{"succeeded", built->succeeded},
                 {"first_error", built->first_error},
                 {"new_warnings", built->new_warnings},
                 {"lines", lines}});
  }

  bool suite() {
    auto suite = workspace_.suite();
    if (!suite) return failed(suite.error());
    json names = json::array();
    for (const auto& test : suite->tests()) names.push_back(test.full_name());
    return told({{"tests", names}});
  }

  bool run(const std::vector<std::string>& order) {
    const std::vector<std::vector<std::string>> orders = {order};
    auto runs = workspace_.run(orders);
    if (!runs) return failed(runs.error());
    json outcomes = json::array();
    for (const auto& test : runs->front().runs) {
      outcomes.push_back(gordian::to_string(test.outcome.kind));
      if (!test.outcome.message.empty()) fmt::print(stderr, "{}\n", test.outcome.message);
      if (test.outcome.signal != 0) fmt::print(stderr, "signal {}\n", test.outcome.signal);
    }
    return told({{"outcomes", outcomes}});
  }

  bool read(const std::string& file) {
    const auto content = workspace_.read(file);
    return told({{"content", content ? json(*content) : json()}});
  }

  bool helper(const std::string& command) {
    std::string output;
    auto code = workspace_.helper({"sh", "-c", command}, output);
    if (!code) return failed(code.error());
    return told({{"code", *code}, {"output", output}});
  }

  Workspace& workspace_;
  ChangedFiles files_;
};

}  // namespace

int main(int argc, char** argv) {
  gordian::catch_interrupts();
  gordian::ProjectOptions options;
  gordian::Target target;
  std::vector<std::string> actions;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (i == 1) {
      target.binary = std::filesystem::absolute(word);
    } else if (word.starts_with("build-command=")) {
      options.build_command = word.substr(14);
    } else if (word.starts_with("source=")) {
      options.source_root = word.substr(7);
    } else {
      actions.push_back(word);
    }
  }
  target.working_dir = std::filesystem::current_path();
  auto project = gordian::find_project(target, options);
  if (!project) return fail(project.error());
  gordian::WorkspaceOptions how;
  how.engine.should_stop = gordian::interrupted;
  auto workspace = Workspace::open(*project, how);
  if (!workspace) return fail(workspace.error());
  Probe probe(**workspace);
  for (const std::string& action : actions) {
    if (!probe.act(action)) return 1;
  }
  return 0;
}
