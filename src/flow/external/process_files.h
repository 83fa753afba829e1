// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The file system as another process sees it, through /proc/PID/root: its own mounts, private
// layers included. Path names are followed step by step, because every step is something that the
// process reads: a directory that must exist, a link that says where to go.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"

namespace gordian {

/// One name's inode. Never a link that was followed.
struct FileEntry {
  std::uint32_t mode = 0, uid = 0, gid = 0, links = 0;
  std::uint64_t size = 0, device = 0, inode = 0, mount = 0;
  std::int64_t born_ns = 0;  ///< 0: the file system does not tell
  bool is_link() const;
  bool is_directory() const;
  bool is_regular() const;
};

/// Where a path name leads. All paths are absolute, without links, "." and "..".
struct PathWalk {
  std::vector<std::string> passed;  ///< directories and links on the way
  std::string path;                 ///< the end; or the first name on the way that is not there
  std::optional<FileEntry> entry;   ///< what is there
  bool reached = false;             ///< path is the end: with no entry, it could be created
};

class ProcessFiles {
 public:
  /// `pid`: any of its threads.
  explicit ProcessFiles(pid_t pid);

  bool readable() const { return root_.valid(); }
  /// Of an absolute path without links.
  std::optional<FileEntry> entry(const std::string& path) const;
  /// `from`: an absolute directory for relative names. `follow`: a link at the end as well.
  PathWalk walk(const std::string& from, const std::string& path, bool follow) const;

  /// Empty when it has none with a name.
  std::string working_directory() const;
  /// What a descriptor is open on, if that has a name.
  std::optional<std::string> path_of(int fd) const;

  /// The directory at the top of the mount that holds a directory: nothing that the process does
  /// can remove it.
  std::string top_of_mount(const std::string& directory) const;
  /// A handle on a directory. What is below it on the same mount can be reached by it also when the
  /// process and its mounts are gone.
  UniqueFd hold_directory(const std::string& path) const;

 private:
  std::string link_text(const std::string& path) const;

  pid_t pid_;
  UniqueFd root_;
};

/// Below /proc or /sys: the kernel's own, no state of tests.
bool is_kernel_path(const std::string& path);
/// "/a/b" of "/a/b/c"; "" of "/c".
std::string parent_of(const std::string& path);
std::string last_name(const std::string& path);

}  // namespace gordian
