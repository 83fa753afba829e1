// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/seeded_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/files.h"
#include "base/text.h"
#include "model/dependence.h"

namespace gordian {
namespace {

constexpr const char* kForm = "write NAME: [VARIABLE=VALUE]... [BINARY], one fault a line";

constexpr std::string_view kBlanks = " \t\r";

Result<ListedFault> parse_line(const std::string& line, const std::string& place,
                               const std::filesystem::path& directory) {
  const auto colon = line.find(':');
  ListedFault fault;
  fault.name = trimmed(line.substr(0, colon), kBlanks);
  if (colon == std::string::npos || fault.name.empty()) {
    return usage_error(place + ": no name of a fault", kForm);
  }
  fault.command = trimmed(line.substr(colon + 1), kBlanks);
  std::istringstream words(fault.command);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    const bool variable = equals != std::string::npos && equals > 0 && word.find('/') > equals &&
                          fault.binary.empty();
    if (variable) {
      fault.env.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    } else if (fault.binary.empty()) {
      fault.binary = (directory / word).lexically_normal();
    } else {
      return usage_error(place + ": more than one binary", kForm);
    }
  }
  if (fault.env.empty() && fault.binary.empty()) {
    return usage_error(place + ": neither a variable nor a binary", kForm);
  }
  return fault;
}

/// The target with the fault in it.
Target faulty(Target target, const ListedFault& fault) {
  if (!fault.binary.empty()) target.binary = fault.binary;
  for (const EnvChange& change : fault.env) {
    std::erase_if(target.env, [&](const EnvChange& old) { return old.first == change.first; });
    target.env.push_back(change);
  }
  return target;
}

/// Tests of one run in one process whose results are not the expected ones.
Result<std::set<TestId>> unexpected(const FaultCheck& check, const Target& target,
                                    const Order& order) {
  RunRequest request = check.run;
  request.target = target;
  request.isolation = Isolation::none;
  request.exact_order = names_of(check.of.suite, order);
  auto facts = run_target(request, check.observer);
  if (!facts) return facts.error();
  if (facts->end == RunEnd::interrupted) return Error{ErrorKind::interrupted, "interrupted", ""};
  std::set<TestId> tests;
  const std::vector<TestRun>& runs = facts->orders.front().runs;
  for (std::size_t i = 0; i < runs.size() && i < order.size(); ++i) {
    const Outcome& outcome = runs[i].outcome;
    const Outcome* expected = check.expected(order[i]);
    if (is_known(outcome) && expected != nullptr && !same_result(outcome, *expected))
      tests.insert(order[i]);
  }
  return tests;
}

Result<std::vector<TestId>> unexpected_twice(const FaultCheck& check, const Target& target,
                                             const std::vector<ProcessOrder>& processes) {
  std::vector<TestId> found;
  for (const ProcessOrder& process : processes) {
    auto once = unexpected(check, target, process.order);
    if (!once) return once.error();
    if (once->empty()) continue;
    auto twice = unexpected(check, target, process.order);
    if (!twice) return twice.error();
    std::set_intersection(once->begin(), once->end(), twice->begin(), twice->end(),
                          std::back_inserter(found));
  }
  return found;
}

}  // namespace

Result<std::vector<ListedFault>> parse_fault_list(std::string_view text, const std::string& file,
                                                  const std::filesystem::path& directory) {
  std::vector<ListedFault> faults;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = trimmed(line, kBlanks);
    if (line.empty() || line.starts_with('#')) continue;
    auto fault = parse_line(line, fmt::format("{}:{}", file, number), directory);
    if (!fault) return fault.error();
    faults.push_back(std::move(*fault));
  }
  if (faults.empty()) return usage_error(file + " names no fault", kForm);
  return faults;
}

Result<std::vector<ListedFault>> read_fault_list(const std::filesystem::path& file) {
  auto text = read_regular(file);
  if (!text) return usage_error("the list of faults: " + text.error().message);
  return parse_fault_list(*text, file.string(), std::filesystem::absolute(file).parent_path());
}

Result<SeededFault> check_fault(const FaultCheck& check, const ListedFault& fault) {
  SeededFault seen;
  seen.name = fault.name;
  seen.command = fault.command;
  const Target target = faulty(check.of.target, fault);
  auto by_all = unexpected_twice(check, target, in_one_process(check.of.tests));
  auto by_reduced = by_all ? unexpected_twice(check, target, check.reduced) : by_all;
  if (!by_reduced) {
    if (by_reduced.error().kind == ErrorKind::interrupted) return by_reduced.error();
    seen.trouble = by_reduced.error().message;
    return seen;
  }
  seen.found_by = std::move(*by_all);
  seen.found_by_reduced = std::move(*by_reduced);
  return seen;
}

}  // namespace gordian
