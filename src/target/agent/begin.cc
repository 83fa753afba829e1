// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Moments 2 and 3: what is loaded, and whose hooks to install.
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "target/agent/agent.h"
#include "target/agent/frameworks/frameworks.h"

namespace gordian_agent {
namespace {

int list_module(struct dl_phdr_info* info, size_t, void*) {
  const char* path = info->dlpi_name ? info->dlpi_name : "";
  size_t size = strlen(path);
  wire::ModuleEntry entry = {info->dlpi_addr, (uint32_t)size, 0};
  uint32_t at = arena_take(sizeof entry + size);
  if (at == 0) return 1;
  if (report->modules++ == 0) report->modules_at = at;
  memcpy(arena_at(at), &entry, sizeof entry);
  memcpy(arena_at(at) + sizeof entry, path, size);
  return 0;
}

bool install() {
  for (const Installer& one : kInstallers) {
    if (one.framework == header->hooks.framework) return one.install();
  }
  return false;
}

__attribute__((constructor)) void begin() {
  if (!attach()) return;
  clean_environment();
  dl_iterate_phdr(list_module, nullptr);
  send_byte(wire::kLoaded);
  if (receive_byte() != wire::kGo) _exit(0);
  coverage_dump = (void (*)())(uintptr_t)header->hooks.coverage_dump;
  trace_test = (void (*)(int32_t))(uintptr_t)header->hooks.trace_test;
  if (!install()) give_up(wire::kLayoutUnknown);
}

}  // namespace
}  // namespace gordian_agent
