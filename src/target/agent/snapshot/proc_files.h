// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Small readers of /proc for code that must not touch libc's state.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace gordian_agent {

/// Calls fn(fd) for each open descriptor but the one used for asking.
template <class Fn>
bool each_descriptor(Fn fn);

/// Reads up to `size` bytes; negative on error.
long read_proc(const char* path, char* buffer, size_t size);

int live_threads();
/// True unless this process has no child at all and its parent none but us and `keeper`.
bool has_relatives(int keeper);
/// True if a POSIX timer exists, or it cannot be told.
bool has_posix_timers();
/// Hash of what a process can ask of the kernel and hardly take back: users, groups, rights, locked
/// memory, priority, session, root directory, namespaces, what prctl and personality set.
uint64_t attributes_hash();

// --- implementation of the template ---

int open_descriptor_list();
int next_descriptors(int list, int* fds, int most);
void close_descriptor_list(int list);

template <class Fn>
bool each_descriptor(Fn fn) {
  int list = open_descriptor_list();
  if (list < 0) return false;
  int fds[128];
  for (int count; (count = next_descriptors(list, fds, 128)) > 0;) {
    for (int i = 0; i < count; ++i) {
      if (fds[i] != list) fn(fds[i]);
    }
  }
  close_descriptor_list(list);
  return true;
}

}  // namespace gordian_agent
