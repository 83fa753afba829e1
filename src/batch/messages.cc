// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "batch/messages.h"

#include <sys/socket.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace gordian::batch {
namespace {

constexpr std::uint32_t kLongestFrame = 64u << 20;
constexpr int kMostExitCode = 255, kMostSignal = 127;

void append_field(std::string& to, const std::string& field) {
  auto size = static_cast<std::uint32_t>(field.size());
  to.append(reinterpret_cast<const char*>(&size), sizeof size);
  to += field;
}

std::string pack(const std::vector<std::string>& fields) {
  std::string bytes;
  for (const std::string& field : fields) append_field(bytes, field);
  return bytes;
}

/// Exactly `count` fields that fill `bytes`; empty when they do not.
std::vector<std::string> unpack_fields(const std::string& bytes, std::size_t count) {
  std::vector<std::string> fields;
  std::size_t at = 0;
  while (at < bytes.size()) {
    std::uint32_t size = 0;
    if (bytes.size() - at < sizeof size) return {};
    std::memcpy(&size, bytes.data() + at, sizeof size);
    at += sizeof size;
    if (bytes.size() - at < size) return {};
    fields.push_back(bytes.substr(at, size));
    at += size;
  }
  if (fields.size() != count) fields.clear();
  return fields;
}

std::optional<int> to_int(const std::string& text) {
  int value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool receive_fully(int fd, char* to, std::size_t size) {
  while (size > 0) {
    ssize_t n = ::recv(fd, to, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

std::string Request::packed() const {
  return pack({identity, test, xml});
}

std::optional<Request> Request::unpack(const std::string& bytes) {
  auto fields = unpack_fields(bytes, 3);
  if (fields.empty()) return std::nullopt;
  return Request{fields[0], fields[1], fields[2]};
}

std::string Reply::packed() const {
  return pack({std::to_string(static_cast<int>(kind)), std::to_string(exit_code),
               std::to_string(signal), text});
}

std::optional<Reply> Reply::unpack(const std::string& bytes) {
  auto fields = unpack_fields(bytes, 4);
  if (fields.empty()) return std::nullopt;
  auto kind = to_int(fields[0]), code = to_int(fields[1]), number = to_int(fields[2]);
  bool known = kind && *kind >= 0 && *kind <= static_cast<int>(Kind::error);
  if (!known || !code || !number) return std::nullopt;
  // The client takes these on as its own: a process can end in no other way.
  if (*code < 0 || *code > kMostExitCode || *number < 0 || *number > kMostSignal) {
    return std::nullopt;
  }
  return Reply{static_cast<Kind>(*kind), *code, *number, fields[3]};
}

std::string no_such_test(const std::string& test) {
  return "the binary has no test called " + test + "; build its target again, to list its tests";
}

bool send_frame(int fd, const std::string& bytes) {
  std::string frame;
  append_field(frame, bytes);
  std::size_t done = 0;
  while (done < frame.size()) {
    ssize_t n = ::send(fd, frame.data() + done, frame.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

std::optional<std::string> receive_frame(int fd) {
  std::uint32_t size = 0;
  if (!receive_fully(fd, reinterpret_cast<char*>(&size), sizeof size)) return std::nullopt;
  if (size > kLongestFrame) return std::nullopt;
  std::string bytes(size, '\0');
  if (!receive_fully(fd, bytes.data(), bytes.size())) return std::nullopt;
  return bytes;
}

}  // namespace gordian::batch
