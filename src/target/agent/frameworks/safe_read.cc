// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/frameworks/safe_read.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "target/agent/frameworks/frameworks.h"

namespace gordian_agent {
namespace {

struct CodeSearch {
  uint64_t address;
  bool found;
};

int look_for_code(struct dl_phdr_info* info, size_t, void* data) {
  CodeSearch* search = (CodeSearch*)data;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    uint64_t begin = info->dlpi_addr + part.p_vaddr;
    bool inside = search->address >= begin && search->address - begin < part.p_memsz;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) && inside) search->found = true;
  }
  return search->found;
}

}  // namespace

bool peek(const void* at, void* out, size_t size) {
  struct iovec local = {out, size}, remote = {const_cast<void*>(at), size};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
}

bool peek_text(const char* at, Text* text) {
  const size_t kPage = 4096, kMost = 16 * kPage;
  char part[256];
  for (size_t size = 0; at && size < kMost;) {
    // Never across the end of a page: the next one may not be there.
    size_t left = kPage - ((uintptr_t)at + size) % kPage;
    size_t take = left < sizeof part ? left : sizeof part;
    if (!peek(at + size, part, take)) return false;
    if (const void* end = memchr(part, 0, take)) {
      text->data = at;
      text->size = size + (size_t)((const char*)end - part);
      return true;
    }
    size += take;
  }
  return false;
}

bool is_code(const void* at) {
  CodeSearch search = {(uint64_t)(uintptr_t)at, false};
  dl_iterate_phdr(look_for_code, &search);
  return search.found;
}

bool peek_vector(const void* at, PointerVector* v, size_t* elements) {
  const size_t kMost = 5000000;
  if (!peek(at, v, sizeof *v) || !v->begin || v->end <= v->begin || v->capacity < v->end) {
    return false;
  }
  if ((uintptr_t)v->begin % 8 || (uintptr_t)v->end % 8 || (uintptr_t)v->capacity % 8) return false;
  *elements = (size_t)(v->end - v->begin);
  char byte;
  return *elements <= kMost && peek(v->begin, &byte, 1) && peek((char*)v->end - 1, &byte, 1);
}

bool make_writable(const void* table, size_t slots) {
  const uintptr_t kPage = 4096;
  uintptr_t first = (uintptr_t)table & ~(kPage - 1);
  uintptr_t last = ((uintptr_t)table + slots * sizeof(void*) + kPage - 1) & ~(kPage - 1);
  return mprotect((void*)first, last - first, PROT_READ | PROT_WRITE) == 0;
}

}  // namespace gordian_agent
