// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "engine/wire_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "engine/wire_file.h"

namespace gordian {
namespace {

using gordian_wire::Header;
using gordian_wire::Slot;

constexpr std::uint64_t kArenaSize = std::uint64_t{64} << 20;
constexpr std::uint64_t kPage = 4096;

std::uint64_t to_page(std::uint64_t size) {
  return (size + kPage - 1) / kPage * kPage;
}
std::uint64_t to_word(std::uint64_t size) {
  return (size + 7) / 8 * 8;
}

/// High, so that the numbers a test sees are the ones it would see without us.
Result<UniqueFd> memory_file(const char* name) {
  UniqueFd low(::memfd_create(name, MFD_CLOEXEC));
  if (!low.valid()) return internal_error(std::string("memfd_create: ") + std::strerror(errno));
  int high = ::fcntl(low.get(), F_DUPFD_CLOEXEC, 700);
  return high < 0 ? std::move(low) : UniqueFd(high);
}

/// `texts`: the bytes behind the entry.
Test to_test(const gordian_wire::TestEntry& entry, const char* texts) {
  Test test;
  std::string declared;
  using namespace gordian_wire;
  const std::array<std::pair<TestText, std::string*>, kTestTexts> places = {{
      {kSuiteText, &test.suite},
      {kNameText, &test.name},
      {kFileText, &test.file},
      {kTypeText, &test.type_param},
      {kValueText, &test.value_param},
      {kTagsText, &test.tags},
      {kDeclaredText, &declared},
  }};
  for (const auto& [text, to] : places) {
    to->assign(texts, entry.size[text]);
    texts += entry.size[text];
  }
  for (std::size_t at = 0, end; (end = declared.find('\n', at)) != std::string::npos;
       at = end + 1) {
    test.declared.push_back(declared.substr(at, end - at));
  }
  test.line = entry.line;
  test.will_run = entry.will_run != 0;
  test.disabled = entry.disabled != 0;
  return test;
}

}  // namespace

Result<WireMemory> WireMemory::create(std::uint32_t tokens, std::uint32_t workers) {
  GORDIAN_CHECK(workers >= 1 && workers <= gordian_wire::kMaxWorkers);
  const std::uint64_t plan_at = to_page(sizeof(Header));
  const std::uint64_t slots_at = plan_at + to_page(std::uint64_t{tokens} * sizeof(std::int32_t));
  const std::uint64_t arena_at = slots_at + to_page(std::uint64_t{tokens} * sizeof(Slot));
  const std::uint64_t size = arena_at + kArenaSize;
  auto fd = memory_file(kWireFile);
  if (!fd) return fd.error();
  if (::ftruncate(fd->get(), static_cast<off_t>(size)) != 0) {
    return internal_error(std::string("no room for shared memory: ") + std::strerror(errno));
  }
  void* base = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd->get(), 0);
  if (base == MAP_FAILED) return internal_error(std::string("mmap: ") + std::strerror(errno));
  auto* header = static_cast<Header*>(base);
  header->magic = gordian_wire::kMagic;
  header->version = gordian_wire::kVersion;
  header->header_size = sizeof(Header);
  header->cap_tokens = tokens;
  header->plan_offset = plan_at;
  header->slots_offset = slots_at;
  header->arena_offset = arena_at;
  header->arena_size = kArenaSize;
  header->total_size = size;
  header->arena_used = 8;  // offset 0 means "nothing"
  header->workers = workers;
  WireMemory memory(std::move(*fd), header, size);
  if (Status opened = memory.open_captures(workers); !opened) return opened.error();
  return memory;
}

WireMemory::WireMemory(UniqueFd fd, Header* header, std::size_t size)
    : fd_(std::move(fd)), header_(header), size_(size) {}

WireMemory::WireMemory(WireMemory&& other) noexcept
    : fd_(std::move(other.fd_)),
      header_(std::exchange(other.header_, nullptr)),
      size_(other.size_),
      captures_(std::move(other.captures_)),
      arena_keep_(other.arena_keep_) {}

WireMemory::~WireMemory() {
  if (header_ != nullptr) ::munmap(header_, size_);
}

Status WireMemory::open_captures(std::uint32_t workers) {
  for (std::uint32_t i = 0; i < workers; ++i) {
    auto fd = memory_file("gordian-output");
    if (!fd) return fd.error();
    header_->capture_fd[i] = fd->get();
    captures_.push_back(std::move(*fd));
  }
  return {};
}

void WireMemory::load_plan(std::span<const std::int32_t> tokens) {
  GORDIAN_CHECK(tokens.size() <= capacity());
  auto* base = reinterpret_cast<char*>(header_);
  std::memcpy(base + header_->plan_offset, tokens.data(), tokens.size_bytes());
  std::memset(base + header_->slots_offset, 0, tokens.size() * sizeof(Slot));
  header_->tokens = static_cast<std::uint32_t>(tokens.size());
  if (arena_keep_ == 0) arena_keep_ = header_->arena_used;
  header_->arena_used = arena_keep_;
  header_->fault = 0;
  for (const UniqueFd& capture : captures_) {
    if (::ftruncate(capture.get(), 0) != 0) continue;  // a memory file of ours: cannot fail
  }
}

Slot WireMemory::slot(std::uint32_t token) const {
  GORDIAN_CHECK(token < capacity());
  const auto* slots =
      reinterpret_cast<const Slot*>(reinterpret_cast<const char*>(header_) + header_->slots_offset);
  Slot copy = slots[token];
  copy.status = __atomic_load_n(&slots[token].status, __ATOMIC_ACQUIRE);
  return copy;
}

void WireMemory::flag_slot(std::uint32_t token, std::uint8_t flag) {
  GORDIAN_CHECK(token < capacity());
  auto* slots = reinterpret_cast<Slot*>(reinterpret_cast<char*>(header_) + header_->slots_offset);
  __atomic_fetch_or(&slots[token].flags, flag, __ATOMIC_SEQ_CST);
}

void WireMemory::unflag_slot(std::uint32_t token, std::uint8_t flag) {
  GORDIAN_CHECK(token < capacity());
  auto* slots = reinterpret_cast<Slot*>(reinterpret_cast<char*>(header_) + header_->slots_offset);
  __atomic_fetch_and(&slots[token].flags, static_cast<std::uint8_t>(~flag), __ATOMIC_SEQ_CST);
}

const char* WireMemory::arena(std::uint64_t offset, std::uint64_t size) const {
  if (offset == 0 || offset > kArenaSize || size > kArenaSize - offset) return nullptr;
  return reinterpret_cast<const char*>(header_) + header_->arena_offset + offset;
}

std::optional<WireMemory::Failure> WireMemory::failure(std::uint32_t offset) const {
  gordian_wire::FailureText head{};
  const char* at = arena(offset, sizeof head);
  if (at == nullptr) return std::nullopt;
  std::memcpy(&head, at, sizeof head);
  const std::uint64_t text = std::uint64_t{head.file_size} + head.message_size;
  at = arena(offset + sizeof head, text);
  if (at == nullptr) return std::nullopt;
  return Failure{std::string(at, head.file_size), head.line,
                 std::string(at + head.file_size, head.message_size)};
}

std::string WireMemory::output(const Slot& slot) const {
  if (slot.worker >= captures_.size() || slot.output_end <= slot.output_begin) return {};
  std::uint64_t size = std::min(slot.output_end - slot.output_begin, gordian_wire::kOutputKeep + 0);
  std::string text(size, '\0');
  ssize_t n =
      ::pread(capture_fd(slot.worker), text.data(), size, static_cast<off_t>(slot.output_begin));
  text.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
  return text;
}

std::uint64_t WireMemory::output_size(std::uint32_t worker) const {
  struct stat st {};
  return ::fstat(capture_fd(worker), &st) == 0 ? static_cast<std::uint64_t>(st.st_size) : 0;
}

std::string WireMemory::early_output() const {
  Slot all{};
  all.output_end = output_size(0);
  return output(all);
}

std::vector<LoadedModule> WireMemory::modules(const std::string& executable) const {
  std::vector<LoadedModule> modules;
  std::uint64_t at = header_->modules_at;
  for (std::uint32_t i = 0; i < std::min(header_->modules, 4096u); ++i) {
    gordian_wire::ModuleEntry entry{};
    const char* bytes = arena(at, sizeof entry);
    if (bytes == nullptr) break;
    std::memcpy(&entry, bytes, sizeof entry);
    const char* path = arena(at + sizeof entry, entry.path_size);
    if (path == nullptr) break;
    std::string name(path, entry.path_size);
    if (name.empty() && i == 0) name = executable;
    if (!name.empty()) modules.push_back({std::move(name), entry.base});
    at += to_word(sizeof entry + entry.path_size);
  }
  return modules;
}

Result<std::vector<Test>> WireMemory::tests() const {
  std::vector<Test> tests;
  std::uint64_t at = header_->tests_at;
  for (std::uint32_t i = 0; i < header_->tests; ++i) {
    gordian_wire::TestEntry entry{};
    const char* bytes = arena(at, sizeof entry);
    if (bytes == nullptr) return internal_error("the agent's list of tests is damaged");
    std::memcpy(&entry, bytes, sizeof entry);
    const std::uint64_t text =
        std::accumulate(std::begin(entry.size), std::end(entry.size), std::uint64_t{0});
    const char* p = arena(at + sizeof entry, text);
    if (p == nullptr) return internal_error("the agent's list of tests is damaged");
    tests.push_back(to_test(entry, p));
    at += to_word(sizeof entry + text);
  }
  return tests;
}

}  // namespace gordian
