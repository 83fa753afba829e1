// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/process_image.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/unique_fd.h"

namespace gordian {
namespace {

constexpr std::size_t kRun = 16;            // pages per system call when pointers are followed
constexpr std::size_t kLongRun = 512;       // and when a whole range is asked for; IOV_MAX is 1024
constexpr std::size_t kDirect = 64 * 1024;  // reads from this size on do not fill the cache
constexpr std::uint64_t kPages = UINT64_MAX / 4096;

}  // namespace

/// Fetches `count` pages as far as they can be read; the first that cannot is remembered as such.
/// Returns the number of pages that are settled now, at least 1.
std::size_t ProcessImage::fetch(std::uint64_t number, std::size_t count) const {
  auto pages = std::make_unique_for_overwrite<Page[]>(count);
  std::vector<iovec> local(count), remote(count);
  for (std::size_t i = 0; i < count; ++i) {
    local[i] = {pages[i].data(), kPage};
    // One element per page: a transfer never stops inside of an element.
    remote[i] = {reinterpret_cast<void*>((number + i) * kPage), kPage};
  }
  const ssize_t got = process_vm_readv(pid_, local.data(), count, remote.data(), count, 0);
  const std::size_t whole = got > 0 ? static_cast<std::size_t>(got) / kPage : 0;
  for (std::size_t i = 0; i < whole; ++i) pages_.insert_or_assign(number + i, &pages[i]);
  if (whole > 0) chunks_.push_back(std::move(pages));
  if (whole < count) pages_.insert_or_assign(number + whole, nullptr);
  return std::min(whole + 1, count);
}

const ProcessImage::Page* ProcessImage::page(std::uint64_t number) const {
  auto found = pages_.find(number);
  if (found != pages_.end()) return found->second;
  if (!attached_) return nullptr;
  std::size_t run = 1;
  while (run < kRun && number + run < kPages && !pages_.count(number + run)) ++run;
  fetch(number, run);
  return pages_[number];
}

bool ProcessImage::read_directly(std::uint64_t address, void* to, std::size_t size) const {
  iovec local{to, size};
  iovec remote{reinterpret_cast<void*>(address), size};
  return process_vm_readv(pid_, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

bool ProcessImage::read(std::uint64_t address, void* to, std::size_t size) const {
  if (size == 0) return true;
  if (address + (size - 1) < address) return false;
  if (attached_ && !leaning_ && size >= kDirect) return read_directly(address, to, size);
  auto* out = static_cast<unsigned char*>(to);
  while (size > 0) {
    const Page* from = page(address / kPage);
    if (from == nullptr) return false;
    const std::size_t offset = address % kPage;
    const std::size_t part = std::min(size, kPage - offset);
    std::memcpy(out, from->data() + offset, part);
    out += part, address += part, size -= part;
  }
  return true;
}

void ProcessImage::keep(std::span<const ByteRange> ranges) {
  for (const ByteRange& range : ranges) {
    if (range.size == 0 || range.end() < range.begin) continue;
    const std::uint64_t last = (range.end() - 1) / kPage;
    for (std::uint64_t at = range.begin / kPage; at <= last && at < kPages;) {
      at += fetch(at, static_cast<std::size_t>(std::min<std::uint64_t>(kLongRun, last - at + 1)));
    }
  }
}

std::optional<std::string> bytes_at(const MemoryImage& image, ByteRange range) {
  constexpr std::uint64_t kMostBytes = 64 << 20;
  if (range.size > kMostBytes) return std::nullopt;
  std::string bytes(range.size, '\0');
  if (!image.read(range.begin, bytes.data(), bytes.size())) return std::nullopt;
  return bytes;
}

bool write_memory(pid_t pid, std::uint64_t address, std::string_view bytes) {
  const UniqueFd memory(::open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDWR | O_CLOEXEC));
  return ::pwrite(memory.get(), bytes.data(), bytes.size(), static_cast<off_t>(address)) ==
         static_cast<ssize_t>(bytes.size());
}

}  // namespace gordian
