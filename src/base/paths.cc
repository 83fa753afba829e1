// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/paths.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace gordian {
namespace {

/// The kernel writes blanks, tabs, newlines and backslashes as \ooo.
std::string without_escapes(const std::string& word) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '\\' && i + 3 < word.size()) {
      text += static_cast<char>(std::stoi(word.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      text += word[i];
    }
  }
  return text;
}

}  // namespace

bool is_below(const std::filesystem::path& path, const std::filesystem::path& directory) {
  if (directory.empty()) return false;
  auto [end, unused] = std::mismatch(directory.begin(), directory.end(), path.begin(), path.end());
  return end == directory.end();
}

std::vector<std::filesystem::path> mount_points() {
  std::vector<std::filesystem::path> points;
  std::ifstream table("/proc/self/mountinfo");
  for (std::string line; std::getline(table, line);) {
    std::istringstream words(line);
    std::string word;
    for (int i = 0; i < 5 && words >> word; ++i) {
    }
    points.emplace_back(without_escapes(word));
  }
  return points;
}

}  // namespace gordian
