// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The talk between gordian-ctest, which ctest starts once for each test (the *client*), and the
// *batch server*, which has the test binary in its state before the first test and runs one test
// for each request. Both come from one build, so there is no version but that of the identity.
//
//  1. Meeting. The client finds a socket named after its batch (batch/identity.h). If nobody
//     listens there, it makes the socket, starts the server with it and goes on (rendezvous.h).
//  2. Asking. The client connects and sends one Request. The server may be busy starting: the
//     client waits, ctest's own time limit is the only one.
//  3. Begun. The server sends Reply::Kind::begun just before the test runs. A connection that ends
//     before that is worth another try: nothing has happened.
//  4. Answer. One more Reply: result, refused (this server cannot run it; a fresh process can), or
//     error (nobody can). The client prints it and takes on its exit code or signal.
//  5. Client gone (ctest's TIMEOUT, Ctrl-C): the server sees the connection close and ends the
//  test.
//  6. Server gone after 3: the client runs the test in a fresh process and says so.
//
// Bytes: a frame is its length and fields; a field is its length and bytes; lengths are 32 bits in
// the machine's own order.
#pragma once

#include <optional>
#include <string>

namespace gordian::batch {

/// The exit codes of gordian-ctest, besides those of cli/command.h.
inline constexpr int kExitSkipped = 77;  ///< as SKIP_RETURN_CODE; the custom of Automake

struct Request {
  std::string identity;  ///< must be the server's own
  std::string test;      ///< full name
  std::string xml;       ///< absolute; write JUnit XML there; empty: do not

  std::string packed() const;
  static std::optional<Request> unpack(const std::string& bytes);
};

struct Reply {
  enum class Kind { begun, result, refused, error } kind = Kind::error;
  int exit_code = 0;
  int signal = 0;    ///< the test died of it; 0: it did not
  std::string text;  ///< result: for stdout. refused, error: why, one sentence

  std::string packed() const;
  static std::optional<Reply> unpack(const std::string& bytes);
};

/// What to tell of a name that the binary does not know.
std::string no_such_test(const std::string& test);

/// One frame to a socket. False when the other side is gone. Never raises SIGPIPE.
bool send_frame(int fd, const std::string& bytes);
/// One frame from a socket; nullopt at its end, and for what cannot be a frame.
std::optional<std::string> receive_frame(int fd);

}  // namespace gordian::batch
