// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/target.h"

#include <unistd.h>

#include <algorithm>
#include <tuple>

#include "base/files.h"
#include "base/text.h"
#include "ctest/ctest.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

constexpr int kNearbyDepth = 2;
constexpr int kNearbyFiles = 5000;

/// Calls `visit` with programs near a directory: in it, and a little below. Bounded: this serves a
/// hint, and the directory may be the root of a disk.
template <class Visit>
void each_program_near(const fs::path& directory, Visit visit) {
  std::error_code failure;
  fs::recursive_directory_iterator it(directory.empty() ? "." : directory,
                                      fs::directory_options::skip_permission_denied, failure);
  for (int seen = 0; !failure && it != fs::end(it) && seen < kNearbyFiles; ++seen) {
    std::error_code ignored;
    const bool hidden = it->path().filename().native().starts_with('.');
    if (it->is_directory(ignored) && (it.depth() >= kNearbyDepth || hidden)) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file(ignored) && ::access(it->path().c_str(), X_OK) == 0) {
      visit(it->path());
    }
    it.increment(failure);
  }
}

/// The program that was probably meant: the same name elsewhere, or the closest spelling.
std::optional<fs::path> nearest_program(const fs::path& typed) {
  const std::string name = typed.filename().string();
  std::size_t best = 1 + (name.size() <= 3 ? 1 : std::max<std::size_t>(2, name.size() / 3));
  std::optional<fs::path> nearest;
  each_program_near(typed.parent_path(), [&](const fs::path& candidate) {
    const std::size_t distance = edit_distance(name, candidate.filename().string());
    if (distance >= best) return;
    best = distance;
    nearest = candidate;
  });
  return nearest;
}

Error no_such_target(const std::string& word) {
  const auto nearest = nearest_program(word);
  if (!nearest) {
    return target_error(word + ": no such file or directory",
                        "name a test binary, or the CMake build directory that holds some");
  }
  std::string suggestion = nearest->lexically_normal().string();
  if (suggestion.find('/') == std::string::npos) suggestion = "./" + suggestion;
  return target_error(word + ": no such file or directory", "did you mean " + suggestion + "?");
}

/// The directory is resolved, the last name is not: a program may look at the name it is called by.
Result<Target> file_target(const std::string& word) {
  std::error_code failure;
  const fs::path given = fs::absolute(word, failure);
  const fs::path directory = fs::weakly_canonical(given.parent_path(), failure);
  const fs::path here = fs::current_path(failure);
  if (failure) return target_error("cannot resolve " + word + ": " + failure.message());
  Target target;
  target.binary = directory / given.filename();
  target.working_dir = here;
  return target;
}

Result<TargetSelection> resolve_word(const std::string& word) {
  std::error_code failure;
  const fs::file_status status = fs::status(word, failure);
  if (!fs::exists(status)) {
    if (failure && failure != std::errc::no_such_file_or_directory &&
        failure != std::errc::not_a_directory) {
      return target_error("cannot look at " + word + ": " + failure.message());
    }
    return no_such_target(word);
  }
  if (!fs::is_directory(status)) {
    if (const auto kind = kind_of_special(word); !kind.empty()) {
      return target_error(word + " is " + std::string(kind) + ", not a regular file",
                          "name a test binary, or the CMake build directory that holds some");
    }
    auto target = file_target(word);
    if (!target) return target.error();
    return TargetSelection{{*std::move(target)}, {}};
  }
  auto found = discover_ctest(word);
  if (found && found->targets.empty()) {
    std::string reason = found->skipped.empty() ? "ctest lists no tests there" : found->skipped[0];
    return target_error("no test program was found in " + word, std::move(reason));
  }
  return found;
}

}  // namespace

Result<TargetSelection> resolve_targets(const std::vector<std::string>& words,
                                        const std::vector<std::string>& args) {
  TargetSelection all;
  const auto key = [](const Target& t) { return std::tie(t.binary, t.args, t.working_dir, t.env); };
  for (const std::string& word : words) {
    if (word.empty()) return usage_error("a target's name is empty");
    auto found = resolve_word(word);
    if (!found) return found.error();
    for (Target& target : found->targets) {
      target.args.insert(target.args.end(), args.begin(), args.end());
      const bool known = std::any_of(all.targets.begin(), all.targets.end(),
                                     [&](const Target& t) { return key(t) == key(target); });
      if (!known) all.targets.push_back(std::move(target));
    }
    for (std::string& reason : found->skipped) all.skipped.push_back(std::move(reason));
  }
  return all;
}

}  // namespace gordian
