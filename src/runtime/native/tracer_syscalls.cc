// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/tracer_syscalls.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "symbols/process_memory.h"

namespace gordian {
namespace {

enum class Shape : std::uint8_t { buffer, path, gathered, message };

struct Reader {
  long number;
  Shape shape;
  std::size_t argument;  ///< the pointer; a length follows it
};

constexpr std::array kReaders = {
    Reader{SYS_write, Shape::buffer, 1},     Reader{SYS_pwrite64, Shape::buffer, 1},
    Reader{SYS_sendto, Shape::buffer, 1},    Reader{SYS_writev, Shape::gathered, 1},
    Reader{SYS_pwritev, Shape::gathered, 1}, Reader{SYS_sendmsg, Shape::message, 1},
    Reader{SYS_open, Shape::path, 0},        Reader{SYS_openat, Shape::path, 1},
    Reader{SYS_creat, Shape::path, 0},       Reader{SYS_stat, Shape::path, 0},
    Reader{SYS_lstat, Shape::path, 0},       Reader{SYS_newfstatat, Shape::path, 1},
    Reader{SYS_statx, Shape::path, 1},       Reader{SYS_access, Shape::path, 0},
    Reader{SYS_faccessat, Shape::path, 1},   Reader{SYS_faccessat2, Shape::path, 1},
    Reader{SYS_unlink, Shape::path, 0},      Reader{SYS_unlinkat, Shape::path, 1},
    Reader{SYS_rename, Shape::path, 0},      Reader{SYS_rename, Shape::path, 1},
    Reader{SYS_renameat2, Shape::path, 1},   Reader{SYS_renameat2, Shape::path, 3},
    Reader{SYS_mkdir, Shape::path, 0},       Reader{SYS_mkdirat, Shape::path, 1},
    Reader{SYS_rmdir, Shape::path, 0},       Reader{SYS_chdir, Shape::path, 0},
    Reader{SYS_chmod, Shape::path, 0},       Reader{SYS_truncate, Shape::path, 0},
    Reader{SYS_readlink, Shape::path, 0},    Reader{SYS_readlinkat, Shape::path, 1},
    Reader{SYS_execve, Shape::path, 0},
};

std::uint64_t path_length(pid_t pid, std::uint64_t at) {
  constexpr std::uint64_t kLongestPath = 4096, kPiece = 64;
  for (std::uint64_t length = 0; length < kLongestPath;) {
    // Pieces that cross no page: the next one may not be there.
    const std::uint64_t piece = kPiece - (at + length) % kPiece;
    const auto bytes = read_memory(pid, TargetAddr{at + length}, piece);
    if (!bytes) return length;
    if (const auto end = bytes->find('\0'); end != std::string::npos) return length + end + 1;
    length += piece;
  }
  return kLongestPath;
}

void add_gathered(pid_t pid, std::uint64_t at, std::uint64_t count,
                  std::vector<CallBuffer>& buffers) {
  constexpr std::uint64_t kMostVectors = 1024;  // the kernel's own limit
  count = std::min(count, kMostVectors);
  buffers.push_back({at, count * sizeof(iovec)});
  const auto bytes = read_memory(pid, TargetAddr{at}, count * sizeof(iovec));
  for (std::uint64_t i = 0; bytes && i < count; ++i) {
    iovec vector{};
    std::memcpy(&vector, bytes->data() + i * sizeof(iovec), sizeof(iovec));
    buffers.push_back({reinterpret_cast<std::uint64_t>(vector.iov_base), vector.iov_len});
  }
}

}  // namespace

std::vector<CallBuffer> buffers_read_by(pid_t pid, const SyscallStop& call) {
  std::vector<CallBuffer> buffers;
  for (const Reader& reader : kReaders) {
    if (reader.number != call.number) continue;
    const std::uint64_t at = call.arguments[reader.argument];
    const std::uint64_t length = call.arguments[std::min<std::size_t>(reader.argument + 1, 5)];
    if (reader.shape == Shape::buffer) buffers.push_back({at, length});
    if (reader.shape == Shape::path) buffers.push_back({at, path_length(pid, at)});
    if (reader.shape == Shape::gathered) add_gathered(pid, at, length, buffers);
    if (reader.shape != Shape::message) continue;
    if (const auto bytes = read_memory(pid, TargetAddr{at}, sizeof(msghdr))) {
      msghdr header{};
      std::memcpy(&header, bytes->data(), sizeof(header));
      add_gathered(pid, reinterpret_cast<std::uint64_t>(header.msg_iov), header.msg_iovlen,
                   buffers);
    }
  }
  return buffers;
}

}  // namespace gordian
