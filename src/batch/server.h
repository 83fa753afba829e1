// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The batch server: gives connections to workers, one at a time to each, and starts another worker
// when all are busy. It ends when its ctest is gone or nobody has asked for a while, and nothing of
// it is left then. Single-threaded; workers are forked from it.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "batch/identity.h"
#include "batch/messages.h"
#include "model/run.h"
#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "runtime/session.h"

namespace gordian::batch {

// A worker of the batch server: a process of its own with one test program in its state before the
// first test. It takes one connection after another from the server and runs one test for each.

/// What all workers of a server share.
struct Service {
  SessionRequest run;    ///< target, isolation and limits
  std::string identity;  ///< of the batch
  std::string stamp;     ///< of the binary's file: with another one the tests are others
  Inspection inspection;
  std::string unservable;  ///< why no test of it can be run here; empty: it can
};

/// With one look at the binary, for all workers.
Service make_service(SessionRequest run, std::string identity, std::string stamp);

/// The channel between server and worker keeps message boundaries. Server to worker: one byte with
/// a connection. Worker to server: kFree, or kUnservable and the reason; after either it may have
/// the next connection.
inline constexpr char kFree = 'f', kUnservable = 'u';

bool send_connection(int channel, int connection);
/// Invalid when the other side is gone.
UniqueFd receive_connection(int channel);

class Worker {
 public:
  Worker(const Service& service, UniqueFd channel);

  /// Until the server closes the channel; then the framework may tear down.
  void serve();

 private:
  struct Answer {
    Reply reply;
    std::string unservable;  ///< not only this test: the binary
  };
  void serve_one(const UniqueFd& connection);
  Answer answer(const UniqueFd& connection);
  Status ensure_open();
  Answer run_test(const Request& request, const UniqueFd& connection);
  bool should_stop() const;

  const Service& service_;
  UniqueFd channel_;
  int client_ = -1;  ///< whose test is running
  std::unique_ptr<Executor> executor_;
  Isolation isolation_ = Isolation::fork;
  std::vector<Notice> notices_;
};

// One test's result as its client is told: text as the framework would have printed it, and the
// exit code or signal. Pure functions of facts.

/// Between the framework's lines for begin and end stands what the test printed. An ending that the
/// framework has no word for (a crash, an exit) gets one of ours. `notices` come first. `binary` is
/// for the command that tells more.
Reply reply_for(const std::string& binary, const Test& test, const TestRun& run,
                const std::vector<Notice>& notices);

struct ServerOptions {
  UniqueFd listener;        ///< bound and listening
  std::string socket_path;  ///< of it; removed at the end
  ProcessName ctest;
  std::chrono::milliseconds idle{5000};  ///< so long without work, then it ends
  int most_workers = 64;
};

/// Serves until the end. Returns in the process that called it; workers never return.
void serve_batch(const Service& service, ServerOptions options);

}  // namespace gordian::batch
