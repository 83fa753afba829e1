// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <stdlib.h>
#include <unistd.h>

#include "target/trace/places.h"
#include "target/trace/record.h"

namespace gordian_trace {
namespace {

namespace wire = gordian_wire;

enum : uint32_t { kMostVariables = 1u << 16, kMostNames = 4u << 20, kMostText = 64u << 20 };

wire::TraceVariable* told;
char* names;  // of `told`, one behind the other
uint32_t told_count, names_size;

char* before;  // copies of all variables as the test found them, each with its zero
uint32_t before_size;
int busy;  // threads take turns

/// A signal that comes in the middle of a turn cannot wait for its end.
struct Turn {
  Turn() {
    for (int tries = 0; tries < 1000000 && !mine; ++tries) {
      mine = __atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE) == 0;
      if (!mine) _mm_pause();
    }
    if (!mine) note_loss();
  }
  ~Turn() {
    if (mine) __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
  }
  bool mine = false;
};

uint32_t name_size(const char* text) {
  uint32_t size = 0;
  while (text[size] && text[size] != '=') ++size;
  return size;
}

bool same(const char* a, const char* b, uint32_t size) {
  for (uint32_t i = 0; i < size; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

/// nullptr: there is none of this name. NAME=VALUE else.
const char* entry_of(const char* name, uint32_t size) {
  for (char** at = environ; at && *at; ++at) {
    if (name_size(*at) == size && (*at)[size] == '=' && same(*at, name, size)) return *at;
  }
  return nullptr;
}

wire::TraceVariable* find_told(const char* name, uint32_t size) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < told_count; at += told[i++].name_size) {
    if (told[i].name_size == size && same(names + at, name, size)) return &told[i];
  }
  return nullptr;
}

wire::TraceVariable* add(const char* name, uint32_t size) {
  if (told_count >= kMostVariables || size > kMostNames - names_size) {
    note_loss();
    return nullptr;
  }
  for (uint32_t i = 0; i < size; ++i) names[names_size + i] = name[i];
  names_size += size;
  wire::TraceVariable* added = &told[told_count++];
  *added = {0, 0, 0, 0, size, 0};
  return added;
}

/// The empty name stands for all of them.
void asked_for(const char* name, uint64_t pc) {
  if (!state.recording || !name) return;
  const Turn turn;
  if (!turn.mine) return;
  const uint32_t size = name_size(name);
  wire::TraceVariable* known = find_told(name, size);
  if (known || !(known = add(name, size))) return;
  known->flags = wire::kTraceVariableRead;
  known->read_pc = static_cast<uint32_t>(pc);
  known->read_node = context();
}

/// By the program's own hand, whatever comes of it: later reads are of its own. The last one is
/// where it was written.
void set_by_test(const char* name, uint64_t pc) {
  if (!state.recording || !name) return;
  const Turn turn;
  if (!turn.mine) return;
  const uint32_t size = name_size(name);
  wire::TraceVariable* known = find_told(name, size);
  if (!known && !(known = add(name, size))) return;
  known->write_pc = static_cast<uint32_t>(pc);
  known->write_node = context();
}

void all_set_by_test(uint64_t pc) {
  for (char** at = environ; at && *at; ++at) set_by_test(*at, pc);
}

void changed(const char* entry) {
  const uint32_t size = name_size(entry);
  wire::TraceVariable* known = find_told(entry, size);
  if (!known) known = add(entry, size);
  if (known) known->flags |= wire::kTraceVariableWritten;
}

bool equal(const char* a, const char* b) {
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}

uint32_t copy_size(const char* entry) {
  uint32_t size = 0;
  while (entry[size]) ++size;
  return size + 1;
}

/// The entry of this name among the copies.
const char* find_before(const char* name, uint32_t size) {
  for (uint32_t at = 0; at < before_size; at += copy_size(before + at)) {
    if (same(before + at, name, size) && before[at + size] == '=') return before + at;
  }
  return nullptr;
}

/// Reads of `environ` must not be taken for quiet ones.
void watch_environ() {
  const uint64_t at = reinterpret_cast<uint64_t>(&environ);
  const Lane loud = state.quiet == kBefore ? +kSeen : +kBefore;
  for (int i = 0; i < 8; ++i) lanes(at)[i] = loud;
}

}  // namespace

const char* variable(const char* name) {
  const char* entry = entry_of(name, name_size(name));
  return entry ? entry + name_size(name) + 1 : nullptr;
}

void start_environment() {
  told = static_cast<wire::TraceVariable*>(reserve(sizeof *told * uint64_t{kMostVariables}));
  names = static_cast<char*>(reserve(kMostNames));
  before = static_cast<char*>(reserve(kMostText));
}

void begin_environment() {
  told_count = names_size = before_size = 0;
  for (char** at = environ; at && *at; ++at) {
    const uint32_t size = copy_size(*at);
    if (size > kMostText - before_size) return note_loss();
    for (uint32_t i = 0; i < size; ++i) before[before_size + i] = (*at)[i];
    before_size += size;
  }
  watch_environ();
}

void end_environment() {
  uint32_t past = 0;  // of copies that stand in the same order, as most do
  for (char** at = environ; at && *at; ++at) {
    if (past < before_size && equal(before + past, *at)) {
      past += copy_size(before + past);
      continue;
    }
    const char* was = find_before(*at, name_size(*at));
    if (!was || !equal(was, *at)) changed(*at);
  }
  if (past == before_size) return;
  for (uint32_t at = 0; at < before_size; at += copy_size(before + at)) {
    if (!entry_of(before + at, name_size(before + at))) changed(before + at);
  }
}

bool is_environ(uint64_t address) {
  return address - reinterpret_cast<uint64_t>(&environ) < sizeof environ;
}

void environ_read(uint64_t pc) {
  asked_for("", pc);
  for (int i = 0; i < 8; ++i) lanes(reinterpret_cast<uint64_t>(&environ))[i] = state.quiet;
}

Variables told_variables() {
  return {told, told_count, names, names_size};
}

}  // namespace gordian_trace

using namespace gordian_trace;

GORDIAN_TRACE_REPLACES char* getenv(const char* name) noexcept {
  asked_for(name, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(getenv)(name);
}
GORDIAN_TRACE_REPLACES char* secure_getenv(const char* name) noexcept {
  asked_for(name, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(secure_getenv)(name);
}
GORDIAN_TRACE_REPLACES int setenv(const char* name, const char* value, int replace) noexcept {
  if (!replace) asked_for(name, GORDIAN_TRACE_CALLER);  // what it does depends on what is there
  set_by_test(name, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(setenv)(name, value, replace);
}
GORDIAN_TRACE_REPLACES int unsetenv(const char* name) noexcept {
  set_by_test(name, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(unsetenv)(name);
}
GORDIAN_TRACE_REPLACES int putenv(char* text) noexcept {
  set_by_test(text, GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(putenv)(text);
}
GORDIAN_TRACE_REPLACES int clearenv() noexcept {
  all_set_by_test(GORDIAN_TRACE_CALLER);
  return GORDIAN_TRACE_NEXT(clearenv)();
}
