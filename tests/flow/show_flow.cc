// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// For tests: the data flow of a traced test binary as lines of text.
//   show_flow in_order|alone BINARY
// "dep READER <- WRITER: kind name, ... | written at FILE:LINE | read at FILE:LINE", "read TEST:
// name", "wrote TEST: name", "unsure TEST: why"
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string_view>

#include "flow/traced/trace_collector.h"
#include "runtime/native/inspect.h"

using namespace gordian;

namespace {

int fail(const Error& error) {
  fmt::print(stderr, "{}\n  hint: {}\n", error.message, error.hint);
  return 3;
}

std::string line_of(const std::optional<Site>& site) {
  if (!site || site->stack.empty()) return "?";
  const StackFrame& frame = site->stack[site->shown];
  return fmt::format("{}:{}", std::filesystem::path(frame.file).filename().string(), frame.line);
}

std::string names(const DataFlow& flow, const std::vector<StateId>& states) {
  std::string text;
  for (StateId id : states) {
    const SharedState& state = flow.state(id);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(state.key.kind()),
                        state.key.text());
  }
  return text;
}

void print(const DataFlow& flow, const Suite& suite) {
  const auto name = [&](TestId id) { return suite.test(id).full_name(); };
  for (const DataDependence& dep : flow.dependences) {
    fmt::print("dep {} <- {}: {} | written at {} | read at {}\n", name(dep.reader),
               name(dep.writer), names(flow, dep.states), line_of(dep.write), line_of(dep.read));
  }
  for (const TestFlow& test : flow.tests) {
    if (!test.reads.empty()) {
      fmt::print("read {}: {}\n", name(test.test), names(flow, test.reads));
    }
    if (!test.writes.empty()) {
      fmt::print("wrote {}: {}\n", name(test.test), names(flow, test.writes));
    }
    if (!test.unsure.empty()) fmt::print("unsure {}: {}\n", name(test.test), test.unsure);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  Target target;
  target.binary = std::filesystem::absolute(argv[2]);
  target.working_dir = std::filesystem::current_path();
  auto inspection = inspect(target);
  if (!inspection) return fail(inspection.error());
  auto suite = Executor::list(target, inspection->elf, inspection->framework, {});
  if (!suite) return fail(suite.error());
  auto collector = TraceCollector::open(target, *inspection, {});
  if (!collector) return fail(collector.error());
  const bool alone = std::string_view(argv[1]) == "alone";
  auto flow = alone ? (*collector)->alone(suite->default_order())
                    : (*collector)->in_order(suite->default_order());
  if (!flow) return fail(flow.error());
  print(*flow, *suite);
  return 0;
}
