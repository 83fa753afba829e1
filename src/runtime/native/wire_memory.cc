// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/wire_memory.h"

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
#include <random>
#include <utility>

#include "base/check.h"
#include "wire/check.h"

namespace gordian {
namespace {

using gordian_wire::Header;
using gordian_wire::Report;
using gordian_wire::Slot;

constexpr std::uint64_t kArenaSize = std::uint64_t{64} << 20;
constexpr std::uint64_t kPage = 4096;

std::uint64_t to_page(std::uint64_t size) {
  return (size + kPage - 1) / kPage * kPage;
}
std::uint64_t to_word(std::uint64_t size) {
  return (size + 7) / 8 * 8;
}

std::uint64_t plan_at() {
  return to_page(sizeof(Header));
}
std::uint64_t slots_at() {
  return to_page(sizeof(Report));
}
std::uint64_t arena_at(std::uint32_t tokens) {
  return slots_at() + to_page(std::uint64_t{tokens} * sizeof(Slot));
}

std::uint32_t random_nonce() {
  std::random_device source;
  return source();
}

/// High, so that the numbers a test sees are the ones it would see without us.
Result<UniqueFd> memory_file(const char* name) {
  UniqueFd low(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
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

Result<WireMemory::Mapping> WireMemory::map_file(const char* name, std::size_t size) {
  auto fd = memory_file(name);
  if (!fd) return fd.error();
  if (::ftruncate(fd->get(), static_cast<off_t>(size)) != 0) {
    return internal_error(std::string("no room for shared memory: ") + std::strerror(errno));
  }
  void* base = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd->get(), 0);
  if (base == MAP_FAILED) return internal_error(std::string("mmap: ") + std::strerror(errno));
  // A file that shrinks would be a SIGBUS of ours.
  ::fcntl(fd->get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
  return Mapping{std::move(*fd), static_cast<char*>(base), size};
}

Result<WireMemory> WireMemory::create(std::uint32_t tokens, std::uint32_t workers) {
  GORDIAN_CHECK(workers >= 1 && workers <= gordian_wire::kMaxWorkers);
  auto header =
      map_file("gordian-orders", plan_at() + to_page(std::uint64_t{tokens} * sizeof(std::int32_t)));
  if (!header) return header.error();
  // Our own mapping can still write. Without this (Linux before 5.1) a test that maps the file
  // again could, too; the agent has no descriptor of it by then.
  ::fcntl(header->fd.get(), F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SEAL);
  auto report = map_file(kWireFile, arena_at(tokens) + kArenaSize);
  if (!report) return report.error();
  ::fcntl(report->fd.get(), F_ADD_SEALS, F_SEAL_SEAL);
  WireMemory memory(std::move(*header), std::move(*report));
  memory.lay_out(tokens, workers);
  if (Status opened = memory.open_captures(workers); !opened) return opened.error();
  return memory;
}

void WireMemory::lay_out(std::uint32_t tokens, std::uint32_t workers) {
  capacity_ = tokens;
  header_->magic = gordian_wire::kMagic;
  header_->version = gordian_wire::kVersion;
  header_->header_size = sizeof(Header);
  header_->report_size = sizeof(Report);
  header_->cap_tokens = tokens;
  header_->plan_offset = plan_at();
  header_->slots_offset = slots_at();
  header_->arena_offset = arena_at(tokens);
  header_->arena_size = kArenaSize;
  header_->header_total = header_size_;
  header_->report_total = report_size_;
  header_->workers = workers;
  header_->nonce = random_nonce();
  report_->arena_used = 8;  // offset 0 means "nothing"
}

WireMemory::WireMemory(Mapping header, Mapping report)
    : header_fd_(std::move(header.fd)),
      report_fd_(std::move(report.fd)),
      header_(reinterpret_cast<Header*>(header.base)),
      report_(reinterpret_cast<Report*>(report.base)),
      header_size_(header.size),
      report_size_(report.size),
      at_start_(std::make_unique<Report>()) {}

WireMemory::WireMemory(WireMemory&& other) noexcept
    : header_fd_(std::move(other.header_fd_)),
      report_fd_(std::move(other.report_fd_)),
      header_(std::exchange(other.header_, nullptr)),
      report_(std::exchange(other.report_, nullptr)),
      header_size_(other.header_size_),
      report_size_(other.report_size_),
      capacity_(other.capacity_),
      at_start_(std::move(other.at_start_)),
      modules_(std::move(other.modules_)),
      captures_(std::move(other.captures_)) {}

WireMemory::~WireMemory() {
  if (header_ != nullptr) ::munmap(header_, header_size_);
  if (report_ != nullptr) ::munmap(report_, report_size_);
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
  std::memcpy(reinterpret_cast<char*>(header_) + plan_at(), tokens.data(), tokens.size_bytes());
  auto* slots = reinterpret_cast<Slot*>(reinterpret_cast<char*>(report_) + slots_at());
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    slots[i] = Slot();
    slots[i].check = check_of(Slot(), i, header_->nonce);
  }
  std::memset(&report_->hold, 0, sizeof report_->hold);
  header_->tokens = static_cast<std::uint32_t>(tokens.size());
  std::fill(std::begin(header_->ended), std::end(header_->ended), 0u);
  report_->arena_used = std::max<std::uint64_t>(at_start_->arena_used, 8);
  report_->fault = 0;
  for (const UniqueFd& capture : captures_) {
    if (::ftruncate(capture.get(), 0) != 0) continue;  // a memory file of ours: cannot fail
  }
}

const Slot* WireMemory::slots() const {
  return reinterpret_cast<const Slot*>(reinterpret_cast<const char*>(report_) + slots_at());
}

Slot WireMemory::slot(std::uint32_t token) const {
  GORDIAN_CHECK(token < capacity());
  const std::uint8_t status = __atomic_load_n(&slots()[token].status, __ATOMIC_ACQUIRE);
  Slot copy = slots()[token];
  copy.status = status;  // the agent writes it last
  return copy;
}

bool WireMemory::intact(const Slot& slot, std::uint32_t token) const {
  return gordian_wire::is_intact(slot, token, header_->nonce);
}

std::optional<gordian_wire::WorkerState> WireMemory::worker(std::uint32_t index) const {
  gordian_wire::WorkerState state = report_->worker[index];
  if (state.pid == 0 || state.check != check_of(state, index, header_->nonce)) return std::nullopt;
  return state;
}

const char* WireMemory::arena(std::uint64_t offset, std::uint64_t size) const {
  if (offset == 0 || offset > kArenaSize || size > kArenaSize - offset) return nullptr;
  return reinterpret_cast<const char*>(report_) + arena_at(capacity_) + offset;
}

std::optional<WireMemory::Failure> WireMemory::failure(std::uint32_t offset) const {
  gordian_wire::FailureText head{};
  const char* at = arena(offset, sizeof head);
  if (at == nullptr) return std::nullopt;
  std::memcpy(&head, at, sizeof head);
  if (head.file_size > gordian_wire::kLongestFile) return std::nullopt;
  if (head.message_size > gordian_wire::kLongestMessage) return std::nullopt;
  const std::uint64_t text = std::uint64_t{head.file_size} + head.message_size;
  at = arena(offset + sizeof head, text);
  if (at == nullptr) return std::nullopt;
  const std::string copy(at, text);  // the target may still write there
  if (head.check != check_of(head, copy.data(), header_->nonce)) return std::nullopt;
  return Failure{copy.substr(0, head.file_size), head.line, copy.substr(head.file_size)};
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

void WireMemory::keep_modules() {
  modules_.clear();
  std::uint64_t at = report_->modules_at;
  const std::uint32_t count = std::min(report_->modules, 4096u);
  for (std::uint32_t i = 0; i < count; ++i) {
    gordian_wire::ModuleEntry entry{};
    const char* bytes = arena(at, sizeof entry);
    if (bytes == nullptr) break;
    std::memcpy(&entry, bytes, sizeof entry);
    const char* path = arena(at + sizeof entry, entry.path_size);
    if (path == nullptr) break;
    std::string name(path, entry.path_size);
    if (!name.empty() || i == 0) modules_.push_back({std::move(name), entry.base});
    at += to_word(sizeof entry + entry.path_size);
  }
}

std::vector<LoadedModule> WireMemory::modules(const std::string& executable) const {
  std::vector<LoadedModule> modules = modules_;
  if (!modules.empty() && modules.front().path.empty()) modules.front().path = executable;
  return modules;
}

Result<std::vector<Test>> WireMemory::tests() const {
  std::vector<Test> tests;
  std::uint64_t at = at_start_->tests_at;
  for (std::uint32_t i = 0; i < at_start_->tests; ++i) {
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
