// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Our process in the copy: a fork of ours that alone sees it.
//
//   1. it enters the copy's layers and says so, or why it cannot;
//   2. it answers one request after another: build, run orders, list tests, run a helper, read a
//      file (the messages below);
//   3. at the end of the channel, at SIGTERM or at our death it ends what it started, takes the
//      layers away and is gone. What it is about then has to stop by itself: everything in here
//      asks should_stop.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/run.h"
#include "repair/change.h"
#include "repair/copy_layers.h"
#include "repair/project.h"
#include "repair/workspace.h"

namespace gordian {

/// What we and that process say to each other: one request, then any number of lines of a build,
/// then an answer or an error. Frames of a length and CBOR, which keeps bytes that are no UTF-8
/// (sources may have some). Both ends are forks of one program: nothing is versioned. But the other
/// one has run the user's build and tests: what it says is checked before it is used.
using Message = nlohmann::json;

/// Blocks until all is written; false: nobody reads any more.
bool send_message(int fd, const Message& message);

/// Takes frames out of a stream of bytes.
class MessageReader {
 public:
  explicit MessageReader(int fd) : fd_(fd) {}
  /// Reads once. False: the other end is gone, or sent what is none of our frames.
  bool read_some();
  std::optional<Message> next();

 private:
  int fd_;
  std::string bytes_;
};

Message encode(const Error& error);
Error decode_error(const Message& message);
Message encode(const ChangedFiles& files);
ChangedFiles decode_files(const Message& message);
Message encode(const BuildResult& build);
Result<BuildResult> decode_build(const Message& message);
Message encode(const Suite& suite);
Result<Suite> decode_suite(const Message& message);
/// Without outputs and stacks.
Message encode(const std::vector<OrderRun>& runs);
/// An error unless they are runs of these orders, a result for each position.
Result<std::vector<OrderRun>> decode_runs(const Message& message,
                                          std::span<const std::vector<std::string>> orders);

/// null where it has none.
const Message& part_of(const Message& message, const char* key);

/// In a fork, for good. `parent`: who made the fork.
[[noreturn]] void serve_copy(const Project& project, const WorkspaceOptions& options,
                             CopyLayers& layers, int channel, pid_t parent);

}  // namespace gordian
