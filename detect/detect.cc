// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/detect.h"

#include <fmt/format.h>

#include <utility>

#include "detect/gtest_shuffle.h"
#include "detect/open_target.h"
#include "detect/search.h"
#include "engine/interrupt.h"

namespace gordian {
namespace {

Result<Order> to_order(const Suite& suite, const std::vector<std::string>& names) {
  Order order;
  for (const std::string& name : names) {
    auto id = suite.find(name);
    if (!id) {
      return usage_error(fmt::format("the binary has no test called {}", name),
                         "is this the binary that failed?");
    }
    order.push_back(*id);
  }
  return order;
}

/// The orders that a CI log names, if the request has any.
Result<std::vector<Order>> given_orders(const DetectRequest& request, const Suite& suite) {
  std::vector<Order> orders;
  for (const auto& names : request.suspects) {
    auto order = to_order(suite, names);
    if (!order) return order.error();
    orders.push_back(std::move(*order));
  }
  // A seed knows better than a list of names; those only tell whether this is the right binary.
  if (request.framework_seed) orders = {gtest_shuffle(suite, *request.framework_seed)};
  return orders;
}

}  // namespace

Result<DetectFacts> detect(const DetectRequest& request, SearchListener& listener) {
  auto open = open_target(request, [] { return interrupted(); });
  if (!open) return open.error();
  DetectFacts& facts = open->facts;
  facts.search.algorithm = to_string(request.algorithm);
  facts.search.seed = request.seed;
  facts.search.budget = request.budget;
  auto given = given_orders(request, facts.suite);
  if (!given) return given.error();

  listener.search_begins(facts);
  for (const Notice& notice : facts.notices) listener.notice(notice);
  Search search(request, *open->executor, facts, listener);
  if (Status begun = search.begin(open->tests); !begun) return begun.error();
  Status explored;
  if (given->empty()) {
    explored = search.run_algorithm();
  } else {
    facts.search.algorithm = "given orders";
    explored = search.explore(*fixed_source("given orders", std::move(*given)));
  }
  if (!explored) return explored.error();
  if (Status finished = search.finish(); !finished) return finished.error();
  return std::move(facts);
}

}  // namespace gordian
