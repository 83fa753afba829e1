// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A libFuzzer target: any bytes at all, opened and searched as an ELF file.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/unique_fd.h"
#include "symbols/elf_file.h"
#include "symbols/framework_detection.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gordian::UniqueFd memory(::memfd_create("fuzz", MFD_CLOEXEC));
  if (::write(memory.get(), data, size) != static_cast<ssize_t>(size)) return 0;
  const std::string path = "/proc/self/fd/" + std::to_string(memory.get());
  auto file = gordian::ElfFile::open(path, gordian::ElfRole::library);
  if (file.ok()) gordian::detect_framework(*file);
  return 0;
}
