// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which files, directories, working directory and peers each test reads and writes, on the binary
// as it is: static ones, system calls without the C library, and children of tests included. Use:
//
//   ExternalRecorder recorder;
//   options.watch = &recorder;                       // ExecutorOptions; one job, no snapshots
//   auto executor = Executor::open(..., options);
//   executor->run_fresh({order}, listener);          // or run_forked(..., flat), run_held()
//   std::vector<ExternalTest> tests = recorder.take();
//   builder.begin(order[i]);                         // FlowBuilder, test by test; then:
//   if (auto* test = find_test(tests, i)) add_to(builder, *test);
//   for (const std::string& miss : recorder.misses()) builder.misses(miss);
//
// One take() for all tests that are compared: only state that one of them wrote is told. For tests
// that ran alone find them by ExternalTest::test. A tree of orders has no positions. Serves its
// listeners by threads of its own; all functions may be called from the engine's thread only.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "flow/external/external_access.h"
#include "flow/external/process_files.h"
#include "runtime/native/syscall_watch.h"

namespace gordian {

class ExternalRecorder : public SyscallWatch {
 public:
  ExternalRecorder();
  ~ExternalRecorder() override;
  ExternalRecorder(const ExternalRecorder&) = delete;
  ExternalRecorder& operator=(const ExternalRecorder&) = delete;

  void started(pid_t pid, UniqueFd listener, const gordian_wire::Header& header,
               const gordian_wire::Report& report) override;
  void ended(pid_t pid) override;
  void refused(int error) override;

  /// What was seen since the last time, by process and position. REQUIRES: no test is running.
  std::vector<ExternalTest> take();
  /// Sentences for DataFlow::misses: what cannot have been seen. Empty if nothing ever ran.
  std::vector<std::string> misses() const;

 private:
  class Served;  ///< one program and the thread that answers it

  std::mutex mutex_;  ///< of all that is below, and of what the threads write
  InodeNames inodes_;
  std::map<pid_t, std::unique_ptr<Served>> served_;
  std::vector<ExternalTest> finished_;
  bool any_started_ = false;
  std::string refusal_;
};

}  // namespace gordian
