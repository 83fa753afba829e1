// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/order_check.h"

#include <pugixml.hpp>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "base/files.h"
#include "detect/lab.h"
#include "runtime/interrupt.h"

namespace gordian {
namespace {

struct Case {
  std::string name, timestamp;
};

bool was_run(const pugi::xml_node& node) {
  std::string status = node.attribute("status").value(), result = node.attribute("result").value();
  return status != "notrun" && result != "suppressed";
}

void collect(const pugi::xml_node& node, std::vector<Case>& cases) {
  for (const pugi::xml_node& child : node.children()) {
    if (std::string_view(child.name()) != "testcase") {
      collect(child, cases);
    } else if (was_run(child)) {
      std::string name = child.attribute("name").value();
      std::string suite = child.attribute("classname").value();
      cases.push_back(
          {suite.empty() ? name : suite + "." + name, child.attribute("timestamp").value()});
    }
  }
}

/// Gordian's JUnit files group by suite as readers expect, and name the real order in a property.
std::vector<std::string> order_we_wrote(const pugi::xml_document& document) {
  std::vector<std::string> names;
  pugi::xml_node property = document.find_node([](const pugi::xml_node& node) {
    return std::string_view(node.attribute("name").value()) == "gordian.order";
  });
  std::istringstream lines(property.attribute("value").value());
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) names.push_back(line);
  }
  return names;
}

/// GoogleTest writes suites as registered, whatever order they ran in; its time stamps tell, if
/// they are fine enough to keep all apart.
bool timestamps_tell(const std::vector<Case>& cases) {
  std::set<std::string> stamps;
  for (const Case& c : cases) stamps.insert(c.timestamp);
  return !cases.empty() && !stamps.contains("") && stamps.size() == cases.size();
}

}  // namespace

Result<std::unique_ptr<OrderCheck>> OrderCheck::open(const DetectRequest& request,
                                                     SearchListener& listener) {
  auto open = open_target(request, [] { return interrupted(); });
  if (!open) return open.error();
  listener.search_begins(open->facts);
  for (const Notice& notice : open->facts.notices) listener.notice(notice);
  const bool fresh =
      request.isolation == Isolation::process || !open->session->fork_problems().empty();
  auto check =
      std::make_unique<OrderCheck>(std::move(*open), request.confirmations, fresh, listener);
  if (Status known = check->establish(); !known) return known.error();
  return check;
}

OrderCheck::OrderCheck(OpenTarget open, int confirmations, bool fresh, SearchListener& listener)
    : open_(std::move(open)),
      confirmations_(confirmations),
      listener_(listener),
      knowledge_(open_.facts.suite),
      lab_(*open_.session, fresh, [this] { beat(); }) {
  knowledge_.set_tests(open_.tests);
}

void OrderCheck::beat() {
  progress_.orders = lab_.orders();
  progress_.tests_run = lab_.tests_run();
  progress_.elapsed = std::chrono::steady_clock::now() - started_;
  listener_.progress(progress_);
}

Status OrderCheck::establish() {
  progress_.algorithm = to_string(PhaseKind::default_order);
  Status known = establish_expected(lab_, knowledge_, confirmations_, open_.facts);
  if (interrupted()) return Error{ErrorKind::interrupted, "interrupted", ""};
  return known;
}

bool OrderCheck::is_settled(TestId test) const {
  return knowledge_.expected(test).has_value() &&
         knowledge_.standing(test) == Knowledge::Standing::open;
}

std::vector<ChangedResult> OrderCheck::compare(const OrderRun& run, const ProcessOrder& process,
                                               CheckedOrder& checked) const {
  auto is_extra = [&process](TestId test) {
    auto at = std::find(process.order.begin(), process.order.end(), test);
    return at != process.order.end() &&
           process.extra[static_cast<std::size_t>(at - process.order.begin())];
  };
  const bool any_extra =
      std::find(process.extra.begin(), process.extra.end(), true) != process.extra.end();
  std::vector<ChangedResult> suspects;
  for (std::size_t i = 0; i < run.runs.size(); ++i) {
    const TestId test = run.order[i];
    const Outcome& outcome = run.runs[i].outcome;
    if (any_extra && is_extra(test)) continue;
    if (!is_known(outcome)) {
      ++checked.not_reached;
    } else if (!is_settled(test)) {
      ++checked.left_out;
    } else {
      ++checked.tests;
      if (same_result(outcome, *knowledge_.expected(test))) continue;
      Order until(run.order.begin(), run.order.begin() + static_cast<std::ptrdiff_t>(i + 1));
      suspects.push_back(
          {test, *knowledge_.expected(test), outcome, std::move(until), 1, 1, kNoDependence});
    }
  }
  return suspects;
}

Status OrderCheck::confirm(const Order& order, std::vector<ChangedResult> suspects,
                           CheckedOrder& checked) {
  progress_.doing = "confirming " + lab_.suite().test(suspects.front().test).full_name();
  if (suspects.size() > 1) progress_.doing += " and others";
  const std::vector<Order> again(static_cast<std::size_t>(std::max(confirmations_ - 1, 1)), order);
  auto runs = lab_.run(again, OrderRunner::Shape::flat);
  if (!runs) return runs.error();
  for (ChangedResult& result : suspects) {
    const std::size_t place = result.order.size() - 1;
    for (const OrderRun& run : *runs) {
      ++result.runs;
      result.differ += same_result(run.runs[place].outcome, result.observed) ? 1 : 0;
    }
    auto& list = result.confirmed() ? checked.changed : checked.nondeterministic;
    list.push_back(std::move(result));
  }
  progress_.doing.clear();
  return {};
}

Result<CheckedOrder> OrderCheck::check(const std::string& name,
                                       const std::vector<ProcessOrder>& processes) {
  progress_.algorithm = name;
  CheckedOrder checked;
  std::vector<Order> orders;
  std::vector<const ProcessOrder*> asked;
  for (const ProcessOrder& process : processes) {
    Order order;
    for (TestId test : process.order) {
      if (!knowledge_.ends_default_order(test)) order.push_back(test);
    }
    checked.left_out += process.order.size() - order.size();
    if (order.empty()) continue;
    orders.push_back(std::move(order));
    asked.push_back(&process);
  }
  const auto since = std::chrono::steady_clock::now();
  auto runs = lab_.run(orders, OrderRunner::Shape::flat);
  if (!runs) return runs.error();
  checked.wall = std::chrono::steady_clock::now() - since;
  for (std::size_t i = 0; i < runs->size(); ++i) {
    auto suspects = compare((*runs)[i], *asked[i], checked);
    if (suspects.empty() || interrupted()) continue;
    if (Status done = confirm(orders[i], std::move(suspects), checked); !done) return done.error();
  }
  if (interrupted()) return Error{ErrorKind::interrupted, "interrupted", ""};
  return checked;
}

Result<FailedOrder> parse_failed_order(const std::string& xml, const std::string& name) {
  pugi::xml_document document;
  pugi::xml_parse_result parsed = document.load_string(xml.c_str());
  if (!parsed) return usage_error(name + " is not XML: " + parsed.description());
  FailedOrder order;
  order.names = order_we_wrote(document);
  if (!order.names.empty()) return order;
  std::vector<Case> cases;
  collect(document, cases);
  if (cases.empty()) return usage_error(name + " names no test that was run");
  if (timestamps_tell(cases)) {
    std::stable_sort(cases.begin(), cases.end(),
                     [](const Case& a, const Case& b) { return a.timestamp < b.timestamp; });
  } else {
    auto seed = document.child("testsuites").attribute("random_seed").as_uint();
    if (seed > 0) order.framework_seed = seed;
  }
  for (Case& c : cases) order.names.push_back(std::move(c.name));
  return order;
}

Result<FailedOrder> read_failed_order(const std::string& file) {
  auto text = read_regular(file);
  if (!text) return text.error();
  return parse_failed_order(*text, file);
}

}  // namespace gordian
