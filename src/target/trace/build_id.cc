// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/trace/build_id.h"

#include <link.h>

namespace gordian_trace {
namespace {

struct Search {
  uint8_t* to;
  uint32_t most, size;
};

uint64_t padded(uint64_t size) {
  return (size + 3) & ~uint64_t{3};
}

bool read_notes(uint64_t at, uint64_t end, Search& search) {
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
    const uint64_t name = at + sizeof *note, value = name + padded(note->n_namesz);
    const char* owner = reinterpret_cast<const char*>(name);
    const bool gnu = note->n_namesz == 4 && owner[0] == 'G' && owner[1] == 'N' && owner[2] == 'U';
    if (gnu && note->n_type == NT_GNU_BUILD_ID && note->n_descsz <= search.most) {
      const auto* bytes = reinterpret_cast<const uint8_t*>(value);
      for (uint32_t i = 0; i < note->n_descsz; ++i) search.to[i] = bytes[i];
      search.size = note->n_descsz;
      return true;
    }
    at = value + padded(note->n_descsz);
  }
  return false;
}

/// The first module is the executable; none other is looked at.
int read_module(dl_phdr_info* info, size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const uint64_t at = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_NOTE && read_notes(at, at + header.p_memsz, search)) break;
  }
  return 1;
}

}  // namespace

uint32_t read_build_id(uint8_t* to, uint32_t most) {
  Search search = {to, most, 0};
  dl_iterate_phdr(read_module, &search);
  return search.size;
}

}  // namespace gordian_trace
