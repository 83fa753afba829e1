// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a traced process tells about its tests: one file for each branch of the process, in a
// directory that the engine names. The writer is trace_runtime/ (C++11 and libc, inside of the test
// program), the reader is flow/traced/trace_reader.cc.
//
//   TraceHeader
//   for each test, as it ends: TraceBlock, then its nodes, reads, writes and variables, as many as
//     it says, and the names of the variables
//   a TraceBlock with kTraceEnd, whose `position` is the number of tests
//
// A block is written with one system call, so that a process that is killed leaves the blocks of
// the tests before. Nodes make up a tree of calls, the same for all blocks of a file: node n is
// called at `pc` from node `parent`; nodes 0 (unknown) and 1 (the root) are not written, the others
// come in the order of their numbers. Program counters of 32 bits are the low half: whoever knows
// where code is mapped finds the rest.
//
// Bump kTraceVersion whenever the meaning or place of any byte changes.
//   1  first version
//   2  nodes have lower halves of addresses; environment variables; whether any code is traced
#pragma once

#include <stdint.h>

namespace gordian_wire {

enum : uint32_t { kTraceMagic = 0x5254524fu, kTraceVersion = 2 };
enum : uint32_t { kTraceTest = 0x54534554u, kTraceEnd = 0x21444e45u };

// The directory; without it a traced program only runs, slowly. The file is PID.trace.
#define GORDIAN_TRACE_DIR_ENV "GORDIAN_TRACE_DIR"
// "alone": reads of what was there before the first test are told too.
#define GORDIAN_TRACE_MODE_ENV "GORDIAN_TRACE_MODE"

enum : uint32_t { kTraceMostBuildId = 32, kTraceMostTests = 65000 };

struct TraceHeader {
  uint32_t magic, version;
  uint32_t header_size;
  uint32_t alone;
  uint32_t build_id_size;               // 0: the linker wrote none
  uint32_t modules;                     // sources that were compiled to be traced and are loaded
  uint8_t build_id[kTraceMostBuildId];  // of the executable
};
static_assert(sizeof(TraceHeader) == 56, "TraceHeader is shared between two programs");

enum TraceBlockFlags : uint32_t {
  kTraceLost = 1,  // a table of the runtime was full: accesses are missing
};

struct TraceBlock {
  uint32_t mark;      // kTraceTest, kTraceEnd
  int32_t test;       // as in the plan
  uint32_t position;  // tests that ended before in this process
  uint32_t flags;     // TraceBlockFlags
  uint32_t nodes;     // new ones since the last block
  uint32_t reads, writes;
  uint32_t variables, names_size;
  uint32_t modules;  // as in the header, by now
};
static_assert(sizeof(TraceBlock) == 40, "TraceBlock is shared between two programs");

struct TraceNode {
  uint32_t pc;  // return address in the caller
  uint32_t parent;
};
static_assert(sizeof(TraceNode) == 8, "TraceNode is shared between two programs");

enum TraceAccessFlags : uint32_t {
  kTraceHeap = 1,     // in a block of the heap
  kTraceFresh = 2,    // ... that was allocated since the first test began
  kTraceWhole = 4,    // a write: a block of the heap that this test allocated and left behind
  kTraceMapping = 8,  // in memory that the program has mapped: it counts as a block
};

// The first read of these bytes by the test, of what it has not written itself.
struct TraceRead {
  uint64_t address;
  uint64_t pc;
  uint32_t size;    // at most 8, within 8 aligned bytes
  uint32_t writer;  // position plus one of the test that wrote them last; 0: none has
  uint32_t node;
  uint32_t write_pc, write_node;
  uint32_t block_pc, block_node;  // where the block of the heap was allocated
  uint32_t flags;                 // TraceAccessFlags
};
static_assert(sizeof(TraceRead) == 48, "TraceRead is shared between two programs");

// Bytes that the test has left with another value, or in a new block of the heap.
struct TraceWrite {
  uint64_t address;
  uint64_t size;
  uint32_t pc, node;              // of the last write; kTraceWhole: of the allocation
  uint32_t block_pc, block_node;  // where the block of the heap was allocated
  uint32_t flags;                 // TraceAccessFlags
  uint32_t reserved;
};
static_assert(sizeof(TraceWrite) == 40, "TraceWrite is shared between two programs");

enum TraceVariableFlags : uint32_t {
  kTraceVariableRead = 1,     // asked for, before the test had set it
  kTraceVariableWritten = 2,  // another value than before the test, or none, or a new one
};

// An environment variable. An empty name that is read: all of them may have been.
struct TraceVariable {
  uint32_t read_pc, read_node;    // of the first read
  uint32_t write_pc, write_node;  // of the last call that set it; 0: it was changed otherwise
  uint32_t name_size;             // in the names, which stand one behind the other
  uint32_t flags;                 // TraceVariableFlags
};
static_assert(sizeof(TraceVariable) == 24, "TraceVariable is shared between two programs");

}  // namespace gordian_wire
