// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// In place of the agent (GORDIAN_AGENT): knows the protocol, and keeps to it or not, as the dice of
// PLAYED_SEED fall. Writes anything at any time, claims to be any process, says anything on the
// channel, hangs or ends. With PLAYED_FLOOD it says the same thing for ever.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>
#include <string>

#include "wire/check.h"

namespace {

namespace wire = gordian_wire;

std::mt19937 dice;
const wire::Header* header;
char* report_bytes;
int channel;

bool one_in(unsigned n) {
  return dice() % n == 0;
}

wire::Report& report() {
  return *reinterpret_cast<wire::Report*>(report_bytes);
}

char* map_whole(int fd, int rights) {
  struct stat st;
  if (fstat(fd, &st) != 0) _exit(1);
  void* at = mmap(nullptr, static_cast<size_t>(st.st_size), rights, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) _exit(1);
  return static_cast<char*>(at);
}

void say(char byte) {
  if (one_in(20)) byte = static_cast<char>(dice());
  if (write(channel, &byte, 1) != 1) _exit(0);
  if (one_in(30) && write(channel, &byte, 1) != 1) _exit(0);
}

/// A number for a process that is never ours to be signalled.
uint32_t some_pid() {
  const uint32_t pids[] = {0,
                           1,
                           ~0u,
                           0x80000000u,
                           static_cast<uint32_t>(getppid()),
                           static_cast<uint32_t>(getpid()),
                           static_cast<uint32_t>(dice() % 2000)};
  return pids[dice() % (sizeof pids / sizeof pids[0])];
}

void scribble() {
  const uint64_t starts[] = {0, header->slots_offset, header->arena_offset};
  char* at = report_bytes + starts[dice() % 3] + dice() % 20000;
  const size_t size = dice() % 64;
  for (size_t i = 0; i < size; ++i) at[i] = static_cast<char>(one_in(3) ? 0xff : dice());
}

wire::Slot& slot(uint32_t token) {
  return reinterpret_cast<wire::Slot*>(report_bytes + header->slots_offset)[token];
}

void lie_about_a_slot() {
  if (header->tokens == 0) return;
  const uint32_t token = static_cast<uint32_t>(dice() % header->tokens);
  wire::Slot& told = slot(token);
  told.status = static_cast<uint8_t>(dice() % 12);
  told.wait_status = static_cast<uint16_t>(one_in(2) ? 0 : dice());
  told.worker = one_in(4) ? static_cast<uint32_t>(dice()) : 0;
  told.text = one_in(4) ? static_cast<uint32_t>(dice()) : 0;
  told.output_end = one_in(4) ? dice() : 0;
  told.check = wire::check_of(told, token, header->nonce);
}

void lie_about_a_worker() {
  const uint32_t index = static_cast<uint32_t>(dice() % 3);
  wire::WorkerState& told = report().worker[index];
  told.pid = some_pid();
  told.slot = static_cast<uint32_t>(dice() % 8);
  told.since_ns = one_in(2) ? 1 : dice();
  told.crashed = static_cast<uint32_t>(dice() % 12);
  told.check = wire::check_of(told, index, header->nonce);
}

void claim_to_be_held() {
  report().hold.pid = some_pid();
  report().hold.token = static_cast<uint32_t>(dice() % 10);
  __atomic_store_n(&report().hold.state, static_cast<uint32_t>(dice() % 5), __ATOMIC_RELEASE);
}

void list_tests() {
  char* arena = report_bytes + header->arena_offset;
  uint64_t at = 64;
  report().tests_at = at;
  report().tests = one_in(10) ? static_cast<uint32_t>(dice()) : 3;
  for (int i = 0; i < 3; ++i) {
    wire::TestEntry entry = wire::TestEntry();
    const std::string name = "T" + std::to_string(i);
    entry.will_run = 1;
    entry.size[wire::kSuiteText] = 1;
    entry.size[wire::kNameText] = static_cast<uint32_t>(name.size());
    if (one_in(10)) entry.size[dice() % wire::kTestTexts] = static_cast<uint32_t>(dice());
    memcpy(arena + at, &entry, sizeof entry);
    memcpy(arena + at + sizeof entry, ("S" + name).data(), 1 + name.size());
    at += (sizeof entry + 1 + name.size() + 7) / 8 * 8;
  }
  report().arena_used = one_in(10) ? dice() : at;
  report().threads = 1;
}

void act() {
  for (int i = 0, steps = static_cast<int>(dice() % 400); i < steps; ++i) {
    switch (dice() % 5) {
      case 0:
        scribble();
        break;
      case 1:
      case 2:
        lie_about_a_slot();
        break;
      case 3:
        lie_about_a_worker();
        break;
      default:
        claim_to_be_held();
    }
    if (one_in(40)) usleep(1000);
  }
  if (one_in(12)) _exit(static_cast<int>(dice() % 200));
  if (one_in(20)) abort();
  if (one_in(25)) sleep(30);
}

__attribute__((constructor)) void begin() {
  const char* wire_text = getenv(GORDIAN_WIRE_ENV);
  const char* seed = getenv("PLAYED_SEED");
  int fds[3];
  if (!wire_text || !seed || sscanf(wire_text, "%d,%d,%d", &fds[0], &fds[1], &fds[2]) != 3) return;
  dice.seed(static_cast<unsigned>(atoi(seed)));
  header = reinterpret_cast<const wire::Header*>(map_whole(fds[0], PROT_READ));
  report_bytes = map_whole(fds[1], PROT_READ | PROT_WRITE);
  channel = fds[2];
  const char fault = wire::kFault;
  while (getenv("PLAYED_FLOOD")) {
    if (write(channel, &fault, 1) != 1) _exit(0);
  }
  if (one_in(15)) act();
  say(wire::kLoaded);
  char byte = 0;
  while (read(channel, &byte, 1) == 1) {
    if (byte == wire::kGo) list_tests();
    if (byte == wire::kRun || byte == wire::kInline) act();
    if (byte == wire::kQuit || byte == wire::kAbort) _exit(0);
    if (byte == wire::kInline) _exit(0);
    say(byte == wire::kGo ? wire::kReady : wire::kDone);
  }
  _exit(0);
}

}  // namespace
