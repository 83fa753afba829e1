// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "batch/rendezvous.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace gordian::batch {
namespace {

constexpr int kServerSocket = 3;  // where the server finds it
constexpr std::string_view kLogEnding = ".log";

/// Held by whoever makes or removes something in the directory.
std::string lock_of(const std::filesystem::path& directory) {
  return directory / "lock";
}

Error failure(const std::string& what) {
  return internal_error(what + ": " + std::strerror(errno));
}

/// Made by us, for us, and no link to somewhere else.
bool is_private(const std::string& directory) {
  struct stat found {};
  return ::lstat(directory.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
         found.st_uid == ::geteuid() && (found.st_mode & 0077) == 0;
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

/// Invalid when nobody listens there.
UniqueFd try_connect(const std::string& path) {
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = address_of(path);
  while (fd.valid() &&
         ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    if (errno != EINTR) fd.reset();
  }
  return fd;
}

/// REQUIRES: we hold the lock, and nobody listens: what stands there is stale.
Result<UniqueFd> listen_at(const std::string& path) {
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd.valid()) return failure("socket");
  ::unlink(path.c_str());
  sockaddr_un address = address_of(path);
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(fd.get(), SOMAXCONN) != 0) {
    return failure(path);
  }
  return fd;
}

std::vector<std::string> server_command(const Batch& batch, const std::string& socket_path,
                                        const std::string& gordian) {
  std::vector<std::string> words = {gordian, "ctest-serve", "--socket=" + socket_path,
                                    "--ctest=" + batch.ctest.text()};
  words.insert(words.end(), batch.options.begin(), batch.options.end());
  words.push_back(batch.binary);
  words.emplace_back("--");
  words.insert(words.end(), batch.args.begin(), batch.args.end());
  return words;
}

/// Between fork and exec: nothing of ctest's may stay open, or ctest would wait for it.
[[noreturn]] void become_server(char* const* argv, int socket, int log) {
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, 0);
  ::dup2(null, 1);
  ::dup2(log, 2);
  ::dup2(socket, kServerSocket);
  ::syscall(SYS_close_range, unsigned{kServerSocket + 1}, ~0u, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGCHLD}) {
    ::signal(number, SIG_DFL);
  }
  ::execv(argv[0], argv);
  const char* why = std::strerror(errno);
  if (::write(2, why, std::strlen(why)) < 0) ::_exit(126);
  ::_exit(127);
}

/// A number that is neither of those that become_server() overwrites.
int above_server_socket(const UniqueFd& fd) {
  return ::fcntl(fd.get(), F_DUPFD_CLOEXEC, kServerSocket + 1);
}

Status start_server(const Batch& batch, const std::string& socket_path,
                    const std::string& gordian) {
  auto listener = listen_at(socket_path);
  if (!listener) return listener.error();
  ::unlink(log_path(socket_path).c_str());
  UniqueFd log(
      ::open(log_path(socket_path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!log.valid()) return failure(log_path(socket_path));
  ::flock(log.get(), LOCK_EX | LOCK_NB);  // the server's from now on, until it and all of it ended
  UniqueFd high_socket(above_server_socket(*listener)), high_log(above_server_socket(log));
  std::vector<std::string> words = server_command(batch, socket_path, gordian);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = ::fork();
  if (child == 0) become_server(argv.data(), high_socket.get(), high_log.get());
  if (child < 0) return failure("fork");
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return {};
}

Result<UniqueFd> with_own_server(UniqueFd connection, const std::string& socket_path) {
  if (is_same_user(connection.get())) return connection;
  return internal_error("another user listens at " + socket_path);
}

}  // namespace

Result<std::string> meeting_place() {
  constexpr std::size_t kLongest = 60;  // leaves room for a name in sockaddr_un
  const char* places[] = {std::getenv("XDG_RUNTIME_DIR"), std::getenv("TMPDIR"), "/tmp"};
  for (const char* place : places) {
    if (place == nullptr || *place != '/') continue;
    std::string directory = std::string(place) + "/gordian-" + std::to_string(::geteuid());
    if (directory.size() > kLongest) continue;
    if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) continue;
    if (is_private(directory)) return directory;
  }
  return internal_error("there is no place for a private directory in XDG_RUNTIME_DIR or /tmp");
}

bool is_same_user(int connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         size == sizeof peer && peer.uid == ::geteuid();
}

std::string log_path(const std::string& socket_path) {
  return socket_path + std::string(kLogEnding);
}

void sweep_crashed(const std::filesystem::path& directory) {
  UniqueFd lock(::open(lock_of(directory).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.valid() || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return;  // some other time
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(directory, none)) {
    const std::string log = entry.path().string();
    if (!log.ends_with(kLogEnding)) continue;
    const UniqueFd held(::open(log.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!held.valid() || ::flock(held.get(), LOCK_EX | LOCK_NB) != 0) continue;
    ::unlink(log.substr(0, log.size() - kLogEnding.size()).c_str());
    ::unlink(log.c_str());
  }
}

Result<UniqueFd> meet_server(const Batch& batch, const std::string& socket_path,
                             const std::string& gordian) {
  if (UniqueFd connected = try_connect(socket_path); connected.valid()) {
    return with_own_server(std::move(connected), socket_path);
  }
  std::string lock_path = lock_of(socket_path.substr(0, socket_path.rfind('/')));
  UniqueFd lock(::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.valid()) return failure(lock_path);
  while (::flock(lock.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return failure(lock_path);
  }
  UniqueFd connected = try_connect(socket_path);  // somebody else may have been quicker
  if (!connected.valid()) {
    if (Status started = start_server(batch, socket_path, gordian); !started) {
      return started.error();
    }
    connected = try_connect(socket_path);
  }
  ::flock(lock.get(), LOCK_UN);
  if (!connected.valid()) return internal_error("the batch server ended at once");
  return with_own_server(std::move(connected), socket_path);
}

}  // namespace gordian::batch
