// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "suite/test.h"

#include <utility>

namespace gordian {

std::string_view to_string(Framework framework) {
  switch (framework) {
    case Framework::gtest:
      return "GoogleTest";
    case Framework::unknown:
      break;
  }
  return "unknown";
}

Suite::Suite(Framework framework, std::string framework_version, std::vector<Test> tests)
    : framework_(framework),
      framework_version_(std::move(framework_version)),
      tests_(std::move(tests)) {
  by_name_.reserve(tests_.size());
  for (std::uint32_t i = 0; i < tests_.size(); ++i) {
    by_name_.emplace(tests_[i].full_name(), TestId{i});
  }
}

std::optional<TestId> Suite::find(std::string_view full_name) const {
  auto it = by_name_.find(std::string(full_name));
  if (it == by_name_.end()) return std::nullopt;
  return it->second;
}

Order Suite::default_order() const {
  Order order;
  order.reserve(tests_.size());
  for (std::uint32_t i = 0; i < tests_.size(); ++i) {
    if (tests_[i].will_run) order.push_back(TestId{i});
  }
  return order;
}

}  // namespace gordian
