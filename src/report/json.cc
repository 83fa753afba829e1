// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/outcome_codec.h"
#include "report/run_report.h"

namespace gordian {

using nlohmann::json;

std::string dump_json(const json& value) {
  return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

json marked_names_json(const Order& tests, const std::vector<bool>& marks, const Suite& suite) {
  Order marked;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (marks[i]) marked.push_back(tests[i]);
  }
  return names_json(marked, suite);
}

double seconds_json(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

json notices_to_json(const std::vector<Notice>& notices) {
  return json_list(notices, [](const Notice& notice) -> json {
    const char* level = notice.level == Notice::Level::warning ? "warning" : "info";
    return {{"level", level}, {"text", notice.text}};
  });
}

namespace {

json test_to_json(const Test& test) {
  return {{"name", test.full_name()},
          {"suite", test.suite},
          {"case", test.name},
          {"file", text_or_null(test.file)},
          {"line", line_or_null(test.line)},
          {"type_param", text_or_null(test.type_param)},
          {"value_param", text_or_null(test.value_param)},
          {"tags", text_or_null(test.tags)},
          {"disabled", test.disabled},
          {"will_run", test.will_run}};
}

json tests_to_json(const Suite& suite) {
  return json_list(suite.tests(), test_to_json);
}

json framework_to_json(const Suite& suite) {
  return {{"name", to_string(suite.framework())},
          {"version", text_or_null(suite.framework_version())}};
}

json target_to_json(const Target& target) {
  auto variable = [](const auto& one) -> json {
    return {{"name", one.first},
            {"value", one.second ? json(*one.second) : json()}};  // null: unset
  };
  return {{"binary", target.binary.string()},
          {"args", target.args},
          {"working_dir", target.working_dir.string()},
          {"env", json_list(target.env, variable)},
          {"origin", text_or_null(target.origin)}};
}

json binary_to_json(const BinaryIdentity& binary) {
  return {{"path", binary.path},
          {"build_id", text_or_null(binary.build_id)},
          {"sha256", text_or_null(binary.sha256)},
          {"size", binary.size}};
}

json header_to_json(const RunHeader& header) {
  return {{"order_spec", header.order_spec},
          {"seed", header.seed ? json(std::to_string(*header.seed)) : json()},
          {"isolation_requested", to_string(header.requested)},
          {"isolation_used", to_string(header.used)},
          {"snapshot_backend", text_or_null(header.snapshot_backend)},
          {"control", to_string(header.control)},
          {"private_fs", header.private_fs},
          {"jobs", header.jobs},
          {"repeat", header.repeat},
          {"test_timeout_ms", header.test_timeout_ms > 0 ? json(header.test_timeout_ms) : json()},
          {"command", text_or_null(header.command)},
          {"started_unix_ms", header.started_unix_ms}};
}

json counts_to_json(const OutcomeCounts& counts) {
  return {{"pass", counts.pass},       {"fail", counts.fail},       {"skip", counts.skip},
          {"crash", counts.crash},     {"timeout", counts.timeout}, {"exit", counts.exit},
          {"not_run", counts.not_run}, {"lost", counts.lost},       {"total", counts.total()}};
}

json result_to_json(const TestRun& run, const Suite& suite) {
  json result = to_public_json(run.outcome);
  result.update(
      {{"test", suite.test(run.test).full_name()},
       {"duration_ns", run.duration.count()},
       {"fell_back", run.fall_back == FallBack::none ? json() : json(to_string(run.fall_back))},
       {"leaks", {{"threads", run.leaks.threads}, {"children", run.leaks.children}}},
       {"stack",
        json_list(run.stack,
                  [](const StackFrame& frame) { return frame_to_json(frame, JsonForm::shown); })},
       {"output", run.output},
       {"output_truncated", run.output_truncated}});
  return result;
}

json order_to_json(const OrderRun& order, const Suite& suite) {
  return {{"order", names_json(order.order, suite)},
          {"results",
           json_list(order.runs, [&](const TestRun& run) { return result_to_json(run, suite); })}};
}

}  // namespace

json run_to_json(const RunFacts& facts) {
  auto order = [&](const OrderRun& one) { return order_to_json(one, facts.suite); };
  return {{"kind", "run"},
          {"version", kJsonVersion},
          {"id", facts.id ? json(to_string(*facts.id)) : json()},
          {"binary", binary_to_json(facts.header.binary)},
          {"target", target_to_json(facts.header.target)},
          {"framework", framework_to_json(facts.suite)},
          {"header", header_to_json(facts.header)},
          {"tests", tests_to_json(facts.suite)},
          {"orders", json_list(facts.orders, order)},
          {"counts", counts_to_json(count_outcomes(facts))},
          {"notices", notices_to_json(facts.notices)},
          {"end", to_string(facts.end)},
          {"wall_ns", facts.wall.count()}};
}

json suite_to_json(const Target& target, const Suite& suite) {
  return {{"kind", "suite"},
          {"version", kJsonVersion},
          {"target", target_to_json(target)},
          {"framework", framework_to_json(suite)},
          {"tests", tests_to_json(suite)}};
}

json list_to_json(const std::vector<std::pair<Target, Suite>>& suites) {
  auto suite = [](const auto& one) { return suite_to_json(one.first, one.second); };
  return {{"kind", "list"}, {"version", kJsonVersion}, {"suites", json_list(suites, suite)}};
}

}  // namespace gordian
