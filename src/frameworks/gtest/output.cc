// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "frameworks/gtest/output.h"

#include <charconv>

namespace gordian {
namespace {

constexpr std::string_view kRun = "[ RUN      ] ";
constexpr std::string_view kOk = "[       OK ] ";
constexpr std::string_view kFailed = "[  FAILED  ] ";
constexpr std::string_view kSkipped = "[  SKIPPED ] ";

std::string_view next_line(std::string_view& text) {
  std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

int to_int(std::string_view digits) {
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

/// "path/file.cc:12: Failure" -> file and line.
bool parse_failure_head(std::string_view line, Outcome& outcome) {
  for (std::string_view tail : {std::string_view(": Failure"), std::string_view(": Skipped")}) {
    std::size_t end = line.rfind(tail);
    if (end == std::string_view::npos || end + tail.size() != line.size()) continue;
    std::string_view place = line.substr(0, end);
    std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos) {
      outcome.file = place;  // "unknown file: Failure"
    } else {
      outcome.file = place.substr(0, colon);
      outcome.line = to_int(place.substr(colon + 1));
    }
    return true;
  }
  return false;
}

/// The first failure's text runs to the next failure or the end.
void find_failure(PrintedResult& result) {
  std::string_view rest = result.output;
  bool inside = false;
  while (!rest.empty()) {
    std::string_view line = next_line(rest);
    Outcome head;
    if (parse_failure_head(line, head)) {
      if (inside) break;
      inside = true;
      result.outcome.file = head.file;
      result.outcome.line = head.line;
    } else if (inside) {
      result.outcome.message.append(line).push_back('\n');
    }
  }
  while (result.outcome.message.ends_with('\n')) result.outcome.message.pop_back();
}

/// "Suite.Name (12 ms)" or "Suite.Name, where GetParam() = 3 (0 ms)".
void end_test(PrintedResult& result, OutcomeKind kind, std::string_view tail) {
  result.ended = true;
  result.outcome.kind = kind;
  std::size_t paren = tail.rfind('(');
  if (paren != std::string_view::npos) {
    result.duration = std::chrono::milliseconds(to_int(tail.substr(paren + 1)));
  }
  if (kind != OutcomeKind::pass) find_failure(result);
}

}  // namespace

std::vector<Test> parse_test_list(std::string_view text) {
  std::vector<Test> tests;
  std::string suite, type_param;
  while (!text.empty()) {
    std::string_view line = next_line(text);
    std::size_t comment = line.find("  # ");
    std::string_view name = line.substr(0, comment);
    std::string_view note = comment == std::string_view::npos ? "" : line.substr(comment + 4);
    if (name.starts_with("  ") && !suite.empty()) {
      Test test;
      test.suite = suite;
      test.name = name.substr(2);
      test.type_param = type_param;
      if (note.starts_with("GetParam() = ")) test.value_param = note.substr(13);
      test.disabled = test.name.starts_with("DISABLED_") || suite.starts_with("DISABLED_") ||
                      suite.find("/DISABLED_") != std::string::npos;
      test.will_run = !test.disabled;
      tests.push_back(std::move(test));
    } else if (name.ends_with('.') && name.find(' ') == std::string_view::npos) {
      suite = name.substr(0, name.size() - 1);
      type_param = note.starts_with("TypeParam = ") ? note.substr(12) : "";
    }
  }
  return tests;
}

std::vector<PrintedResult> parse_run_output(std::string_view text) {
  std::vector<PrintedResult> results;
  while (!text.empty()) {
    std::string_view line = next_line(text);
    if (line.starts_with(kRun)) {
      results.push_back({});
      results.back().full_name = line.substr(kRun.size());
      continue;
    }
    if (results.empty() || results.back().ended) continue;
    PrintedResult& current = results.back();
    // A test that prints without a final newline has its own text before the framework's mark.
    for (auto [mark, kind] : {std::pair{kOk, OutcomeKind::pass},
                              {kFailed, OutcomeKind::fail},
                              {kSkipped, OutcomeKind::skip}}) {
      std::string whole = std::string(mark) + current.full_name;
      std::size_t at = line.find(whole);
      if (at == std::string_view::npos) continue;
      std::string_view behind = line.substr(at + whole.size());
      bool longer_name = !behind.empty() && behind[0] != ' ' && behind[0] != ',';
      if (longer_name) continue;
      current.output.append(line.substr(0, at));
      end_test(current, kind, line.substr(at));
      break;
    }
    if (!current.ended) current.output.append(line).push_back('\n');
  }
  return results;
}

}  // namespace gordian
