// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/external_calls.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

namespace gordian {
namespace {

enum class Deed {
  look,       ///< stat, access, readlink, exec
  remove,     ///< unlink, and rename of the old name
  replace,    ///< rename of the new name: whatever is there goes
  make,       ///< mkdir, symlink, link of the new name: nothing may be there
  give,       ///< link of the old name
  change,     ///< truncate
  rights,     ///< chmod, chown
  stamp,      ///< utime, setxattr
  leave_dir,  ///< rmdir
};

constexpr int kNone = -1;

/// Where a call has its names. A call with two names has two rows.
struct Row {
  long number;
  int directory, path;  ///< arguments; no directory: the working one
  Deed deed;
  bool follow = true;
  int flags = kNone;  ///< argument with AT_SYMLINK_NOFOLLOW or AT_SYMLINK_FOLLOW
};

constexpr Row kRows[] = {
    {SYS_stat, kNone, 0, Deed::look},
    {SYS_lstat, kNone, 0, Deed::look, false},
    {SYS_newfstatat, 0, 1, Deed::look, true, 3},
    {SYS_statx, 0, 1, Deed::look, true, 2},
    {SYS_access, kNone, 0, Deed::look},
    {SYS_faccessat, 0, 1, Deed::look},
    {SYS_faccessat2, 0, 1, Deed::look, true, 3},
    {SYS_readlink, kNone, 0, Deed::look, false},
    {SYS_readlinkat, 0, 1, Deed::look, false},
    {SYS_statfs, kNone, 0, Deed::look},
    {SYS_getxattr, kNone, 0, Deed::look},
    {SYS_lgetxattr, kNone, 0, Deed::look, false},
    {SYS_listxattr, kNone, 0, Deed::look},
    {SYS_llistxattr, kNone, 0, Deed::look, false},
    {SYS_execve, kNone, 0, Deed::look},
    {SYS_execveat, 0, 1, Deed::look, true, 4},
    {SYS_chmod, kNone, 0, Deed::rights},
    {SYS_fchmod, 0, kNone, Deed::rights},
    {SYS_fchmodat, 0, 1, Deed::rights},
    {SYS_fchmodat2, 0, 1, Deed::rights, true, 3},
    {SYS_chown, kNone, 0, Deed::rights},
    {SYS_lchown, kNone, 0, Deed::rights, false},
    {SYS_fchown, 0, kNone, Deed::rights},
    {SYS_fchownat, 0, 1, Deed::rights, true, 4},
    {SYS_utime, kNone, 0, Deed::stamp},
    {SYS_utimes, kNone, 0, Deed::stamp},
    {SYS_futimesat, 0, 1, Deed::stamp},
    {SYS_utimensat, 0, 1, Deed::stamp, true, 3},
    {SYS_setxattr, kNone, 0, Deed::stamp},
    {SYS_lsetxattr, kNone, 0, Deed::stamp, false},
    {SYS_fsetxattr, 0, kNone, Deed::stamp},
    {SYS_removexattr, kNone, 0, Deed::stamp},
    {SYS_lremovexattr, kNone, 0, Deed::stamp, false},
    {SYS_fremovexattr, 0, kNone, Deed::stamp},
    {SYS_truncate, kNone, 0, Deed::change},
    {SYS_rename, kNone, 0, Deed::remove, false},
    {SYS_rename, kNone, 1, Deed::replace, false},
    {SYS_renameat, 0, 1, Deed::remove, false},
    {SYS_renameat, 2, 3, Deed::replace, false},
    {SYS_renameat2, 0, 1, Deed::remove, false},
    {SYS_renameat2, 2, 3, Deed::make, false},
    {SYS_unlink, kNone, 0, Deed::remove, false},
    {SYS_rmdir, kNone, 0, Deed::leave_dir, false},
    {SYS_mkdir, kNone, 0, Deed::make, false},
    {SYS_mkdirat, 0, 1, Deed::make, false},
    {SYS_mknod, kNone, 0, Deed::make, false},
    {SYS_mknodat, 0, 1, Deed::make, false},
    {SYS_link, kNone, 0, Deed::give, false},
    {SYS_link, kNone, 1, Deed::make, false},
    {SYS_linkat, 0, 1, Deed::give, false, 4},
    {SYS_linkat, 2, 3, Deed::make, false},
    {SYS_symlink, kNone, 1, Deed::make, false},
    {SYS_symlinkat, 1, 2, Deed::make, false},
    {SYS_chdir, kNone, 0, Deed::look},
    {SYS_fchdir, 0, kNone, Deed::look},
};

void apply(Deed deed, PathUse& use) {
  use.reads = deed != Deed::replace;
  use.writes = deed == Deed::remove || deed == Deed::replace || deed == Deed::make ||
               deed == Deed::change || deed == Deed::leave_dir;
  use.attributes = deed == Deed::rights || deed == Deed::make || deed == Deed::replace;
  use.stamps = deed == Deed::stamp;
  use.unlinks = deed == Deed::remove || deed == Deed::replace;
  use.links = deed == Deed::give;
  use.empties = deed == Deed::leave_dir;
}

PathUse use_of(const Row& row, const CallArguments& arguments) {
  PathUse use;
  if (row.directory != kNone) {
    use.directory = static_cast<int>(arguments[static_cast<std::size_t>(row.directory)]);
  }
  if (row.path != kNone) use.text = arguments[static_cast<std::size_t>(row.path)];
  use.follow = row.follow;
  if (row.flags != kNone) {
    const std::uint64_t flags = arguments[static_cast<std::size_t>(row.flags)];
    use.follow = row.follow ? (flags & AT_SYMLINK_NOFOLLOW) == 0 : (flags & AT_SYMLINK_FOLLOW) != 0;
  }
  apply(row.deed, use);
  return use;
}

ExternalCall opening(int directory, std::uint64_t text, std::uint64_t flags) {
  PathUse use;
  use.directory = directory;
  use.text = text;
  const bool creates = (flags & O_CREAT) != 0, truncates = (flags & O_TRUNC) != 0;
  const bool exclusive = creates && (flags & O_EXCL) != 0;
  use.follow = (flags & O_NOFOLLOW) == 0 && !exclusive;
  const bool nameless = (flags & O_TMPFILE) == O_TMPFILE, only_path = (flags & O_PATH) != 0;
  if (!nameless && !only_path) {
    // Made or emptied, whatever was there: what it was is never seen.
    use.reads = !(creates && truncates && !exclusive);
    use.writes = (flags & O_ACCMODE) != O_RDONLY || creates || truncates;
    use.attributes = creates;
  }
  ExternalCall call;
  call.masked = creates;
  call.paths.push_back(use);
  return call;
}

SocketUse address_use(std::uint64_t at, std::uint64_t size, bool binds) {
  return {SocketUse::Where::address, at, size, binds};
}

/// Calls that are more than a row of the table.
std::optional<ExternalCall> special_call(long number, const CallArguments& a,
                                         std::uint64_t how_flags) {
  ExternalCall call;
  switch (number) {
    case SYS_open:
      return opening(AT_FDCWD, a[0], a[1]);
    case SYS_creat:
      return opening(AT_FDCWD, a[0], O_CREAT | O_WRONLY | O_TRUNC);
    case SYS_openat:
      return opening(static_cast<int>(a[0]), a[1], a[2]);
    case SYS_openat2:
      return opening(static_cast<int>(a[0]), a[1], how_flags);
    case SYS_unlinkat: {
      const bool directory = (a[2] & AT_REMOVEDIR) != 0;
      call.paths.push_back(
          use_of({number, 0, 1, directory ? Deed::leave_dir : Deed::remove, false, kNone}, a));
      return call;
    }
    case SYS_getcwd:
      call.asks_where = true;
      return call;
    case SYS_umask:
      call.umask = static_cast<std::uint32_t>(a[0] & 0777);
      return call;
    case SYS_getdents:
    case SYS_getdents64:
      call.lists = static_cast<int>(a[0]);
      return call;
    case SYS_connect:
    case SYS_bind:
      call.socket = address_use(a[1], a[2], number == SYS_bind);
      call.masked = number == SYS_bind;
      return call;
    case SYS_sendto:
      call.socket = address_use(a[4], a[5], false);
      return call;
    case SYS_sendmsg:
      call.socket = SocketUse{SocketUse::Where::message, a[1], 1, false};
      return call;
    case SYS_sendmmsg:
      call.socket = SocketUse{SocketUse::Where::messages, a[1], a[2], false};
      return call;
    default:
      return std::nullopt;
  }
}

constexpr int kNameServicePort = 53;

/// The bytes as a struct; false when there are too few.
template <class T>
bool read_as(std::string_view bytes, std::size_t least, T& out) {
  if (bytes.size() < least) return false;
  std::memcpy(&out, bytes.data(), std::min(bytes.size(), sizeof out));
  return true;
}

PeerAddress with_port(const std::string& host, int port) {
  if (port == 0) return {};
  return {fmt::format("{}:{}", host, port), {}, port == kNameServicePort};
}

PeerAddress inet4(std::string_view bytes) {
  sockaddr_in address{};
  if (!read_as(bytes, sizeof address - sizeof address.sin_zero, address)) return {};
  char text[INET_ADDRSTRLEN] = "";
  ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
  return with_port(text, ntohs(address.sin_port));
}

PeerAddress inet6(std::string_view bytes) {
  sockaddr_in6 address{};
  if (!read_as(bytes, offsetof(sockaddr_in6, sin6_scope_id), address)) return {};
  char text[INET6_ADDRSTRLEN] = "";
  if (IN6_IS_ADDR_V4MAPPED(&address.sin6_addr)) {  // the same peer as by its old address
    ::inet_ntop(AF_INET, address.sin6_addr.s6_addr + 12, text, sizeof text);
    return with_port(text, ntohs(address.sin6_port));
  }
  ::inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof text);
  return with_port(fmt::format("[{}]", text), ntohs(address.sin6_port));
}

PeerAddress local(std::string_view bytes) {
  constexpr std::size_t kHead = offsetof(sockaddr_un, sun_path);
  if (bytes.size() <= kHead) return {};
  std::string_view name = bytes.substr(kHead, sizeof sockaddr_un::sun_path);
  if (name.front() == '\0') {
    std::string abstract(name.substr(1));
    std::replace(abstract.begin(), abstract.end(), '\0', '@');
    return {"unix:@" + abstract, {}, false};
  }
  std::string path(name.substr(0, name.find('\0')));
  return {"unix:" + path, path, path.ends_with("/nscd/socket")};
}

}  // namespace

ExternalCall read_external_call(long number, const CallArguments& arguments,
                                std::uint64_t how_flags) {
  if (auto special = special_call(number, arguments, how_flags)) return std::move(*special);
  ExternalCall call;
  for (const Row& row : kRows) {
    if (row.number == number) call.paths.push_back(use_of(row, arguments));
  }
  call.enters = number == SYS_chdir || number == SYS_fchdir;
  call.masked =
      number == SYS_mkdir || number == SYS_mkdirat || number == SYS_mknod || number == SYS_mknodat;
  return call;
}

PeerAddress read_peer_address(std::string_view bytes) {
  sa_family_t family = AF_UNSPEC;
  if (!read_as(bytes, sizeof family, family)) return {};
  switch (family) {
    case AF_INET:
      return inet4(bytes);
    case AF_INET6:
      return inet6(bytes);
    case AF_UNIX:
      return local(bytes);
    default:
      return {};
  }
}

}  // namespace gordian
