// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/copy_layers.h"

#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/files.h"
#include "base/subprocess.h"
#include "runtime/native/private_fs.h"
#include "wire/private_fs.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
namespace wire = gordian_wire;

/// Two reasons to cover a directory inside of another one: an overlay does not show what is mounted
/// below it, and in a user namespace nothing is copied up through a directory of somebody else.
bool is_covered_by(const fs::path& path, const fs::path& outer,
                   const std::vector<fs::path>& mounts) {
  if (!is_below(path, outer)) return false;
  for (fs::path at = path; at != outer; at = at.parent_path()) {
    if (std::find(mounts.begin(), mounts.end(), at) != mounts.end()) return false;
    struct stat st;
    if (::geteuid() != 0 && (::stat(at.c_str(), &st) != 0 || st.st_uid != ::geteuid())) {
      return false;
    }
  }
  return true;
}

std::vector<fs::path> chosen(const std::vector<fs::path>& wanted) {
  const std::vector<fs::path> mounts = mount_points();
  std::vector<fs::path> real, kept;
  for (const fs::path& path : wanted) {
    std::error_code none;
    const fs::path canonical = fs::canonical(path, none);
    if (none || !fs::is_directory(canonical, none)) continue;
    real.push_back(canonical);
    for (const fs::path& mount : mounts) {
      if (is_below(mount, canonical) && fs::is_directory(mount, none)) real.push_back(mount);
    }
  }
  std::sort(real.begin(), real.end());
  real.erase(std::unique(real.begin(), real.end()), real.end());
  for (const fs::path& path : real) {
    const bool covered = std::any_of(kept.begin(), kept.end(), [&](const fs::path& outer) {
      return is_covered_by(path, outer, mounts);
    });
    if (!covered) kept.push_back(path);
  }
  return kept;
}

std::optional<OwnedDir> make_root(const std::vector<fs::path>& covered) {
  std::vector<std::string> places = {"/dev/shm", "/run", "/tmp", "/var/tmp"};
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR")) places.insert(places.begin(), runtime);
  for (const std::string& place : places) {
    const bool hidden = std::any_of(covered.begin(), covered.end(),
                                    [&place](const fs::path& c) { return is_below(place, c); });
    if (hidden) continue;
    if (auto root = OwnedDir::make(place, "gordian-fix", OwnedDir::Content::none)) return root;
  }
  return std::nullopt;
}

Error refused(const std::string& what) {
  return target_error(
      what + ": " + std::strerror(errno),
      "patches are only built in a copy; in a container allow mounts (docker run "
      "--cap-add SYS_ADMIN --security-opt apparmor=unconfined), or copy the project "
      "and its build yourself and work there");
}

}  // namespace

CopyLayers::CopyLayers(CopyLayers&& other) noexcept
    : owned_(std::exchange(other.owned_, std::nullopt)),
      root_(std::exchange(other.root_, {})),
      directories_(std::move(other.directories_)),
      covered_(other.covered_),
      userns_(other.userns_) {}

CopyLayers::~CopyLayers() {
  if (!root_.empty()) ::rmdir(root_.c_str());
}

Result<CopyLayers> CopyLayers::prepare(const std::vector<fs::path>& directories) {
  CopyLayers layers;
  layers.userns_ = ::geteuid() != 0;
  layers.directories_ = chosen(directories);
  for (const fs::path& directory : layers.directories_) {
    if (directory == "/" || directory.string().find_first_of(",:\\\"") != std::string::npos) {
      return target_error(fmt::format("no copy can be made of {}", directory.string()),
                          "an overlay cannot stand for a directory of this name; move the project");
    }
  }
  auto root = make_root(layers.directories_);
  if (!root) return target_error("no directory for the copy's mount point is writable");
  layers.root_ = root->path();
  layers.owned_.emplace(*std::move(root));
  return layers;
}

/// A whole copy, bound to the place of the directory: slower, but where overlays cannot be had, or
/// cannot be covered by another one for the runs of tests, it does the same.
Status CopyLayers::cover(std::size_t d, bool by_overlay) {
  const std::string number = std::to_string(d), target = directories_[d];
  if (by_overlay) {
    const std::string lower = root_ / ("r" + number);
    if (!wire::cover(root_.c_str(), static_cast<unsigned>(d), lower.c_str(), target.c_str(),
                     userns_)) {
      return refused("the kernel refuses an overlay over " + target);
    }
    ++covered_;
    return {};
  }
  const fs::path upper = root_ / ("u" + number);
  if (!wire::make_like(upper.c_str(), target.c_str())) return refused("cannot make a directory");
  SubprocessOptions patience;
  patience.timeout = std::chrono::hours(1);
  const auto copied = run_subprocess(
      {"cp", "-a", "-x", (root_ / ("r" + number)).string() + "/.", upper.string()}, patience);
  if (!copied) return copied.error();
  if (!copied->succeeded()) {
    return target_error("the project could not be copied: " + copied->err.substr(0, 300),
                        "it has to fit into half of this machine's memory");
  }
  if (::mount(upper.c_str(), target.c_str(), nullptr, MS_BIND, nullptr) != 0) {
    return refused("the kernel refuses a mount over " + target);
  }
  ++covered_;
  return {};
}

void CopyLayers::uncover_all() {
  for (; covered_ > 0; --covered_) ::umount2(directories_[covered_ - 1].c_str(), MNT_DETACH);
}

Status CopyLayers::cover_all(bool by_overlay) {
  for (std::size_t d = 0; d < directories_.size(); ++d) {
    if (Status covered = cover(d, by_overlay); !covered) return covered;
  }
  return {};
}

/// Orders of tests get layers of their own above ours, and the kernel stacks only two: where the
/// project lies on an overlay already (a container), ours would be one too many.
bool CopyLayers::private_views_work() const {
  Target target;
  target.working_dir = directories_.front();
  target.binary = directories_.front() / "program";
  return PrivateFs::prepare(target, directories_).ok();
}

Status CopyLayers::enter() {
  if (!wire::enter_mount_namespace(userns_)) {
    return refused("this machine does not let us have a mount namespace");
  }
  if (::mount("tmpfs", root_.c_str(), "tmpfs", 0, "mode=0755") != 0) {
    return refused("the kernel refuses a file system in memory");
  }
  std::error_code failed;
  for (std::size_t d = 0; d < directories_.size(); ++d) {
    const fs::path real = root_ / ("r" + std::to_string(d));
    fs::create_directory(real, failed);
    if (::mount(directories_[d].c_str(), real.c_str(), nullptr, MS_BIND, nullptr) != 0) {
      return refused("the kernel refuses to bind " + directories_[d].string());
    }
  }
  fs::create_directory(temporary(), failed);
  if (Status covered = cover_all(true); covered && private_views_work()) return {};
  uncover_all();
  for (std::size_t d = 0; d < directories_.size(); ++d) {
    fs::remove_all(root_ / ("u" + std::to_string(d)), failed);
    fs::remove_all(root_ / ("k" + std::to_string(d)), failed);
  }
  return cover_all(false);
}

void CopyLayers::leave() {
  uncover_all();
  if (::chdir("/") == 0) ::umount2(root_.c_str(), MNT_DETACH);
  ::rmdir(root_.c_str());
  root_.clear();
}

bool CopyLayers::covers(const fs::path& file) const {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(file, failed);
  return !failed &&
         std::any_of(directories_.begin(), directories_.end(),
                     [&real](const fs::path& directory) { return is_below(real, directory); });
}

fs::path CopyLayers::original(const fs::path& file) const {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(file, failed);
  for (std::size_t d = directories_.size(); d-- > 0;) {  // the innermost one counts
    if (!is_below(real, directories_[d])) continue;
    return root_ / ("r" + std::to_string(d)) / real.lexically_relative(directories_[d]);
  }
  return {};
}

}  // namespace gordian
