// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Moment 4: the tests, into the arena.
#include <string.h>
#include <unistd.h>

#include "target/agent/agent.h"

namespace gordian_agent {
namespace {

bool any_will_run;

bool marked_at(Text text, size_t at) {
  const char kMark[] = "DISABLED_";
  const size_t size = sizeof kMark - 1;
  return text.size >= at + size && memcmp(text.data + at, kMark, size) == 0;
}

}  // namespace

bool disabled_by_name(Text suite, Text name) {
  if (marked_at(name, 0)) return true;
  for (size_t i = 0; i < suite.size; ++i) {
    if ((i == 0 || suite.data[i - 1] == '/') && marked_at(suite, i)) return true;
  }
  return false;
}

/// Entries are 8-byte aligned because arena_take() rounds up.
void list_test(const ListedTest& test) {
  wire::TestEntry entry = wire::TestEntry();
  entry.line = test.line;
  entry.will_run = test.will_run;
  entry.disabled = test.disabled;
  size_t size = sizeof entry;
  for (uint32_t i = 0; i < wire::kTestTexts; ++i) {
    entry.size[i] = (uint32_t)test.text[i].size;
    size += test.text[i].size;
  }
  uint32_t at = arena_take(size);
  if (at == 0) give_up(wire::kArenaFull);
  if (report->tests++ == 0) report->tests_at = at;
  char* to = arena_at(at);
  memcpy(to, &entry, sizeof entry);
  to += sizeof entry;
  for (const Text& text : test.text) {
    if (text.size > 0) memcpy(to, text.data, text.size);
    to += text.size;
  }
  any_will_run = any_will_run || test.will_run;
}

void finish_listing() {
  bool wanted = any_will_run || header->flags & wire::kRunDisabled;
  if (!(header->flags & wire::kListOnly) && wanted) return;
  send_byte(wire::kReady);
  _exit(0);
}

}  // namespace gordian_agent
