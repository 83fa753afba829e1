// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The whole contract between the engine (our process) and the agent (inside the test process).
// Plain fixed-width structs in two shared memory files, and single bytes on one socket. Must stay
// C++11 clean: the link-time adapter compiles it with the user's flags.
//
// Trust. Tests run in the agent's process and its forks, so whatever those can write, a test can.
//   header  Header and the plan: the engine's orders. Sealed against everybody else's writing, and
//           mapped read-only in the test process. Both sides may act on what stands here.
//   report  Report, slots and arena: what the agent saw. Input, for the engine as for the agent's
//           own processes that outlive a test (root and workers): nobody follows an offset, count
//           or process number from here without a look. Indices must lie in the plan, texts in the
//           arena, and a process is signalled only if the kernel calls it our child (agent) or a
//           descendant of the guard (engine). Slots, texts and the state of workers carry a check
//           of their content (wire/check.h): where it does not hold, nothing is known, and the
//           order is run again, in the end in a process and memory of its own. A process that
//           finds its own slots, or what nobody changes while tests run, changed under its test
//           says so (kOverwritten) and ends.
// The files can neither grow nor shrink. Forging on purpose, checks included, is not found out: it
// may lie about results of the same plan, and do nothing else.
//
// Moments of a session; E is the engine, A the agent.
//   1. E creates the shared memory, fills Header, starts the binary with the agent preloaded and
//      GORDIAN_WIRE="<header fd>,<report fd>,<socket fd>" in its environment.
//   2. A's constructor maps the memory, checks magic and version, writes the list of loaded modules
//      to the arena, sends kLoaded and blocks.
//   3. E looks the framework's symbols up in those modules, fills Header::hooks and answers kGo; or
//      answers kAbort, and A ends the process before main() has run.
//   4. The framework announces its program start: A lists the tests into the arena. With
//      kListOnly it sends kReady and ends the process.
//   5. Global set-up is done and no test has run: A inspects the process (threads, descriptors,
//      shared mappings), sends kReady and blocks. This is the *snapshot* state.
//   6. E writes a plan and sends kRun: A forks workers, which claim the plan's top-level branches,
//      fork once for each, and write one Slot per token. When all are done A sends kDone and goes
//      back to 5. E reads slots while they change and may kill a branch at any time.
//      Or E sends kInline: the process itself runs the plan (no fork), then ends as the framework
//      would; E watches it until it has exited.
//   7. E sends kQuit (or closes the socket): A lets the framework tear down, running no test.
//
// A plan is a trie of test sequences, flattened to int32 tokens:
//      t >= 0        run test t in the current process
//      kOpen, len    fork; the child executes the next len tokens, the parent skips them
//      kClose        this process is done
// "(3 7)(3 9)" is kOpen 3 3 7 kClose kOpen 3 3 9 kClose kClose; "(3 (7)(9))" shares the prefix 3.
// Every token is executed at most once, so slots[pc] needs no lock.
//
// Bump kVersion whenever the meaning or place of any byte changes. Not needed for new enumerators
// that an old agent can never be sent: engine and agent ship together, the version catches a stale
// adapter that was linked into a test binary.
//   1  first version
//   2  several frameworks: hooks by number, tests with tags and declared dependences
//   3  what tests must not write has a file of its own; checks of slots, texts and workers
//   4  slots that nobody has written to have a check, too
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "wire/framework.h"

namespace gordian_wire {

enum : uint32_t { kMagic = 0x4e44524fu, kVersion = 4 };

// Names of environment variables and files the two sides agree on.
#define GORDIAN_WIRE_ENV "GORDIAN_WIRE"

// Bytes on the socket.
enum : char { kLoaded = 'L', kReady = 'H', kDone = 'D', kFault = 'F' };           // agent -> engine
enum : char { kGo = 'G', kAbort = 'A', kRun = 'R', kInline = 'I', kQuit = 'Q' };  // engine -> agent

enum : int32_t { kOpen = -1, kClose = -2 };

enum SlotStatus : uint8_t {
  kNotRun = 0,
  kStarting = 1,  // chosen; suite set-up may be running
  kRunning = 2,   // the test's own code is running
  kPass = 3,
  kFail = 4,
  kSkip = 5,
  kPassedOver = 6,     // the framework did not run it: disabled, or filtered out by arguments
  kOverwritten = 7,    // its process found what it tells changed by somebody else, and ended
  kBranchOk = 8,       // kOpen slots: the branch ended by itself
  kBranchDied = 9,     // kOpen slots: see wait_status
  kBranchUnsafe = 10,  // kOpen slots: not forked, see flags for why; run it flat
  kBranchOpen = 11,    // kOpen slots: forked, not yet reaped
};

enum SlotFlags : uint8_t {
  kOutsideBody = 1,      // the failure came from suite set-up or tear-down
  kTextLost = 2,         // the arena was full
  kOutputCut = 4,        // output was longer than kOutputKeep
  kUnsafeThreads = 16,   // kBranchUnsafe because of live threads
  kUnsafeChildren = 32,  //   ... live child processes
  kUnsafeFiles = 64,     //   ... files written, descriptors that forks would share, or signals that
                         //   wait, timers and locks on memory, which forks do not inherit
  kRerunUnsure = 128,    // a test ran again after failing, and the framework could not be reset
};

enum MoreSlotFlags : uint32_t {
  kInTearDown = 1,  // kFail because suite tear-down failed behind it; the test itself did not
};

// Why a process could not be put back to its snapshot after a branch; kOpen slots' `obstacle`.
enum Obstacle : uint32_t {
  kNoObstacle = 0,
  kNotTaken = 1,          // no snapshot was taken: a single branch, or too many obstacles before
  kRefusedHere = 2,       // this process or machine cannot be snapshotted
  kStartedProcess = 3,    // the test started a process
  kLiveThreads = 4,       // ... left a thread running
  kOldMapping = 5,        // ... changed or removed memory that was mapped at the snapshot
  kUnknownCall = 6,       // ... made a system call whose effect we cannot undo
  kLoweredLimit = 7,      // ... lowered a hard resource limit
  kLostDirectory = 8,     // ... the working directory cannot be entered again
  kWroteFiles = 9,        // ... wrote into the private file system
  kProcessEnded = 10,     // ... ended the process, or was ended
  kClosedOurs = 11,       // ... closed descriptors that the snapshot needs
  kSignalledOthers = 12,  // ... sent a signal to another process, perhaps its parent
};

// Whether processes of this program can be snapshotted here; Report::snapshots, from moment 5 on.
enum SnapshotSupport : uint32_t {
  kNotProbed = 0,
  kSupported = 1,
  kNoPageTracking = 2,  // no way to find the pages that were written
  kNoSyscallGate = 3,   // no syscall user dispatch, or the program handles SIGSYS itself
  kHasThreads = 4,
  kNoKeeper = 5,  // no copy of the process can be made, or its memory not be read
  kNoMemory = 6,  // not enough left for the snapshot itself
};

// How written pages are found, see target/agent/snapshot/dirty_pages.h; Report::snapshot_backend.
enum SnapshotBackend : uint32_t {
  kNoBackend = 0,
  kByUserfault = 1,
  kByPagemap = 2,
};

// Parts of a snapshot, by the bits of Header::without: a test of ours leaves one out and sees that
// it is missed. The first ones are the bits of target/agent/snapshot/effects.h, in that order.
enum : uint32_t { kEffectCount = 12, kMemory = 1u << 12, kGate = 1u << 13, kPartCount = 14 };

// kVerify: a page that did not come back, as found after a rollback.
struct Difference {
  uint64_t address;  // of the first byte that differs
  uint32_t branch;   // the kOpen token that was undone
  uint32_t bytes;    // how many differ in its page
};
enum : uint32_t { kMostDifferences = 16 };

struct Slot {
  uint8_t status;        // SlotStatus
  uint8_t flags;         // SlotFlags
  uint16_t wait_status;  // kOpen slots: from waitpid
  uint32_t text;         // arena offset of a FailureText, 0 = none
                         // kOpen slots: the process forked here goes on with further branches; this
                         // is the one it is at, plus one
  uint64_t duration_ns;  // test, or whole branch
  uint32_t pid;          // kOpen slots: claim flag, then the process; tests: the process it ran in
  uint32_t worker;       // whose capture file the output went to
  uint64_t output_begin;  // kOpen slots: the keeper of the process forked here
  uint64_t output_end;    // kOpen slots: 1: the branch is over, and its process about to go back
  uint16_t leaked_threads;
  uint16_t leaked_children;
  uint32_t more_flags;  // MoreSlotFlags; kOpen slots: Obstacle
  uint32_t check;       // of what stands above, see wire/check.h; the engine seals empty ones
  uint32_t reserved;
};
static_assert(sizeof(Slot) == 56, "Slot is shared between two programs");

// First failing check of a test. Followed by file and message bytes, no terminators.
struct FailureText {
  int32_t line;
  uint32_t file_size;
  uint32_t message_size;
  uint32_t check;  // of the above and of the bytes
};

// One loaded module, as listed in moment 2: path bytes follow. The executable comes first and has
// an empty path.
struct ModuleEntry {
  uint64_t base;  // load bias
  uint32_t path_size;
  uint32_t reserved;
};

// One test, as listed in moment 4. Followed by the bytes of its texts, in this order.
enum TestText { kSuiteText, kNameText, kFileText, kTypeText, kValueText, kTagsText, kDeclaredText };
enum : uint32_t { kTestTexts = 7 };
struct TestEntry {
  int32_t line;
  uint32_t size[kTestTexts];
  uint8_t will_run;  // the framework itself would run it
  uint8_t disabled;  // ... not unless it is told to
  uint8_t reserved[2];
};

// Addresses in the target, resolved by the engine. 0 = not there.
enum : uint32_t { kMostEntries = 16, kMostNumbers = 4 };
struct Hooks {
  Framework framework;            // unknown: there are no hooks
  uint32_t number[kMostNumbers];  // facts about its version and layout, see wire/hooks.h
  uint32_t reserved;
  uint64_t entry[kMostEntries];  // by the framework's own enumeration in wire/hooks.h
  uint64_t coverage_dump;  // __gcov_dump or __llvm_profile_write_file: called as a branch ends
  uint64_t trace_test;     // gordian_trace_test(int32_t) of a traced build: from here on the
                           // process runs for this test; -1: its branch is over
};

// What a worker is doing now; the engine's watchdog reads it.
struct WorkerState {
  uint32_t pid;         // the process that runs (or tears down) `slot`; 0 = idle
  uint32_t slot;        // token index of the test
  uint64_t since_ns;    // CLOCK_MONOTONIC of the start of the current phase
  uint32_t crashed;     // kStopOnCrash: the signal, while the process waits to be inspected
  uint32_t worker_pid;  // the worker itself
  uint32_t branch;      // token index of the top-level branch in flight, plus one
  uint32_t check;       // of pid, slot and since_ns
};

// A process that stops before chosen tests, so that the engine can look at its state and change it
// (moment 6, one worker). While it is held it answers requests, one at a time.
enum HoldState : uint32_t { kNotHeld = 0, kHeld = 1, kRequested = 2, kAnswered = 3, kLetGo = 4 };
enum HoldRequest : uint32_t {
  kSystemCall = 1,     // `number` with argument[]; answers its result, negative for an error
  kSetVariable = 2,    // environment: text is NAME, a zero byte, VALUE
  kUnsetVariable = 3,  // text is NAME
  kEnvironment = 4,    // answers the address of its list
  kSetLocale = 5,      // category `number` to text; without text only asks. Answers in text
  kAllocate = 6,       // answers the address of `number` bytes from malloc
  kThreadStorage = 7,  // answers where the TLS block of module `number` is, 0 = it has none
  kFloatControl = 8,   // answers MXCSR and the x87 control word above it; sets them if argument[0]
};
enum : uint32_t { kMostHolds = 3, kHoldText = 4096 };
enum HoldEvery : uint32_t {
  kHoldBeforeEach = 1,  // as if every test were in `before`
  kHoldAtEnd = 2,       // behind the last test of a branch; token is that of its kClose
  kHoldAtInlineEnd = 4  // likewise in a process that runs the plan itself
};
// What the engine wants, in the header; the agent acts on it when `state` says so.
struct HoldOrders {
  uint32_t before[kMostHolds];  // tokens plus one, 0 = none: before its suite is set up, if it is
                                // the first of it
  uint32_t inside[kMostHolds];  // likewise: behind that, before its fixture is made
  uint32_t every;               // HoldEvery
  uint32_t request;             // HoldRequest
  int64_t number;
  uint64_t argument[6];
  uint32_t in_text;  // bit i: argument[i] is an offset into text
  uint32_t reserved;
  char text[kHoldText];
};
// What the held process says, in the report.
struct HoldAnswer {
  uint32_t state;       // HoldState; both sides write it and sleep on it (futex)
  uint32_t pid, token;  // who is held, and before what
  uint32_t reserved;
  int64_t number;
  char text[kHoldText];  // a copy of the request's, changed by what was asked for
};

enum : uint32_t { kMaxWorkers = 64, kMaxPrivateDirs = 8, kMaxPath = 512 };
enum : uint64_t { kOutputKeep = 64 * 1024 };  // bytes of output kept for one test: head and tail
enum : uint32_t { kLongestFile = kMaxPath * 8, kLongestMessage = 64 * 1024 };  // of a FailureText

enum HeaderFlags : uint32_t {
  kListOnly = 1,
  kCollapseHeap = 2,    // make fork of a big heap cheap (MADV_COLLAPSE)
  kStopOnCrash = 4,     // a crashing branch waits for the engine to read its stack
  kSnapshots = 8,       // a branch's process goes back to its start and runs the next one
  kVerify = 16,         // ... and compares all its memory each time
  kSameAddresses = 32,  // E only: the program is loaded at the same place each time
  kRunDisabled = 64,    // tests that the framework would not run by itself are wanted too
};

// Why the agent gave up; Report::fault, sent with kFault.
enum Fault : uint32_t {
  kNoFault = 0,
  kLayoutUnknown = 1,  // the framework's data does not look as in any version we know
  kArenaFull = 2,      // more tests than the arena holds
  kForkFailed = 3,
  kPrivateFsFailed = 4,  // a worker could not get its own view of the file system
  kNoMemoryLeft = 5,     // the test process may not map what the agent needs
};

// The engine's orders: read-only in the test process.
struct Header {
  // before moment 1
  uint32_t magic, version, header_size, report_size;              // sizes of the two structs
  uint64_t plan_offset, header_total;                             // in this file
  uint64_t slots_offset, arena_offset, arena_size, report_total;  // in the other one
  uint32_t cap_tokens, flags, workers;
  uint32_t nonce;                   // goes into every check: those of another process do not fit
  int32_t capture_fd[kMaxWorkers];  // one per worker; [0] also takes what is printed before
  uint32_t fs_dirs;                 // private directories, see wire/private_fs.h; 0 = off
  uint32_t fs_userns;               // mounts need a user namespace of their own
  char fs_root[kMaxPath];
  char fs_dir[kMaxPrivateDirs][kMaxPath];
  uint32_t without;         // parts of a snapshot to leave out, for tests of ours
  uint32_t avoid_backends;  // bit 1 << SnapshotBackend: not to be used
  // with kGo / kRun
  Hooks hooks;
  uint32_t tokens;
  // at any time
  uint32_t ended[kMaxWorkers];  // by worker: the token plus one whose process is being ended now
  HoldOrders hold;
};
static_assert(sizeof(Header) < 16384, "Header must leave the plan on a page of its own");

// What the agent tells: input. Followed by slots and arena.
struct Report {
  uint64_t arena_used;  // bytes taken; grows by atomic add
  uint32_t fault, modules;
  uint64_t modules_at, tests_at;
  uint32_t tests, threads;    // threads at the snapshot, 1 = safe to fork
  uint32_t odd_fds;           // sockets, pipes, ... open at the snapshot: shared by all forks
  uint32_t shared_maps;       // writable MAP_SHARED mappings: likewise
  uint32_t locked_memory;     // 1: at the snapshot; forks do not have it locked
  uint32_t setup_text;        // first failure of global set-up, 0 = none
  uint32_t setup_failed;      // 1 = failed, 2 = skipped
  uint32_t snapshots;         // SnapshotSupport
  uint32_t verified;          // rollbacks whose memory was compared
  uint32_t differences;       // pages that differed; the first ones are listed
  uint32_t snapshot_backend;  // SnapshotBackend, when snapshots is kSupported
  uint32_t reserved;
  Difference difference[kMostDifferences];
  WorkerState worker[kMaxWorkers];
  HoldAnswer hold;
};
static_assert(sizeof(Report) < 16384, "Report must leave the slots on a page of their own");

}  // namespace gordian_wire
