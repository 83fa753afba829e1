// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "batch/cmake_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "frameworks/framework_traits.h"
#include "runtime/native/flags_driver.h"
#include "runtime/native/inspect.h"

namespace gordian::batch {
namespace {

constexpr std::string_view kDisabled = "DISABLED_";

std::string enabled(std::string name) {
  if (name.starts_with(kDisabled)) name.erase(0, kDisabled.size());
  return name;
}

/// "Ty/0" -> "0"; empty when there is no number.
std::string index_of(const std::string& name) {
  std::string index = name.substr(name.rfind('/') + 1);
  bool digits = !index.empty() && std::all_of(index.begin(), index.end(),
                                              [](unsigned char c) { return std::isdigit(c) != 0; });
  return name.find('/') != std::string::npos && digits ? index : std::string();
}

/// CMake's function swaps an index for the value; behind a name of the user's own it leaves the
/// value as the framework prints it.
std::string pretty_test(const Test& test) {
  const std::string index = index_of(test.name);
  if (index.empty()) return test.name + "  # GetParam() = " + test.value_param;
  return test.name.substr(0, test.name.size() - index.size()) + test.value_param;
}

}  // namespace

std::string ctest_name(const Test& test, const NamingStyle& style) {
  const bool valued = !test.value_param.empty() && style.pretty_values;
  std::string name = enabled(valued ? pretty_test(test) : test.name);
  std::string suite = test.suite;
  if (!test.type_param.empty()) {
    suite = suite.substr(0, suite.find('/'));
    name += "<" + (style.pretty_types ? test.type_param : index_of(test.suite)) + ">";
  }
  return style.prefix + enabled(suite) + "." + name + style.suffix;
}

Result<Suite> discover_tests(const Target& target, std::chrono::milliseconds start_timeout) {
  const auto inspection = inspect(target);
  const Framework framework = inspection ? inspection->framework.framework : Framework::gtest;
  if (!traits_of(framework).driven_by_flags) {
    const std::string_view name = to_string(framework);
    return target_error(
        fmt::format("{} is a {} program; gordian_discover_tests knows GoogleTest only",
                    target.binary.string(), name),
        fmt::format("register it as {} does; gordian run isolates its tests", name));
  }
  ExecutorOptions engine;
  if (start_timeout.count() > 0) engine.start_timeout = start_timeout;
  return FlagsDriver(target, "", engine).list(false);
}

std::string discovered_script(const std::vector<Test>& tests, const NamingStyle& style,
                              const std::string& list_variable) {
  std::string script, names;
  for (const Test& test : tests) {
    std::string name = ctest_name(test, style);
    script += "gordian_add_discovered_test(" + bracket_argument(name) + " " +
              bracket_argument(test.full_name()) + (test.disabled ? " TRUE)\n" : " FALSE)\n");
    // A list with unbalanced brackets comes apart.
    if (name.find_first_of("[]") != std::string::npos) continue;
    names += (names.empty() ? "" : ";") + list_element(name);
  }
  return script + "set(" + list_variable + " " + bracket_argument(names) + ")\n";
}

}  // namespace gordian::batch
