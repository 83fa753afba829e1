// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/process/order_process.h"

#include <fmt/format.h>
#include <regex.h>
#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <optional>

namespace gordian {
namespace {

/// CMake's regular expressions are close to POSIX extended ones: a dot is any character, anchors
/// are those of the whole text. One that does not compile matches nothing, as with ctest.
bool matches(const std::string& expression, const std::string& text) {
  regex_t compiled;
  if (::regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
  const bool found = ::regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  ::regfree(&compiled);
  return found;
}

const std::string* first_match(const std::vector<std::string>& expressions,
                               const std::string& text) {
  auto found = std::find_if(expressions.begin(), expressions.end(),
                            [&text](const std::string& e) { return matches(e, text); });
  return found == expressions.end() ? nullptr : &*found;
}

struct FailedAssertion {
  std::string file;
  int line = 0;
  std::string text;
};

/// "program: file.c:12: function: Assertion `x' failed.", as assert() of glibc and musl print it.
std::optional<FailedAssertion> read_assertion(std::string_view line) {
  const std::size_t at = line.find("Assertion ");
  if (at == std::string_view::npos || line.find("failed", at) == std::string_view::npos) {
    return std::nullopt;
  }
  FailedAssertion found;
  found.text = line.substr(at);
  // The last ":NUMBER:" in front of it, and the word before that.
  for (std::size_t colon = line.rfind(':', at); colon != std::string_view::npos && colon > 0;
       colon = line.rfind(':', colon - 1)) {
    std::size_t digits = colon;
    while (digits > 0 && line[digits - 1] >= '0' && line[digits - 1] <= '9') --digits;
    if (digits == colon || digits == 0 || line[digits - 1] != ':') continue;
    std::from_chars(line.data() + digits, line.data() + colon, found.line);
    const std::size_t end = digits - 1;
    const std::size_t space = line.rfind(' ', end);
    const std::size_t begin = space == std::string_view::npos ? 0 : space + 1;
    found.file = line.substr(begin, end - begin);
    return found;
  }
  return found;
}

std::optional<FailedAssertion> find_assertion(std::string_view output) {
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size());
    if (auto found = read_assertion(output.substr(begin, end - begin))) return found;
    begin = end + 1;
  }
  return std::nullopt;
}

/// The end of what was printed, a few lines of it.
std::string last_lines(std::string_view output) {
  constexpr std::size_t kLines = 5, kBytes = 2000;
  while (!output.empty() && std::strchr("\n\r \t", output.back()) != nullptr) {
    output.remove_suffix(1);
  }
  if (output.size() > kBytes) output.remove_prefix(output.size() - kBytes);
  std::size_t begin = output.size();
  for (std::size_t line = 0; line < kLines && begin != 0 && begin != std::string_view::npos;
       ++line) {
    begin = begin == 0 ? std::string_view::npos : output.rfind('\n', begin - 1);
  }
  if (begin != std::string_view::npos && begin < output.size()) output.remove_prefix(begin + 1);
  return std::string(output);
}

Outcome of_kind(OutcomeKind kind) {
  Outcome outcome;
  outcome.kind = kind;
  return outcome;
}

/// `how`: one sentence that is the same each time.
Outcome failed(std::string how, std::string_view output) {
  Outcome outcome = of_kind(OutcomeKind::fail);
  outcome.message = std::move(how);
  if (auto assertion = find_assertion(output)) {
    outcome.file = assertion->file;
    outcome.line = assertion->line;
    outcome.message = assertion->text;
  } else if (std::string text = last_lines(output); !text.empty()) {
    outcome.message += "\n" + text;
  }
  return outcome;
}

/// assert() is a failed check to its author, whatever signal it uses.
Outcome after_signal(int signal, std::string_view output) {
  if (signal == SIGABRT && find_assertion(output)) return failed("", output);
  Outcome outcome = of_kind(OutcomeKind::crash);
  outcome.signal = signal;
  outcome.message = last_lines(output);
  return outcome;
}

Outcome after_exit(const CtestEntry& test, int code, const std::string& text) {
  const std::string* skips = first_match(test.skip_regex, text);
  if (skips != nullptr || test.skip_return_code == code) {
    Outcome outcome = of_kind(OutcomeKind::skip);
    outcome.message = skips != nullptr ? fmt::format("its output matches {}", *skips)
                                       : fmt::format("exit code {}", code);
    return outcome;
  }
  std::string why;
  const bool wanted = test.pass_regex.empty() || first_match(test.pass_regex, text) != nullptr;
  if (!wanted) why = "its output matches none of PASS_REGULAR_EXPRESSION";
  if (const std::string* bad = first_match(test.fail_regex, text)) {
    why = fmt::format("its output matches {} of FAIL_REGULAR_EXPRESSION", *bad);
  }
  if (why.empty() && code != 0 && test.pass_regex.empty()) why = fmt::format("exit code {}", code);
  if (test.will_fail && why.empty())
    why = "it succeeded, and WILL_FAIL says otherwise";
  else if (test.will_fail)
    why.clear();
  if (why.empty()) return of_kind(OutcomeKind::pass);
  Outcome outcome = failed(std::move(why), text);
  outcome.exit_code = code;
  return outcome;
}

}  // namespace

Outcome ctest_outcome(const CtestEntry& test, const ProcessEnd& end, std::string_view output) {
  if (!end.missing_file.empty()) {
    return failed(fmt::format("the required file {} is missing", end.missing_file), "");
  }
  if (end.start_error != 0) {
    return failed(fmt::format("{} cannot be started: {}",
                              test.command.empty() ? "its program, which is not built,"
                                                   : test.command.front(),
                              std::strerror(end.start_error)),
                  "");
  }
  if (end.timed_out) return of_kind(OutcomeKind::timeout);
  if (end.printed_too_much) return failed("it printed too much, and was ended", output);
  if (WIFSIGNALED(end.wait_status)) return after_signal(WTERMSIG(end.wait_status), output);
  std::string text(output);
  std::replace(text.begin(), text.end(), '\0', ' ');
  return after_exit(test, WEXITSTATUS(end.wait_status), text);
}

}  // namespace gordian
