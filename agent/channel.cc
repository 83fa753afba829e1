// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent.h"

namespace gordian_agent {

wire::Header* header;
int32_t* plan;
wire::Slot* slots;

namespace {

char* arena;
int channel_fd = -1;

/// "12,13" -> two descriptors. No strto*: those look at the locale.
bool parse_fds(const char* text, int* memory_fd, int* socket_fd) {
  int values[2] = {0, 0};
  int index = 0;
  for (const char* p = text; *p; ++p) {
    if (*p == ',' && index == 0) {
      index = 1;
    } else if (*p >= '0' && *p <= '9') {
      values[index] = values[index] * 10 + (*p - '0');
    } else {
      return false;
    }
  }
  *memory_fd = values[0];
  *socket_fd = values[1];
  return index == 1;
}

bool map_memory(int fd) {
  struct stat st;
  if (fstat(fd, &st) != 0 || st.st_size < (off_t)sizeof(wire::Header)) return false;
  void* base = mmap(nullptr, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) return false;
  wire::Header* h = (wire::Header*)base;
  if (h->magic != wire::kMagic || h->version != wire::kVersion ||
      h->header_size != sizeof(wire::Header) || h->total_size > (uint64_t)st.st_size) {
    return false;
  }
  header = h;
  plan = (int32_t*)((char*)base + h->plan_offset);
  slots = (wire::Slot*)((char*)base + h->slots_offset);
  arena = (char*)base + h->arena_offset;
  return true;
}

}  // namespace

bool attach() {
  const char* text = getenv(GORDIAN_WIRE_ENV);
  int memory_fd = -1;
  if (!text || !parse_fds(text, &memory_fd, &channel_fd)) return false;
  if (!map_memory(memory_fd)) return false;
  close(memory_fd);
  fcntl(channel_fd, F_SETFD, FD_CLOEXEC);
  for (uint32_t i = 0; i < header->workers; ++i) {
    fcntl(header->capture_fd[i], F_SETFD, FD_CLOEXEC);
  }
  return true;
}

void clean_environment() {
  // The engine prepended our library; what follows the first ':' is the user's own.
  const char* preload = getenv("LD_PRELOAD");
  const char* rest = preload ? strchr(preload, ':') : nullptr;
  if (rest && rest[1]) {
    setenv("LD_PRELOAD", rest + 1, 1);
  } else {
    unsetenv("LD_PRELOAD");
  }
  unsetenv(GORDIAN_WIRE_ENV);
}

void send_byte(char byte) {
  ssize_t n;
  do {
    n = write(channel_fd, &byte, 1);
  } while (n < 0 && errno == EINTR);
  if (n != 1) _exit(125);  // the engine is gone
}

char receive_byte() {
  char byte = wire::kQuit;
  ssize_t n;
  do {
    n = read(channel_fd, &byte, 1);
  } while (n < 0 && errno == EINTR);
  return n == 1 ? byte : (char)wire::kQuit;
}

bool is_channel(int fd) {
  return fd == channel_fd;
}

void close_channel() {
  close(channel_fd);
  channel_fd = -1;
}

void give_up(wire::Fault fault) {
  header->fault = fault;
  if (channel_fd >= 0) send_byte(wire::kFault);
  _exit(125);
}

uint32_t arena_take(size_t size) {
  size_t rounded = (size + 7) & ~(size_t)7;
  uint64_t at = __atomic_fetch_add(&header->arena_used, rounded, __ATOMIC_RELAXED);
  if (at + rounded > header->arena_size || at + rounded > 0xffffffffu) return 0;
  return (uint32_t)at;
}

char* arena_at(uint32_t offset) {
  return arena + offset;
}

uint32_t arena_failure(Text file, int line, Text message) {
  const size_t kLongest = 64 * 1024;
  if (message.size > kLongest) message.size = kLongest;
  if (file.size > wire::kMaxPath * 8) file.size = wire::kMaxPath * 8;
  uint32_t at = arena_take(sizeof(wire::FailureText) + file.size + message.size);
  if (at == 0) return 0;
  wire::FailureText head = {line, (uint32_t)file.size, (uint32_t)message.size};
  char* to = arena_at(at);
  memcpy(to, &head, sizeof head);
  memcpy(to + sizeof head, file.data, file.size);
  memcpy(to + sizeof head + file.size, message.data, message.size);
  return at;
}

void* agent_memory(size_t size) {
  void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
  if (p == MAP_FAILED) give_up(wire::kNoMemoryLeft);
  return p;
}

uint64_t now_ns() {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

}  // namespace gordian_agent
