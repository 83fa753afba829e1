// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/included.h"

#include <filesystem>
#include <set>

#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

constexpr std::size_t kFiles = 400;  // so many are looked into, and no more

/// Names of all includes, those in quotes alone if asked for.
std::vector<std::string> names_of_includes(const std::string& content, bool quoted_only) {
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = content.find("#include", at)) != std::string::npos; ++at) {
    const std::size_t open = content.find_first_not_of(" \t", at + 8);
    if (open == std::string::npos) continue;
    const bool quoted = content[open] == '"';
    if (!quoted && (quoted_only || content[open] != '<')) continue;
    const std::size_t close = content.find(quoted ? '"' : '>', open + 1);
    if (close != std::string::npos) names.push_back(content.substr(open + 1, close - open - 1));
  }
  return names;
}

std::string normal(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

class Search {
 public:
  Search(const Scene& scene, const std::string& header) : scene_(scene), header_(header) {
    const std::string& root = scene.task().options.source_root;
    for (std::string dir = directory_of(header); dir.size() > 1 && is_below(root, dir);
         dir = directory_of(dir)) {
      directories_.push_back(dir);
      if (dir == root) break;
    }
  }

  bool finds_it_from(const std::string& file) {
    if (seen_.size() >= kFiles || !seen_.insert(file).second) return false;
    for (const std::string& name : names_of_includes(scene_.content(file), false)) {
      const std::string found = place_of(name, directory_of(file));
      if (found == header_ || (!found.empty() && finds_it_from(found))) return true;
    }
    return false;
  }

 private:
  /// Empty: no file of the project that this search could meet.
  std::string place_of(const std::string& name, const std::string& beside) const {
    if (std::string path = normal(beside + "/" + name); scene_.task().source.content(path)) {
      return path;
    }
    for (const std::string& directory : directories_) {
      std::string path = normal(directory + "/" + name);
      if (scene_.task().source.content(path)) return path;
    }
    return "";
  }

  const Scene& scene_;
  const std::string& header_;
  std::vector<std::string> directories_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<std::string> quoted_includes(const std::string& content) {
  return names_of_includes(content, true);
}

bool includes_already(const Scene& scene, const std::string& file, const std::string& header) {
  return Search(scene, header).finds_it_from(file);
}

}  // namespace gordian::strategies
