// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/failed_order.h"

#include <algorithm>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "base/files.h"

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
