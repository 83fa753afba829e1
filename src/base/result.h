// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Result<T>: what a function returns when something outside our control can go wrong.
// An Error carries what happened, what the user can do next, and whose fault it is; the command
// line turns the last of these into the exit code. What cannot happen is GORDIAN_CHECKed instead.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace gordian {

/// Whose fault an error is. Each kind has one exit code (cli/command.h).
enum class ErrorKind {
  usage,        ///< the command line or a file named on it is wrong
  target,       ///< the test binary could not be run
  not_a_test,   ///< it is no test binary that we know
  no_match,     ///< it has tests, but none that was asked for
  unhookable,   ///< it runs, but not with our agent in it: fall back to the framework's flags
  internal,     ///< our own fault, or the machine's (disk full, database corrupt)
  interrupted,  ///< the user asked us to stop
};

struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;  ///< one sentence, no trailing full stop
  std::string hint;     ///< the next thing to try; may be empty
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  /// REQUIRES: ok().
  T& value() & { return std::get<T>(state_); }
  const T& value() const& { return std::get<T>(state_); }
  T&& value() && { return std::get<T>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// REQUIRES: !ok().
  const Error& error() const { return std::get<Error>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success, or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

inline Error usage_error(std::string message, std::string hint = {}) {
  return {ErrorKind::usage, std::move(message), std::move(hint)};
}
inline Error target_error(std::string message, std::string hint = {}) {
  return {ErrorKind::target, std::move(message), std::move(hint)};
}
inline Error unhookable_error(std::string message, std::string hint = {}) {
  return {ErrorKind::unhookable, std::move(message), std::move(hint)};
}
inline Error internal_error(std::string message, std::string hint = {}) {
  return {ErrorKind::internal, std::move(message), std::move(hint)};
}

}  // namespace gordian
