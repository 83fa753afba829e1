// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "wire/private_fs.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "base/files.h"
#include "runtime/native/private_fs.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
namespace wire = gordian_wire;

/// A layer over `outer` would show it as it is: nothing is mounted on the way.
bool shows(const fs::path& outer, fs::path path, const std::vector<fs::path>& mounts) {
  if (!is_below(path, outer)) return false;
  for (; path != outer; path = path.parent_path()) {
    if (std::find(mounts.begin(), mounts.end(), path) != mounts.end()) return false;
  }
  return true;
}

/// Real and distinct, outermost first. A covered directory covers all below it, so what is inside
/// another is left out, unless it is mounted there; but not in a user namespace (`nested`): there
/// nothing can be copied up through a directory that belongs to somebody else, and only covering
/// the inner one helps.
std::vector<std::string> directories_to_cover(const std::vector<fs::path>& paths, bool nested) {
  const std::vector<fs::path> mounts = mount_points();
  std::vector<std::string> kept;
  for (const fs::path& path : real_directories(paths)) {
    bool inside = !nested && std::any_of(kept.begin(), kept.end(), [&](const std::string& k) {
      return shows(k, path, mounts);
    });
    if (!inside) kept.push_back(path);
  }
  return kept;
}

std::vector<fs::path> wanted(const Target& target, const std::vector<fs::path>& extra) {
  std::vector<fs::path> paths = {"/tmp", "/var/tmp", target.working_dir,
                                 target.binary.parent_path()};
  if (const char* tmpdir = std::getenv("TMPDIR")) paths.emplace_back(tmpdir);
  for (const EnvChange& change : target.env) {
    if (change.first == "TMPDIR" && change.second) paths.emplace_back(*change.second);
  }
  paths.insert(paths.end(), extra.begin(), extra.end());
  return paths;
}

/// A place for our mount point that no covered directory hides.
std::optional<OwnedDir> make_root(const std::vector<std::string>& covered) {
  std::vector<std::string> places = {"/dev/shm", "/run", "/var/lib", "/opt", "/"};
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR")) places.insert(places.begin(), runtime);
  if (const char* home = std::getenv("HOME")) places.emplace_back(home);
  for (const std::string& place : places) {
    bool hidden = std::any_of(covered.begin(), covered.end(),
                              [&place](const std::string& c) { return is_below(place, c); });
    if (hidden) continue;
    if (auto root = OwnedDir::make(place, "gordian-fs", OwnedDir::Content::none)) return root;
  }
  return std::nullopt;
}

/// The stages of the trial, as exit codes of the child that tries.
enum Trial : int { works = 0, no_namespace = 1, no_overlay = 2, no_second_layer = 3 };

[[noreturn]] void trial(const wire::Header& header) {
  bool userns = header.fs_userns != 0;
  if (!wire::enter_mount_namespace(userns)) ::_exit(no_namespace);
  if (!wire::cover_for_process(&header)) ::_exit(no_overlay);
  if (!wire::enter_mount_namespace(userns) || !wire::cover_for_worker(&header, false)) {
    ::_exit(no_second_layer);
  }
  ::_exit(works);
}

std::string why_not(Trial stage) {
  return stage == no_namespace ? "this machine does not let us have a mount namespace"
                               : "the kernel refuses an overlay over the directories concerned";
}

/// How far one try came; nullopt: it did not live to tell.
std::optional<Trial> try_once(const wire::Header& header) {
  pid_t child = ::fork();
  if (child == 0) trial(header);
  int status = 0;
  pid_t ended = child;
  while (child > 0 && (ended = ::waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  if (ended <= 0 || !WIFEXITED(status) || WEXITSTATUS(status) > no_second_layer) return {};
  return static_cast<Trial>(WEXITSTATUS(status));
}

}  // namespace

PrivateFs::PrivateFs(PrivateFs&& other) noexcept
    : root_(std::exchange(other.root_, std::nullopt)),
      directories_(std::move(other.directories_)),
      userns_(other.userns_) {}

PrivateFs::~PrivateFs() {
  if (root_) ::rmdir(root_->path().c_str());
}

Result<PrivateFs> PrivateFs::prepare(const Target& target, const std::vector<fs::path>& extra) {
  PrivateFs result;
  result.userns_ = ::geteuid() != 0;
  result.directories_ = directories_to_cover(wanted(target, extra), result.userns_);
  if (result.directories_.size() > wire::kMaxPrivateDirs) {
    return usage_error("more than " + std::to_string(wire::kMaxPrivateDirs) +
                       " private directories");
  }
  for (const std::string& directory : result.directories_) {
    if (directory.size() >= wire::kMaxPath) return target_error("a path is too long: " + directory);
  }
  auto root = make_root(result.directories_);
  if (!root) return target_error("no directory for the mount point is writable");
  result.root_.emplace(*std::move(root));
  if (Status tried = result.try_it(); !tried) return tried.error();
  return result;
}

Status PrivateFs::try_it() const {
  auto header = std::make_unique<wire::Header>();
  describe_to(*header);
  constexpr int kMostTries = 3;
  for (int i = 0; i < kMostTries; ++i) {
    const std::optional<Trial> stage = try_once(*header);
    if (!stage) continue;
    if (*stage == works) return {};
    return target_error(why_not(*stage));
  }
  return internal_error(
      "whether private files work here could not be found out: the process that "
      "tries it was killed, " +
      std::to_string(kMostTries) + " times");
}

void PrivateFs::describe_to(wire::Header& header) const {
  header.fs_dirs = static_cast<std::uint32_t>(directories_.size());
  header.fs_userns = userns_ ? 1 : 0;
  root_->path().native().copy(header.fs_root, wire::kMaxPath - 1);
  for (std::size_t d = 0; d < directories_.size(); ++d) {
    directories_[d].copy(header.fs_dir[d], wire::kMaxPath - 1);
  }
}

}  // namespace gordian
