// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/rank_output.h"

#include <filesystem>

#include "base/files.h"
#include "cli/command.h"
#include "report/rank_report.h"

namespace gordian {
namespace {

/// "order.txt", "order.2.txt", "order.3.txt".
std::string numbered(const std::string& file, std::size_t index) {
  if (index == 0) return file;
  std::filesystem::path path(file);
  const std::string extension = path.extension().string();
  path.replace_extension("." + std::to_string(index + 1) + extension);
  return path.string();
}

}  // namespace

Result<std::string> order_output(const std::string& file, const std::string& json) {
  if (file == "-" && json == "-") {
    return usage_error("the order and the JSON cannot both go to standard output",
                       "the JSON has the order in it: leave -o out, or name a file");
  }
  return file.empty() && json != "-" ? "-" : file;
}

Result<std::vector<std::string>> write_order(const RankedOrder& order, const Suite& suite,
                                             const std::string& file) {
  const std::vector<std::string> texts = order_files(order, suite);
  std::vector<std::string> names;
  if (file == "-") {
    std::string all;
    for (const std::string& text : texts) all += text;
    Status written = write_file(file, all);
    return written ? Result<std::vector<std::string>>(names) : written.error();
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    names.push_back(numbered(file, i));
    if (Status written = write_file(names.back(), texts[i]); !written) return written.error();
  }
  return names;
}

int exit_code_of(const RankedOrder& order) {
  const bool changed = order.checked && !order.checked->changed.empty();
  const bool unserved = order.aware && !order.aware->impossible.empty();
  return changed || unserved ? kExitTestsFailed : kExitOk;
}

}  // namespace gordian
