// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/shard_files.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <string>

#include "base/text.h"
#include "report/write_file.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFirstLine = "# Written by gordian shard";

/// Several targets may be called alike.
std::string unique_name(const ShardFacts& target, std::set<std::string>& taken) {
  std::string name = target.target.binary.filename().string();
  for (int n = 2; !taken.insert(name).second; ++n) {
    name = fmt::format("{}-{}", target.target.binary.filename().string(), n);
  }
  return name;
}

std::string content(const ShardFacts& target, const ShardFacts::Process& process,
                    const std::string& what) {
  std::string text = fmt::format("{}: {}\n# gordian run {} --isolate none --order THIS_FILE\n",
                                 kFirstLine, what, shell_word(target.target.binary.string()));
  for (std::size_t i = 0; i < process.order.size(); ++i) {
    if (process.extra[i]) text += "# the next one counts elsewhere; others need it here\n";
    text += target.suite.test(process.order[i]).full_name() + "\n";
  }
  return text;
}

/// Only what this command has written, by its first line.
void remove_older(const fs::path& directory, const std::string& name, std::size_t count,
                  const std::set<fs::path>& kept) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, none)) {
    const std::string file = entry.path().filename().string();
    const bool ours = file.starts_with(name + "-") && file.ends_with(".order") &&
                      file.find(fmt::format("-of-{}", count)) != std::string::npos;
    if (!ours || kept.contains(entry.path())) continue;
    std::string line;
    std::getline(std::ifstream(entry.path()) >> std::ws, line);
    if (line.starts_with(kFirstLine)) fs::remove(entry.path(), none);
  }
}

Status write_target(ShardFacts& target, std::size_t count, const fs::path& directory,
                    const std::string& name) {
  std::set<fs::path> written;
  for (std::size_t i = 0; i < count; ++i) {
    auto& processes = target.shards[i].processes;
    for (std::size_t p = 0; p < processes.size(); ++p) {
      std::string what = fmt::format("{}-{}-of-{}", name, i + 1, count);
      if (p > 0) what += fmt::format("-p{}", p + 1);
      const fs::path file = directory / (what + ".order");
      processes[p].file = file.string();
      if (Status done = write_file(processes[p].file, content(target, processes[p], what)); !done) {
        return done;
      }
      written.insert(file);
    }
  }
  remove_older(directory, name, count, written);
  return {};
}

}  // namespace

Status write_order_files(ShardPlan& plan, const fs::path& directory) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed || !fs::is_directory(directory, failed)) {
    return usage_error(directory.string() + " cannot be made: " + failed.message(),
                       "-o names a directory that can be written");
  }
  std::set<std::string> taken;
  for (ShardFacts& target : plan.targets) {
    Status written = write_target(target, plan.count, directory, unique_name(target, taken));
    if (!written) return written;
  }
  return {};
}

}  // namespace gordian
