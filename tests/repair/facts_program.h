// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The real gordian-facts, for tests; where it was built.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/subprocess.h"
#include "repair/facts.h"

namespace gordian {

inline bool has_facts_program() {
  return *GORDIAN_FACTS_PROGRAM != '\0';
}

inline std::optional<std::string> read_real_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline FactsWorld real_world() {
  return {read_real_file, [](const std::vector<std::string>& argv, std::string& output) {
            SubprocessOptions options;
            options.timeout = std::chrono::minutes(2);
            auto run = run_subprocess(argv, options);
            if (!run.ok()) return Result<int>(run.error());
            output = run->out + run->err;
            return Result<int>(run->signal != 0 ? 128 + run->signal : run->exit_code);
          }};
}

inline Result<SourceFacts> facts_of_files(const std::vector<std::string>& files,
                                          const std::string& root, const std::string& commands) {
  CompilerFactsOptions options;
  options.program = GORDIAN_FACTS_PROGRAM;
  options.compile_commands = commands;
  options.roots = {root};
  return compiler_facts(files, options, real_world());
}

}  // namespace gordian
