// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a watched system call (runtime/native/syscall_watch.h) means, before it is carried out:
// which names it looks at and which it may change, and whom it talks to. Pure: the caller's memory
// is not read here.
#pragma once

#include <fcntl.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gordian {

/// One path name among the arguments.
struct PathUse {
  int directory = AT_FDCWD;  ///< a descriptor, for relative names
  std::uint64_t text = 0;    ///< where the name stands; 0, or an empty text: the descriptor itself
  bool follow = true;        ///< a link at its end
  bool reads = true;         ///< what is there now makes a difference
  bool writes = false;       ///< may make, change or remove it
  bool attributes = false;   ///< may change rights or owner
  bool stamps = false;       ///< changes times or extended attributes, which are not compared
  bool unlinks = false;      ///< removes this name of it
  bool links = false;        ///< gives it a further name
  bool empties = false;      ///< a directory that has to be empty
};

struct SocketUse {
  enum class Where { address, message, messages } where = Where::address;
  std::uint64_t at = 0;     ///< of a struct sockaddr, msghdr, or mmsghdr[count]
  std::uint64_t count = 0;  ///< bytes of an address, or messages
  bool binds = false;
};

struct ExternalCall {
  std::vector<PathUse> paths;
  bool enters = false;      ///< the (only) path becomes the working directory
  bool asks_where = false;  ///< getcwd
  bool masked = false;      ///< what it makes has its rights cut by the umask
  std::optional<std::uint32_t> umask;
  std::optional<int> lists;  ///< the names in the directory open here
  std::optional<SocketUse> socket;
};

using CallArguments = std::array<std::uint64_t, 6>;

/// Flags of openat2() stand in memory: `how_flags`, for that call only.
ExternalCall read_external_call(long number, const CallArguments& arguments,
                                std::uint64_t how_flags = 0);

/// Addresses of sockets as people write them.
struct PeerAddress {
  std::string text;           ///< "127.0.0.1:6379", "[::1]:80", "unix:/run/x", "unix:@abstract"
  std::string path;           ///< of a UNIX socket with a name in the file system
  bool answers_only = false;  ///< name service: it is asked, and keeps nothing of it
};

/// `bytes`: a struct sockaddr as the program gave it. An empty text: no address that two tests
/// could share (port 0, netlink, ...), or no address at all.
PeerAddress read_peer_address(std::string_view bytes);

}  // namespace gordian
