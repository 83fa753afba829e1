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

#include "target/agent/agent.h"
#include "wire/check.h"

namespace gordian_agent {

const wire::Header* header;
const int32_t* plan;
wire::Report* report;
wire::Slot* slots;
void (*coverage_dump)();
void (*trace_test)(int32_t test);

namespace {

char* arena;
int channel_fd = -1;

/// "12,13,14" -> three descriptors. No strto*: those look at the locale.
bool parse_fds(const char* text, int (*values)[3]) {
  int index = 0;
  (*values)[0] = (*values)[1] = (*values)[2] = 0;
  for (const char* p = text; *p; ++p) {
    if (*p == ',' && index < 2) {
      ++index;
    } else if (*p >= '0' && *p <= '9') {
      (*values)[index] = (*values)[index] * 10 + (*p - '0');
    } else {
      return false;
    }
  }
  return index == 2;
}

/// The whole file; nullptr when it is smaller than `least`.
char* map_file(int fd, size_t least, int rights) {
  struct stat st;
  if (fstat(fd, &st) != 0 || st.st_size < (off_t)least) return nullptr;
  void* base = mmap(nullptr, (size_t)st.st_size, rights, MAP_SHARED, fd, 0);
  return base == MAP_FAILED ? nullptr : (char*)base;
}

bool map_memory(int header_fd, int report_fd) {
  char* orders = map_file(header_fd, sizeof(wire::Header), PROT_READ);
  const wire::Header* h = (const wire::Header*)orders;
  if (!h || h->magic != wire::kMagic || h->version != wire::kVersion ||
      h->header_size != sizeof(wire::Header) || h->report_size != sizeof(wire::Report)) {
    return false;
  }
  char* told = map_file(report_fd, h->report_total, PROT_READ | PROT_WRITE);
  if (!told) return false;
  header = h;
  plan = (const int32_t*)(orders + h->plan_offset);
  report = (wire::Report*)told;
  slots = (wire::Slot*)(told + h->slots_offset);
  arena = told + h->arena_offset;
  return true;
}

}  // namespace

bool attach() {
  const char* text = getenv(GORDIAN_WIRE_ENV);
  int fds[3];
  if (!text || !parse_fds(text, &fds) || !map_memory(fds[0], fds[1])) return false;
  close(fds[0]);
  close(fds[1]);
  channel_fd = fds[2];
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
  report->fault = fault;
  if (channel_fd >= 0) send_byte(wire::kFault);
  _exit(125);
}

uint32_t arena_take(size_t size) {
  size_t rounded = (size + 7) & ~(size_t)7;
  uint64_t at = __atomic_fetch_add(&report->arena_used, rounded, __ATOMIC_RELAXED);
  const uint64_t room = header->arena_size < 0xffffffffu ? header->arena_size : 0xffffffffu;
  if (at > room || rounded > room - at) return 0;
  return (uint32_t)at;
}

char* arena_at(uint32_t offset) {
  return arena + offset;
}

uint32_t arena_failure(Text file, int line, Text message) {
  if (message.size > wire::kLongestMessage) message.size = wire::kLongestMessage;
  if (file.size > wire::kLongestFile) file.size = wire::kLongestFile;
  uint32_t at = arena_take(sizeof(wire::FailureText) + file.size + message.size);
  if (at == 0) return 0;
  wire::FailureText head = {line, (uint32_t)file.size, (uint32_t)message.size, 0};
  char* to = arena_at(at);
  memcpy(to + sizeof head, file.data, file.size);
  memcpy(to + sizeof head + file.size, message.data, message.size);
  head.check = wire::check_of(head, to + sizeof head, header->nonce);
  memcpy(to, &head, sizeof head);
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
