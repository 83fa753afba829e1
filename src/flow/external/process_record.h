// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One watched program with one worker, and the processes that it makes. The wire's WorkerState
// tells which test a system call belongs to; it cannot change while we look, since the caller waits
// for us. Tests can write there: what does not fit its check, or names a process that is not the
// program's, is nobody's. Calls outside of a test (global set-up, between tests, on behalf of the
// engine) are nobody's. Not thread-safe.
#pragma once

#include <linux/seccomp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "flow/external/external_access.h"
#include "flow/external/external_calls.h"
#include "flow/external/process_files.h"
#include "flow/external/test_log.h"
#include "wire/protocol.h"

namespace gordian {

class ProcessRecord {
 public:
  /// Both outlive it. `pid` stands before its exec, in the directory where it will start.
  ProcessRecord(pid_t pid, const gordian_wire::Header& header, const gordian_wire::Report& report,
                InodeNames& inodes);

  void take(const seccomp_notif& notification);
  /// Ends the test at hand and gives all that have ended since the last time.
  std::vector<ExternalTest> finish();

 private:
  struct Caller {
    pid_t runner = -1;   ///< the process that runs the test
    pid_t process = -1;  ///< the one that calls
    std::uint32_t token = 0;
    TestId test;
  };
  /// What a call is handled with.
  struct Scene {
    TestLog& log;
    const ProcessFiles& files;
    const AccessOrigin& origin;
    bool own;             ///< by the process of the test itself
    std::uint64_t scope;  ///< of inodes
  };

  std::optional<Caller> caller_of(pid_t thread) const;
  std::size_t position_of(std::uint32_t token) const;
  void end_log();
  TestLog& log_of(const Caller& caller);
  void note_stranger(const Caller& caller, TestLog& log);
  void note_open_descriptors(TestLog& log);

  void carry_out(const ExternalCall& call, pid_t thread, Scene& scene);
  std::optional<std::string> use_path(const PathUse& use, pid_t thread, Scene& scene);
  void use_entry(const PathUse& use, const PathWalk& walk, Scene& scene);
  void use_socket(const SocketUse& use, pid_t thread, Scene& scene);
  void use_address(const std::string& bytes, bool binds, Scene& scene);
  void set_umask(std::uint32_t mask, Scene& scene);

  bool is_ours(pid_t runner) const;

  pid_t program_;
  mutable pid_t known_runner_ = -1;  ///< was looked up
  const gordian_wire::Header& header_;
  const gordian_wire::Report& report_;
  const std::int32_t* plan_;
  InodeNames& inodes_;
  std::string start_;
  std::optional<TestLog> log_;  ///< of the test at hand
  std::vector<ExternalTest> finished_;
  std::map<pid_t, std::uint32_t> strangers_;  ///< children of tests, and during which they came
};

}  // namespace gordian
