// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/copy_messages.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace gordian {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;

bool send_bytes(int fd, const void* from, std::size_t size) {
  const char* at = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t n = ::send(fd, at, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

Message encode(const Outcome& o) {
  return Message::array(
      {static_cast<int>(o.kind), o.file, o.line, o.message, o.signal, o.exit_code, o.in_tear_down});
}

Outcome decode_outcome(const Message& m) {
  Outcome o;
  o.kind = static_cast<OutcomeKind>(m.at(0).get<int>());
  o.file = m.at(1);
  o.line = m.at(2);
  o.message = m.at(3);
  o.signal = m.at(4);
  o.exit_code = m.at(5);
  o.in_tear_down = m.at(6);
  return o;
}

Message encode(const Test& t) {
  return Message::array({t.suite, t.name, t.file, t.line, t.type_param, t.value_param, t.disabled,
                         t.will_run, t.tags, t.declared});
}

Test decode_test(const Message& m) {
  return Test{m.at(0), m.at(1), m.at(2), m.at(3), m.at(4),
              m.at(5), m.at(6), m.at(7), m.at(8), m.at(9).get<std::vector<std::string>>()};
}

}  // namespace

bool send_message(int fd, const Message& message) {
  const std::vector<std::uint8_t> bytes = Message::to_cbor(message);
  const std::uint64_t size = bytes.size();
  return send_bytes(fd, &size, sizeof size) && send_bytes(fd, bytes.data(), bytes.size());
}

bool MessageReader::read_some() {
  std::array<char, 65536> buffer;
  ssize_t n = 0;
  do {
    n = ::recv(fd_, buffer.data(), buffer.size(), 0);
  } while (n < 0 && errno == EINTR);
  if (n <= 0) return false;
  bytes_.append(buffer.data(), static_cast<std::size_t>(n));
  std::uint64_t size = 0;
  if (bytes_.size() >= sizeof size) std::memcpy(&size, bytes_.data(), sizeof size);
  return size < kMostBytes;
}

std::optional<Message> MessageReader::next() {
  std::uint64_t size = 0;
  if (bytes_.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, bytes_.data(), sizeof size);
  if (bytes_.size() - sizeof size < size) return std::nullopt;
  const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes_.data()) + sizeof size;
  Message message = Message::from_cbor(begin, begin + size, true, false);
  bytes_.erase(0, sizeof size + size);
  return message;
}

Message encode(const Error& error) {
  return Message::array({static_cast<int>(error.kind), error.message, error.hint});
}

Error decode_error(const Message& m) {
  return {static_cast<ErrorKind>(m.at(0).get<int>()), m.at(1), m.at(2)};
}

/// What stood there before is on the disk: only the new content is told.
Message encode(const ChangedFiles& files) {
  Message message = Message::object();
  for (const auto& [path, file] : files) message[path] = file.after;
  return message;
}

ChangedFiles decode_files(const Message& m) {
  ChangedFiles files;
  for (const auto& [path, after] : m.items()) files[path].after = after;
  return files;
}

Message encode(const BuildResult& build) {
  return Message::array(
      {build.succeeded, build.output, build.first_error, build.new_warnings, build.seconds});
}

BuildResult decode_build(const Message& m) {
  return {m.at(0), m.at(1), m.at(2), m.at(3).get<std::vector<std::string>>(), m.at(4)};
}

Message encode(const Suite& suite) {
  Message tests = Message::array();
  for (const Test& test : suite.tests()) tests.push_back(encode(test));
  return Message::array(
      {static_cast<int>(suite.framework()), suite.framework_version(), std::move(tests)});
}

Suite decode_suite(const Message& m) {
  std::vector<Test> tests;
  for (const Message& test : m.at(2)) tests.push_back(decode_test(test));
  return {static_cast<Framework>(m.at(0).get<int>()), m.at(1), std::move(tests)};
}

Message encode(const std::vector<OrderRun>& runs) {
  Message message = Message::array();
  for (const OrderRun& run : runs) {
    Message tests = Message::array();
    for (const TestRun& test : run.runs) {
      tests.push_back(Message::array(
          {test.test.value(), encode(test.outcome), std::int64_t{test.duration.count()}}));
    }
    message.push_back(std::move(tests));
  }
  return message;
}

std::vector<OrderRun> decode_runs(const Message& m) {
  std::vector<OrderRun> runs;
  for (const Message& tests : m) {
    OrderRun& run = runs.emplace_back();
    for (const Message& test : tests) {
      TestRun& one = run.runs.emplace_back(TestId{test.at(0).get<std::uint32_t>()});
      one.outcome = decode_outcome(test.at(1));
      one.duration = std::chrono::nanoseconds(test.at(2).get<std::int64_t>());
      run.order.push_back(one.test);
    }
  }
  return runs;
}

}  // namespace gordian
