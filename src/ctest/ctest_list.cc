// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "ctest/ctest.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/subprocess.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A property is a word or a list of words, as its author wrote it.
std::vector<std::string> words(const Json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  std::vector<std::string> result;
  if (!value.is_array()) return result;
  for (const Json& item : value) {
    if (item.is_string()) result.push_back(item.get<std::string>());
  }
  return result;
}

bool is_true(const Json& value) {
  return value.is_boolean() ? value.get<bool>() : words(value) == std::vector<std::string>{"TRUE"};
}

std::chrono::milliseconds seconds(const Json& value) {
  constexpr double kMost = 1e9;
  const double given = value.is_number() ? value.get<double>() : 0;
  if (!(given > 0 && given < kMost)) return std::chrono::milliseconds(0);
  return std::chrono::milliseconds(std::llround(std::ceil(given * 1000)));
}

/// What ctest would do with the result of the test.
void read_result_property(CtestEntry& test, const std::string& name, const Json& value) {
  if (name == "PASS_REGULAR_EXPRESSION") test.pass_regex = words(value);
  if (name == "FAIL_REGULAR_EXPRESSION") test.fail_regex = words(value);
  if (name == "SKIP_REGULAR_EXPRESSION") test.skip_regex = words(value);
  if (name == "SKIP_RETURN_CODE" && value.is_number_integer()) {
    test.skip_return_code = value.get<int>();
  }
  if (name == "WILL_FAIL") test.will_fail = is_true(value);
  if (name == "TIMEOUT") test.timeout = seconds(value);
}

void read_property(CtestEntry& test, const std::string& name, const Json& value) {
  if (name == "WORKING_DIRECTORY" && value.is_string()) test.working_dir = value.get<std::string>();
  if (name == "ENVIRONMENT") test.environment = words(value);
  if (name == "ENVIRONMENT_MODIFICATION") test.environment_modification = words(value);
  if (name == "DISABLED") test.disabled = is_true(value);
  if (name == "REQUIRED_FILES") test.required_files = words(value);
  if (name == "DEPENDS") test.depends = words(value);
  if (name == "FIXTURES_SETUP") test.fixtures_setup = words(value);
  if (name == "FIXTURES_CLEANUP") test.fixtures_cleanup = words(value);
  if (name == "FIXTURES_REQUIRED") test.fixtures_required = words(value);
  if (name == "RESOURCE_LOCK") test.resource_lock = words(value);
  if (name == "RUN_SERIAL") test.run_serial = is_true(value);
  read_result_property(test, name, value);
}

/// Where the test was added, through the graph of calls that ctest prints beside the tests.
void read_place(CtestEntry& test, const Json& entry, const Json& graph) {
  const Json nodes = graph.value("nodes", Json::array());
  const auto at = entry.value("backtrace", std::size_t{0});
  if (!entry.contains("backtrace") || at >= nodes.size()) return;
  const Json& node = nodes[at];
  const Json files = graph.value("files", Json::array());
  const auto file = node.value("file", files.size());
  if (file >= files.size()) return;
  test.file = files[file].get<std::string>();
  test.line = node.value("line", 0);
}

/// Throws Json::exception on a shape that ctest does not print.
CtestEntry read_test(const Json& entry, const Json& graph, const fs::path& build_dir) {
  CtestEntry test;
  test.name = entry.at("name").get<std::string>();
  test.working_dir = build_dir;
  if (entry.contains("command")) test.command = words(entry.at("command"));
  for (const Json& property : entry.value("properties", Json::array())) {
    read_property(test, property.at("name").get<std::string>(), property.at("value"));
  }
  read_place(test, entry, graph);
  return test;
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

Error malformed(const fs::path& build_dir, std::string_view why) {
  return target_error("ctest's list of the tests in " + build_dir.string() +
                          " cannot be understood: " + std::string(why),
                      "CMake 3.14 or newer is needed; try ctest --show-only=json-v1 there");
}

}  // namespace

Result<std::vector<CtestEntry>> parse_ctest_list(std::string_view json, const fs::path& build_dir) {
  try {
    const Json list = Json::parse(json);
    if (list.value("kind", "") != "ctestInfo") return malformed(build_dir, "it is no ctestInfo");
    const Json graph = list.value("backtraceGraph", Json::object());
    std::vector<CtestEntry> tests;
    for (const Json& entry : list.at("tests")) tests.push_back(read_test(entry, graph, build_dir));
    return tests;
  } catch (const Json::exception& failure) {
    return malformed(build_dir, failure.what());
  }
}

Result<std::vector<CtestEntry>> list_ctest(const fs::path& build_dir) {
  std::error_code failure;
  const fs::path directory = fs::canonical(build_dir, failure);
  if (failure || !fs::is_directory(directory)) {
    return usage_error(build_dir.string() + " is not a directory");
  }
  if (!fs::exists(directory / "CTestTestfile.cmake", failure)) {
    return target_error(build_dir.string() + " is not a CMake build with tests",
                        "configure it with cmake, enable_testing() in the top CMakeLists.txt; or "
                        "name a test binary");
  }
  SubprocessOptions options;
  options.working_dir = directory;
  options.timeout = std::chrono::minutes(2);
  auto ran = run_subprocess({"ctest", "--show-only=json-v1"}, options);
  if (!ran) {
    return target_error(ran.error().message, "install CMake (it brings ctest), or name a binary");
  }
  if (ran->timed_out) return target_error("ctest did not answer within 2 minutes");
  if (ran->truncated) return target_error("ctest printed more than can be a list of tests");
  if (!ran->succeeded()) {
    return target_error("ctest failed in " + build_dir.string() + ": " + first_line(ran->err),
                        "run ctest -N there to see why");
  }
  return parse_ctest_list(ran->out, directory);
}

}  // namespace gordian
