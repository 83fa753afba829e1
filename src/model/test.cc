// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/test.h"

#include <utility>

namespace gordian {

std::string_view to_string(Framework framework) {
  switch (framework) {
    case Framework::gtest:
      return "GoogleTest";
    case Framework::catch2:
      return "Catch2";
    case Framework::doctest:
      return "doctest";
    case Framework::boost:
      return "Boost.Test";
    case Framework::cpputest:
      return "CppUTest";
    case Framework::ctest:
      return "CTest";
    case Framework::unknown:
      break;
  }
  return "unknown";
}

RuntimeId runtime_of(Framework framework) {
  return framework == Framework::ctest ? &kProcessRuntime : &kNativeRuntime;
}

Suite::Suite() {
  static const auto empty = std::make_shared<const Data>();
  data_ = empty;
}

Suite::Suite(Framework framework, std::string framework_version, std::vector<Test> tests)
    : Suite(runtime_of(framework), framework, std::move(framework_version), std::move(tests)) {}

Suite::Suite(RuntimeId runtime, Framework framework, std::string framework_version,
             std::vector<Test> tests) {
  auto data = std::make_shared<Data>();
  data->runtime = runtime;
  data->framework = framework;
  data->framework_version = std::move(framework_version);
  data->tests = std::move(tests);
  data->by_name.reserve(data->tests.size());
  for (std::uint32_t i = 0; i < data->tests.size(); ++i) {
    data->by_name.emplace(data->tests[i].full_name(), TestId{i});
  }
  data_ = std::move(data);
}

std::optional<TestId> Suite::find(std::string_view full_name) const {
  auto it = data_->by_name.find(std::string(full_name));
  if (it == data_->by_name.end()) return std::nullopt;
  return it->second;
}

Order Suite::default_order() const {
  Order order;
  order.reserve(data_->tests.size());
  for (std::uint32_t i = 0; i < data_->tests.size(); ++i) {
    if (data_->tests[i].will_run) order.push_back(TestId{i});
  }
  return order;
}

}  // namespace gordian
