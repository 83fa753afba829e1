// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The file system as another process sees it, through /proc/PID/root: its own mounts, private
// layers included. Path names are followed step by step, because every step is something that the
// process reads: a directory that must exist, a link that says where to go.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <compare>
#include <cstdint>
#include <map>
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
  bool is_link() const { return S_ISLNK(mode); }
  bool is_directory() const { return S_ISDIR(mode); }
  bool is_regular() const { return S_ISREG(mode); }
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
  pid_t pid_;
  UniqueFd root_;
};

/// Where a link leads; empty when it is none. `directory`: a descriptor, for relative names.
std::string read_link(int directory, const std::string& path);
/// Below /proc or /sys: the kernel's own, no state of tests.
bool is_kernel_path(const std::string& path);
/// "/a/b" of "/a/b/c"; "" of "/c".
std::string parent_of(const std::string& path);

/// A number of an inode is given to another file as soon as its own is gone, so the time of birth
/// belongs to the key; where a file system has none, the key holds for one process only.
struct InodeKey {
  std::uint64_t inode = 0;
  std::int64_t born_ns = 0;
  std::uint64_t device = 0, scope = 0;  ///< only without a time of birth
  friend auto operator<=>(const InodeKey&, const InodeKey&) = default;
};

/// The device is left out where it can be: each private layer is one of its own, over the same
/// files. `scope` tells processes apart.
InodeKey key_of(const FileEntry& entry, std::uint64_t scope);

/// One name for each file that has several: whoever writes one hard link changes what is read by
/// the other.
class InodeNames {
 public:
  /// The path under which a file with several links was seen first; of any other, its own.
  std::string name(const FileEntry& entry, std::uint64_t scope, const std::string& path);
  /// It is about to get a second link.
  void will_be_linked(const FileEntry& entry, std::uint64_t scope, const std::string& path);
  /// One of its links is about to go.
  void will_be_unlinked(const FileEntry& entry, std::uint64_t scope);

 private:
  std::map<InodeKey, std::string> names_;
};

/// What a process has open: reading and writing it needs no call that names it.
struct OpenDescription {
  std::string path;                         ///< of a file; empty for a socket
  bool readable = false, writable = false;  ///< a file
  std::optional<std::string> peer;          ///< of a connected socket: its struct sockaddr
};

/// Files with a name and connected sockets. What may not be looked at is left out.
std::vector<OpenDescription> open_descriptions(pid_t process, const ProcessFiles& files);

}  // namespace gordian
