// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/trace/record.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target/trace/contexts.h"
#include "target/trace/places.h"

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

/// Returns its size, 0 when it has none (or a longer one).
uint32_t read_build_id(uint8_t* to, uint32_t most) {
  Search search = {to, most, 0};
  dl_iterate_phdr(read_module, &search);
  return search.size;
}

namespace wire = gordian_wire;

enum : uint32_t { kMostReads = 8u << 20, kMostWrites = 16u << 20, kMostAllocations = 256u << 20 };
/// Programs have opinions about the first descriptors, and some close a good many.
enum : int { kFirstDescriptor = 900 };

wire::TraceRead* reads;
wire::TraceWrite* writes;
wire::TraceNode* nodes;
uint64_t* allocations;
uint32_t read_count, write_count, allocation_count;
uint32_t lost;

int directory = -1;  // opened at the start: branches may see other files under its name
bool alone;
int file = -1;
pid_t file_owner;
int32_t running = -1;  // the test, as the plan calls it
uint32_t position;     // of the running test
uint32_t nodes_written = kRootContext + 1;

template <class T>
T* take(T* table, uint32_t* count, uint32_t most) {
  const uint32_t number = __atomic_fetch_add(count, 1u, __ATOMIC_RELAXED);
  if (number < most) return &table[number];
  __atomic_store_n(count, most, __ATOMIC_RELAXED);
  note_loss();
  return nullptr;
}

uint32_t flags_of(const FoundBlock& found) {
  if (found.lookup != Lookup::live) return 0;
  return wire::kTraceHeap | (found.block->state & kMapping ? +wire::kTraceMapping : 0u) |
         (found.block->test != kBefore ? +wire::kTraceFresh : 0u);
}

bool write_all(const void* bytes, uint64_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const long n = syscall(SYS_write, file, at, size);  // write() is one of ours
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<uint64_t>(n);
  }
  return true;
}

char* append(char* to, const char* text) {
  while (*text) *to++ = *text++;
  return to;
}

char* append_number(char* to, uint32_t number) {
  char digits[12];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number);
  while (count) *to++ = digits[--count];
  return to;
}

int out_of_the_way(int descriptor) {
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstDescriptor);
  if (moved < 0) return descriptor;
  close(descriptor);
  return moved;
}

/// A file of its own for each process: branches begin with a copy of our memory.
void open_file() {
  char name[32];
  *append(append_number(name, static_cast<uint32_t>(getpid())), ".trace") = 0;
  file = out_of_the_way(openat(directory, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  file_owner = getpid();
  wire::TraceHeader header = {};
  header.magic = wire::kTraceMagic;
  header.version = wire::kTraceVersion;
  header.header_size = sizeof header;
  header.alone = alone;
  header.modules = state.modules;
  header.build_id_size = read_build_id(header.build_id, sizeof header.build_id);
  write_all(&header, sizeof header);
}

/// Blocks that this test allocated and that are still there.
void tell_allocations() {
  for (uint32_t i = 0; i < allocation_count; ++i) {
    Block* block = block_slot(allocations[i]);
    if (block->state != kLive || block->test != state.own) continue;
    block->state |= kTold;
    wire::TraceWrite* write = take(writes, &write_count, kMostWrites);
    if (!write) return;
    *write = {allocations[i],
              block->size,
              block->pc,
              block->node,
              block->pc,
              block->node,
              wire::kTraceHeap | wire::kTraceFresh | wire::kTraceWhole,
              0};
  }
}

uint32_t gather_nodes() {
  uint32_t known = context_count();
  if (known > kMostContexts) known = kMostContexts;
  uint32_t count = 0;
  for (; nodes_written < known; ++nodes_written) {
    const Context& made = context_at(nodes_written);
    nodes[count++] = {made.pc, made.parent};
  }
  return count;
}

void write_block(uint32_t mark) {
  wire::TraceBlock block = {};
  block.mark = mark;
  block.test = running;
  block.position = position;
  block.modules = state.modules;
  block.flags = lost ? +wire::kTraceLost : 0u;
  const Variables variables = told_variables();
  if (mark == wire::kTraceTest) {
    block.nodes = gather_nodes();
    block.reads = read_count;
    block.writes = write_count;
    block.variables = variables.count;
    block.names_size = variables.names_size;
  }
  write_all(&block, sizeof block);
  write_all(nodes, sizeof *nodes * uint64_t{block.nodes});
  write_all(reads, sizeof *reads * uint64_t{block.reads});
  write_all(writes, sizeof *writes * uint64_t{block.writes});
  write_all(variables.all, sizeof *variables.all * uint64_t{block.variables});
  write_all(variables.names, block.names_size);
}

void end_test() {
  if (running < 0) return;
  settle_writes();
  end_environment();
  if (!alone) tell_allocations();
  write_block(wire::kTraceTest);
  running = -1;
  ++position;
}

void begin_test(int32_t test) {
  running = test;
  read_count = write_count = allocation_count = lost = 0;
  if (position >= wire::kTraceMostTests) {
    lost = 1;
    return;
  }
  state.own = static_cast<Lane>(position + 1);
  state.writer = state.own;
  reset_context();
  begin_environment();
  state.recording = true;
}

void at_exit() {
  if (file >= 0 && file_owner == getpid()) gordian_trace_test(-1);
}

}  // namespace

void start_records() {
  const char* path = variable(GORDIAN_TRACE_DIR_ENV);
  if (path && *path) directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  directory = out_of_the_way(directory);
  const char* mode = variable(GORDIAN_TRACE_MODE_ENV);
  alone = mode && mode[0] == 'a';
  reads = static_cast<wire::TraceRead*>(reserve(sizeof *reads * uint64_t{kMostReads}));
  writes = static_cast<wire::TraceWrite*>(reserve(sizeof *writes * uint64_t{kMostWrites}));
  nodes = static_cast<wire::TraceNode*>(reserve(sizeof *nodes * uint64_t{kMostContexts}));
  allocations = static_cast<uint64_t*>(reserve(sizeof *allocations * uint64_t{kMostAllocations}));
  start_environment();
}

void record_read(uint64_t address, uint32_t size, Lane writer, uint64_t pc) {
  const FoundBlock found = find_block(address);
  if (writer == kBefore && found.lookup == Lookup::freed) return;
  wire::TraceRead* read = take(reads, &read_count, kMostReads);
  if (!read) return;
  const Site written = *site(address);
  *read = {address, pc, size, writer, context(), written.pc, written.node, 0, 0, flags_of(found)};
  if (found.lookup == Lookup::live) {
    read->block_pc = found.block->pc;
    read->block_node = found.block->node;
  }
}

void record_write(uint64_t address, uint64_t size, const FoundBlock& in) {
  const Site here = *site(address);
  if (write_count > 0 && write_count < kMostWrites) {
    wire::TraceWrite& last = writes[write_count - 1];
    if (last.address + last.size == address && last.pc == here.pc && last.node == here.node &&
        (!in.block || in.begin < last.address)) {
      last.size += size;
      return;
    }
  }
  wire::TraceWrite* write = take(writes, &write_count, kMostWrites);
  if (!write) return;
  *write = {address, size, here.pc, here.node, 0, 0, flags_of(in), 0};
  if (in.block) {
    write->block_pc = in.block->pc;
    write->block_node = in.block->node;
  }
}

void note_allocation(uint64_t begin) {
  if (uint64_t* slot = take(allocations, &allocation_count, kMostAllocations)) *slot = begin;
}

void note_loss() {
  lost = 1;
}

}  // namespace gordian_trace

GORDIAN_TRACE_ABI void gordian_trace_test(int32_t test) {
  using namespace gordian_trace;
  if (directory < 0 || !state.mapped) return;
  const pid_t self = getpid();
  if (running >= 0 && file_owner != self) return;  // forked by a test: not ours to tell of
  state.recording = false;
  state.writer = kBefore;
  if (file < 0 || file_owner != self) {
    if (file_owner == 0) atexit(at_exit);
    position = 0;
    nodes_written = kRootContext + 1;
    state.quiet = alone ? +kSeen : +kBefore;
    open_file();
  }
  end_test();
  if (test >= 0) return begin_test(test);
  write_block(gordian_wire::kTraceEnd);
  close(file);
  file = -1;
  directory = -1;  // what follows is nobody's
}
