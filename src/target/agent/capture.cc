// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Output goes to one memory file per worker, opened for appending; a slot remembers which part is
// its own. Tests may close, redirect or capture stdout: sizes are asked of our own descriptor.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/agent/agent.h"
#include "wire/private_fs.h"
#include "wire/small_text.h"

namespace gordian_agent {
namespace {

int own_fd = -1;

/// Moves the last half of the kept size behind the first half and drops the rest.
void keep_head_and_tail(uint64_t begin, uint64_t end) {
  const uint64_t half = wire::kOutputKeep / 2;
  char buffer[4096];
  for (uint64_t done = 0; done < half;) {
    size_t chunk = sizeof buffer < half - done ? sizeof buffer : (size_t)(half - done);
    ssize_t n = pread(own_fd, buffer, chunk, (off_t)(end - half + done));
    if (n <= 0) break;
    // pwrite on an O_APPEND file appends on Linux, whatever the offset: seek-free writing needs
    // the flag off. The engine opens our descriptor without it; only stdout and stderr have it.
    if (pwrite(own_fd, buffer, (size_t)n, (off_t)(begin + half + done)) != n) break;
    done += (uint64_t)n;
  }
  if (ftruncate(own_fd, (off_t)(begin + wire::kOutputKeep)) != 0) return;
}

/// False when the program sent its output elsewhere before its first test: that stays so.
bool is_first_capture(int fd) {
  struct stat mine, first;
  return fstat(fd, &mine) == 0 && fstat(header->capture_fd[0], &first) == 0 &&
         mine.st_ino == first.st_ino && mine.st_dev == first.st_dev;
}

bool covered;
bool owns_ipc;  // and began with none of its objects
char directory[wire::kMaxPath * 2];

}  // namespace

void capture_as(uint32_t worker) {
  own_fd = header->capture_fd[worker];
  if (worker == 0) return;  // the engine started us with stdout and stderr on the first file
  wire::SmallText path;
  path << "/proc/self/fd/" << (unsigned)own_fd;
  int appending = open(path.data, O_RDWR | O_APPEND | O_CLOEXEC);  // a description of its own
  if (appending < 0) return;
  for (int fd = 1; fd <= 2; ++fd) {
    if (is_first_capture(fd)) dup2(appending, fd);
  }
  close(appending);
}

void capture_as_reader(uint32_t worker) {
  own_fd = header->capture_fd[worker];
}

uint64_t capture_size() {
  struct stat st;
  if (own_fd < 0 || fstat(own_fd, &st) != 0) return 0;
  return (uint64_t)st.st_size;
}

void capture_cut(wire::Slot* slot) {
  if (slot->output_begin > slot->output_end || slot->output_end > capture_size()) return;
  if (slot->output_end - slot->output_begin <= wire::kOutputKeep) return;
  keep_head_and_tail(slot->output_begin, slot->output_end);
  slot->output_end = slot->output_begin + wire::kOutputKeep;
  slot->flags |= wire::kOutputCut;
}

void own_file_system(uint32_t) {
  if (header->fs_dirs == 0) return;
  bool userns = header->fs_userns != 0;
  if (!covered) {
    if (!getcwd(directory, sizeof directory)) directory[0] = 0;
    if (!wire::enter_mount_namespace(userns)) give_up(wire::kPrivateFsFailed);
    // What was made before the first test has to stay: programs know its numbers.
    owns_ipc = wire::count_ipc_objects() == 0;
  }
  if (owns_ipc) wire::own_ipc();
  if (!wire::cover_for_worker(header, covered)) give_up(wire::kPrivateFsFailed);
  covered = true;
  // Our current directory is still the one below the new layer: enter it again by its name.
  if (directory[0] && chdir(directory) != 0) give_up(wire::kPrivateFsFailed);
}

void leave_file_system_rights() {
  if (covered && header->fs_userns) wire::drop_capabilities();
}

bool file_system_touched() {
  if (!covered) return false;
  if (owns_ipc && wire::count_ipc_objects() != 0) return true;
  wire::SmallText base;
  base << header->fs_root << "/w";
  return wire::upper_layers_touched(header, base.data);
}

}  // namespace gordian_agent
