// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/process/process_view.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.h"
#include "wire/private_fs.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
namespace wire = gordian_wire;

constexpr std::size_t kMostMountOptions = 4096;  // a page; the kernel cuts the rest off

/// A layer over a directory would hide what is mounted below it.
bool holds_mounts(const fs::path& directory, const std::vector<fs::path>& mounts) {
  return std::any_of(mounts.begin(), mounts.end(), [&](const fs::path& mount) {
    return mount != directory && is_below(mount, directory);
  });
}

/// In a user namespace nothing is copied up through a directory that is somebody else's.
bool reached_through_own(fs::path path, const fs::path& cover) {
  for (; path != cover; path = path.parent_path()) {
    struct stat st;
    if (path.parent_path() == path || ::stat(path.c_str(), &st) != 0) return false;
    if (st.st_uid != ::geteuid()) return false;
  }
  return true;
}

/// Real directories, outermost first, without those that another one covers well enough.
std::vector<fs::path> chosen(const std::vector<fs::path>& paths) {
  std::vector<fs::path> kept;
  for (const fs::path& path : real_directories(paths)) {
    const bool covered = std::any_of(kept.begin(), kept.end(), [&path](const fs::path& cover) {
      return is_below(path, cover) && (::geteuid() == 0 || reached_through_own(path, cover));
    });
    if (!covered) kept.push_back(path);
  }
  return kept;
}

bool copy_attributes(const fs::path& from, const fs::path& to) {
  struct stat st;
  if (::lstat(from.c_str(), &st) != 0) return false;
  if (::lchown(to.c_str(), st.st_uid, st.st_gid) != 0) errno = 0;  // not ours to give: as it is
  if (S_ISLNK(st.st_mode)) return true;
  const timespec times[] = {st.st_atim, st.st_mtim};
  return ::chmod(to.c_str(), st.st_mode & 07777) == 0 &&
         ::utimensat(AT_FDCWD, to.c_str(), times, 0) == 0;
}

bool copy_whole(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::copy_symlinks, failure);
  if (failure) return false;
  copy_attributes(from, to);
  return true;
}

bool put_content_back(const fs::path& now, const fs::path& then) {
  std::error_code failure;
  const bool was_there = fs::exists(fs::symlink_status(then, failure));
  const bool both_directories = fs::is_directory(fs::symlink_status(then, failure)) &&
                                fs::is_directory(fs::symlink_status(now, failure));
  if (both_directories) return true;  // that it is there; what is in it has names of its own
  fs::remove_all(now, failure);
  if (!was_there) return !fs::exists(fs::symlink_status(now, failure));
  fs::create_directories(now.parent_path(), failure);
  return copy_whole(then, now);
}

bool put_entries_back(const fs::path& now, const fs::path& then) {
  std::error_code failure;
  std::vector<fs::path> surplus;
  for (const auto& entry : fs::directory_iterator(now, failure)) {
    if (!fs::exists(fs::symlink_status(then / entry.path().filename(), failure))) {
      surplus.push_back(entry.path());
    }
  }
  for (const fs::path& path : surplus) fs::remove_all(path, failure);
  for (const auto& entry : fs::directory_iterator(then, failure)) {
    const fs::path here = now / entry.path().filename();
    if (!fs::exists(fs::symlink_status(here, failure)) && !copy_whole(entry.path(), here)) {
      return false;
    }
  }
  return true;
}

}  // namespace

ProcessView::ProcessView(PrivateFs fs, std::vector<std::string> left_out)
    : fs_(std::move(fs)),
      left_out_(std::move(left_out)),
      header_(std::make_unique<wire::Header>()) {
  fs_.describe_to(*header_);
}

Result<ProcessView> ProcessView::prepare(const fs::path& build_dir,
                                         const std::vector<fs::path>& wanted,
                                         const std::vector<fs::path>& required) {
  const std::vector<fs::path> mounts = mount_points();
  std::vector<std::string> left_out;
  std::vector<fs::path> paths = required;
  for (const fs::path& path : wanted) {
    std::error_code none;
    const fs::path canonical = fs::weakly_canonical(path, none);
    if (!holds_mounts(canonical, mounts)) {
      paths.push_back(path);
    } else if (canonical != "/") {
      left_out.push_back("other file systems are mounted below " + canonical.string() +
                         ", so that what tests change in it is not undone");
    }
  }
  Target target;
  target.working_dir = build_dir;
  target.binary = build_dir / "CTestTestfile.cmake";
  std::optional<Error> first;
  // Where nothing else can be written our own mount point has to be in /dev/shm.
  for (const char* memory : {"/dev/shm", ""}) {
    std::vector<fs::path> with = paths;
    if (*memory != '\0') with.emplace_back(memory);
    auto prepared = PrivateFs::prepare(target, chosen(with));
    if (prepared) return ProcessView(std::move(*prepared), left_out);
    if (prepared.error().kind == ErrorKind::internal) return prepared.error();
    if (!first) first = prepared.error();
  }
  return *first;
}

bool ProcessView::enter() const {
  if (!wire::enter_mount_namespace(header_->fs_userns != 0)) return false;
  wire::own_ipc();
  return wire::cover_for_process(header_.get());
}

/// Never an overlay over an overlay, which the kernel allows twice only: the one that is there is
/// taken away, and its upper directory becomes the first of the lower ones.
bool ProcessView::push_layer(std::vector<std::string>& layers) const {
  const std::string root = header_->fs_root;
  const std::vector<std::string>& covered = fs_.directories();
  if (layers.empty()) layers.push_back(root);
  const std::string base = root + "/b" + std::to_string(::getpid());
  if (::unshare(CLONE_NEWNS) != 0 || ::mkdir(base.c_str(), 0700) != 0) return false;
  for (std::size_t d = covered.size(); d-- > 0;) ::umount2(covered[d].c_str(), MNT_DETACH);
  for (std::size_t d = 0; d < covered.size(); ++d) {
    const std::string number = std::to_string(d), upper = base + "/u" + number;
    const std::string work = base + "/k" + number;
    std::string options = "lowerdir=";
    for (const std::string& layer : layers) options += layer + "/u" + number + ":";
    options += root + "/r" + number + ",upperdir=" + upper + ",workdir=" + work;
    if (header_->fs_userns != 0) options += ",userxattr";
    const std::string below = layers.front() + "/u" + number;
    if (options.size() >= kMostMountOptions || !wire::make_like(upper.c_str(), below.c_str()) ||
        ::mkdir(work.c_str(), 0700) != 0 ||
        ::mount("overlay", covered[d].c_str(), "overlay", 0, options.c_str()) != 0) {
      return false;
    }
  }
  layers.insert(layers.begin(), base);
  return true;
}

void ProcessView::drop_rights() const {
  if (header_->fs_userns != 0) wire::drop_capabilities();
}

void ProcessView::remove_root() const {
  ::rmdir(header_->fs_root);
}

std::optional<std::string> ProcessView::original(const std::string& path) const {
  for (std::size_t d = fs_.directories().size(); d-- > 0;) {  // the innermost one counts
    const fs::path& directory = fs_.directories()[d];
    if (!is_below(path, directory)) continue;
    const fs::path rest = fs::path(path).lexically_relative(directory);
    return (fs::path(header_->fs_root) / ("r" + std::to_string(d)) / rest).string();
  }
  return std::nullopt;
}

bool ProcessView::put_back(const FileKey& file) const {
  const auto then = original(file.path);
  if (!then) return false;
  switch (file.part) {
    case FileKey::Part::content:
      return put_content_back(file.path, *then);
    case FileKey::Part::entries:
      return put_entries_back(file.path, *then);
    case FileKey::Part::attributes:
      return copy_attributes(*then, file.path);
  }
  return false;
}

}  // namespace gordian
