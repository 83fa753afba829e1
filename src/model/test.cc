// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/test.h"

#include <utility>

#include "frameworks/framework_traits.h"

namespace gordian {

std::string_view to_string(Framework framework) {
  if (framework == Framework::ctest) return "CTest";
  const FrameworkTraits* traits = find_traits(framework);
  return traits == nullptr ? "unknown" : traits->name;
}

std::string_view word_of(Framework framework) {
  if (framework == Framework::ctest) return "process";
  const FrameworkTraits* traits = find_traits(framework);
  return traits == nullptr ? "unknown" : traits->word;
}

std::optional<Framework> framework_called(std::string_view word) {
  for (Framework framework : {Framework::unknown, Framework::ctest}) {
    if (word_of(framework) == word) return framework;
  }
  for (const FrameworkTraits* traits : all_frameworks()) {
    if (traits->word == word) return traits->framework;
  }
  return std::nullopt;
}

Suite::Suite() {
  static const auto empty = std::make_shared<const Data>();
  data_ = empty;
}

Suite::Suite(Framework framework, std::string framework_version, std::vector<Test> tests)
    : Suite(&kNativeRuntime, framework, std::move(framework_version), std::move(tests)) {}

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

Order Suite::default_order_without(const Order& tests) const {
  std::vector<bool> left_out(size());
  for (TestId test : tests) left_out[test.value()] = true;
  Order rest = default_order();
  std::erase_if(rest, [&left_out](TestId test) { return left_out[test.value()]; });
  return rest;
}

}  // namespace gordian
