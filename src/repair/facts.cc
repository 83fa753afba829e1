// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/facts.h"

#include "repair/compiler_facts.h"
#include "repair/debug_facts.h"
#include "symbols/debug_info.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

class Facts {
 public:
  Facts(Workspace& workspace, FactsOptions options)
      : workspace_(workspace), options_(std::move(options)) {
    if (options_.program.empty()) options_.program = find_facts_program().value_or(fs::path());
  }

  Result<SourceFacts> of(const std::vector<std::string>& files) const {
    std::string why = why_not_by_compiler();
    if (why.empty()) {
      auto facts = compiler_facts(files, compiler_options(), world());
      if (facts.ok()) return facts;
      why = facts.error().message;
    }
    auto facts =
        debug_facts(files, workspace_.project().target.binary, default_cache_dir(), world().read);
    if (!facts.ok()) return facts.error();
    facts->notices.insert(facts->notices.begin(),
                          why + "; facts come from debug information and are fewer");
    return facts;
  }

 private:
  std::string why_not_by_compiler() const {
    if (options_.without_compiler) return "Clang was not to be asked";
    if (options_.program.empty()) return "gordian-facts is not installed beside gordian";
    if (workspace_.project().compile_commands.empty())
      return "the build has no compile_commands.json (CMake: -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)";
    return "";
  }

  CompilerFactsOptions compiler_options() const {
    const Project& project = workspace_.project();
    CompilerFactsOptions result;
    result.program = options_.program;
    result.compile_commands = project.compile_commands;
    if (!project.source_root.empty()) result.roots.push_back(project.source_root.string());
    for (const fs::path& dir : project.source_dirs) result.roots.push_back(dir.string());
    result.cache_dir = options_.cache_dir;
    return result;
  }

  FactsWorld world() const {
    Workspace& workspace = workspace_;
    return {[&workspace](const std::string& file) { return workspace.read(file); },
            [&workspace](const std::vector<std::string>& argv, std::string& output) {
              return workspace.helper(argv, output);
            },
            options_.tell};
  }

  Workspace& workspace_;
  FactsOptions options_;
};

}  // namespace

FactsOf facts_in(Workspace& workspace, const FactsOptions& options) {
  return [facts = Facts(workspace, options)](const std::vector<std::string>& files) {
    return facts.of(files);
  };
}

}  // namespace gordian
