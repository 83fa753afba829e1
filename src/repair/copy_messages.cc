// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/copy_server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "model/outcome_codec.h"

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

Message encode(const Test& t) {
  return Message::array({t.suite, t.name, t.file, t.line, t.type_param, t.value_param, t.disabled,
                         t.will_run, t.tags, t.declared});
}

/// What is read of a message throws for another type than it should have.
template <class Read>
auto guarded(Read read) -> Result<decltype(read())> {
  try {
    return read();
  } catch (const Message::exception& error) {
    return internal_error(std::string("the process in the copy said what nobody can read: ") +
                          error.what());
  }
}

template <class E>
E enumerator(const Message& m, E last) {
  const auto number = m.get<std::int64_t>();
  if (number < 0 || number > static_cast<std::int64_t>(last)) {
    throw Message::other_error::create(501, "there is no enumerator " + m.dump(), nullptr);
  }
  return static_cast<E>(number);
}

Test decode_test(const Message& m) {
  return Test{m.at(0), m.at(1), m.at(2), m.at(3), m.at(4),
              m.at(5), m.at(6), m.at(7), m.at(8), m.at(9).get<std::vector<std::string>>()};
}

Result<TestRun> decode_run(const Message& m) {
  TestRun run(TestId{m.at(0).get<std::uint32_t>()});
  auto outcome = outcome_from_json(m.at(1));
  if (!outcome) return outcome.error();
  run.outcome = *std::move(outcome);
  run.duration = std::chrono::nanoseconds(m.at(2).get<std::int64_t>());
  return run;
}

Result<OrderRun> decode_order(const Message& m, std::size_t tests) {
  if (!m.is_array() || m.size() != tests) {
    return internal_error("the process in the copy ran another order than it was told to");
  }
  OrderRun order;
  for (const Message& one : m) {
    auto run = decode_run(one);
    if (!run) return run.error();
    order.order.push_back(run->test);
    order.runs.push_back(*std::move(run));
  }
  return order;
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
  Error error;
  const auto read = guarded([&] {
    error = {enumerator(m.at(0), ErrorKind::interrupted), m.at(1), m.at(2)};
    return true;
  });
  return read ? error : read.error();
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

Result<BuildResult> decode_build(const Message& m) {
  return guarded([&m] {
    return BuildResult{m.at(0), m.at(1), m.at(2), m.at(3).get<std::vector<std::string>>(), m.at(4)};
  });
}

Message encode(const Suite& suite) {
  Message tests = Message::array();
  for (const Test& test : suite.tests()) tests.push_back(encode(test));
  return Message::array(
      {static_cast<int>(suite.framework()), suite.framework_version(), std::move(tests)});
}

Result<Suite> decode_suite(const Message& m) {
  return guarded([&m] {
    std::vector<Test> tests;
    for (const Message& test : m.at(2)) tests.push_back(decode_test(test));
    return Suite(enumerator(m.at(0), Framework::ctest), m.at(1), std::move(tests));
  });
}

Message encode(const std::vector<OrderRun>& runs) {
  Message message = Message::array();
  for (const OrderRun& run : runs) {
    Message tests = Message::array();
    for (const TestRun& test : run.runs) {
      tests.push_back(Message::array(
          {test.test.value(), to_short_json(test.outcome), std::int64_t{test.duration.count()}}));
    }
    message.push_back(std::move(tests));
  }
  return message;
}

Result<std::vector<OrderRun>> decode_runs(const Message& m,
                                          std::span<const std::vector<std::string>> orders) {
  auto runs = guarded([&]() -> Result<std::vector<OrderRun>> {
    if (!m.is_array() || m.size() != orders.size()) {
      return internal_error("the process in the copy ran other orders than it was told to");
    }
    std::vector<OrderRun> all;
    for (std::size_t i = 0; i < orders.size(); ++i) {
      auto order = decode_order(m[i], orders[i].size());
      if (!order) return order.error();
      all.push_back(*std::move(order));
    }
    return all;
  });
  return runs ? *std::move(runs) : runs.error();
}

const Message& part_of(const Message& message, const char* key) {
  static const Message kNothing;
  const auto at = message.find(key);
  return at == message.end() ? kNothing : *at;
}

}  // namespace gordian
