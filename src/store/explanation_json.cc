// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/explanation_json.h"

#include "store/words.h"

namespace gordian {
namespace {

using nlohmann::json;

json text_or_null(const std::optional<std::string>& text) {
  return text ? json(*text) : json();
}

std::optional<std::string> text_from(const json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<std::string>();
}

json frame_json(const StackFrame& frame) {
  return {{"function", frame.function},
          {"file", frame.file},
          {"line", frame.line},
          {"module", frame.module},
          {"address", frame.address}};
}

StackFrame frame_from(const json& value) {
  StackFrame frame;
  value.at("function").get_to(frame.function);
  value.at("file").get_to(frame.file);
  value.at("line").get_to(frame.line);
  value.at("module").get_to(frame.module);
  value.at("address").get_to(frame.address);
  return frame;
}

}  // namespace

json site_json(const std::optional<Site>& site) {
  if (!site) return {};
  json stack = json::array();
  for (const StackFrame& frame : site->stack) stack.push_back(frame_json(frame));
  return {{"test", site->test},
          {"stack", std::move(stack)},
          {"shown", site->shown},
          {"times", site->times},
          {"times_capped", site->times_capped}};
}

std::optional<Site> site_from(const json& value) {
  if (value.is_null()) return std::nullopt;
  Site site;
  value.at("test").get_to(site.test);
  for (const json& frame : value.at("stack")) site.stack.push_back(frame_from(frame));
  value.at("shown").get_to(site.shown);
  value.at("times").get_to(site.times);
  value.at("times_capped").get_to(site.times_capped);
  return site;
}

namespace {

json carrier_json(const Carrier& carrier) {
  return {{"kind", to_string(carrier.key.kind())},
          {"name", carrier.key.text()},
          {"type", carrier.type},
          {"old", text_or_null(carrier.old_value)},
          {"new", text_or_null(carrier.new_value)},
          {"file", carrier.file},
          {"line", carrier.line},
          {"write", site_json(carrier.write)},
          {"read", site_json(carrier.read)},
          {"proved", carrier.proved}};
}

Carrier carrier_from(const json& value) {
  Carrier carrier;
  auto kind = parse_stored_word<CarrierKind>(value.at("kind").get<std::string>());
  if (!kind) throw json::other_error::create(501, kind.error().message, nullptr);
  carrier.key = {*kind, value.at("name").get<std::string>()};
  value.at("type").get_to(carrier.type);
  carrier.old_value = text_from(value.at("old"));
  carrier.new_value = text_from(value.at("new"));
  value.at("file").get_to(carrier.file);
  value.at("line").get_to(carrier.line);
  carrier.write = site_from(value.at("write"));
  carrier.read = site_from(value.at("read"));
  value.at("proved").get_to(carrier.proved);
  return carrier;
}

}  // namespace

json explanation_json(const Explanation& explanation) {
  json carriers = json::array();
  for (const Carrier& carrier : explanation.carriers) carriers.push_back(carrier_json(carrier));
  return {{"carriers", std::move(carriers)},  {"behind", explanation.behind},
          {"proved", explanation.proved},     {"proofs", explanation.proofs},
          {"changes", explanation.changes},   {"why_not", explanation.why_not},
          {"no_sites", explanation.no_sites}, {"seconds", explanation.seconds}};
}

Explanation explanation_from(const json& value) {
  Explanation explanation;
  for (const json& carrier : value.at("carriers")) {
    explanation.carriers.push_back(carrier_from(carrier));
  }
  explanation.behind = value.value("behind", std::vector<std::string>());
  value.at("proved").get_to(explanation.proved);
  value.at("proofs").get_to(explanation.proofs);
  value.at("changes").get_to(explanation.changes);
  value.at("why_not").get_to(explanation.why_not);
  explanation.no_sites = value.value("no_sites", "");
  value.at("seconds").get_to(explanation.seconds);
  return explanation;
}

}  // namespace gordian
