// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/session.h"

#include <fmt/format.h>

namespace gordian {

CodeHashes Session::hash_code() const {
  return {std::vector<std::string>(suite().size()), "what tests are made of cannot be told here"};
}

Result<std::unique_ptr<FlowCollector>> Session::collector(FlowSource source) {
  (void)source;
  return target_error(fmt::format("what the tests of this {} read and write cannot be told",
                                  suite().runtime().thing));
}

Error no_tests_error(const Target& target) {
  return target_error(fmt::format("{} has no tests", target.binary.string()),
                      "is the library that holds them linked whole (--whole-archive)?");
}

Error no_match_error(const Target& target, const Suite& suite, const TestFilter& filter) {
  const bool all_disabled = filter.text().empty();
  return {ErrorKind::no_match,
          fmt::format("none of the {} tests of {} would run", suite.size(), target.binary.string()),
          all_disabled ? "look at --filter, or add --also-run-disabled"
                       : fmt::format("--filter '{}' selects none, or only disabled ones: {}",
                                     filter.text(), closest_test(suite, filter.text()))};
}

Result<Order> choose_tests(const Target& target, const Suite& suite, const TestFilter& filter) {
  auto order = make_order(suite, OrderSpec{}, filter);
  if (!order) return order;
  if (suite.size() == 0) return no_tests_error(target);
  if (order->empty()) return no_match_error(target, suite, filter);
  return order;
}

}  // namespace gordian
