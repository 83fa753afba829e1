// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/xml.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <sstream>

#include "report/text.h"

namespace gordian::xml {
namespace {

bool allowed(char32_t code) {
  if (code == '\t' || code == '\n' || code == '\r') return true;
  return code >= 0x20 && code != 0xfffe && code != 0xffff;
}

}  // namespace

std::string text(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    Rune rune = decode_rune(bytes);
    bool fine = rune.valid && allowed(rune.code);
    out += fine ? bytes.substr(0, rune.bytes) : "\ufffd";
    bytes.remove_prefix(rune.bytes);
  }
  return out;
}

void set(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(text(value).c_str());
}

void set_seconds(pugi::xml_node node, std::chrono::nanoseconds duration) {
  set(node, "time", fmt::format("{:.6f}", std::chrono::duration<double>(duration).count()));
}

void add_property(pugi::xml_node properties, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  pugi::xml_node property = properties.append_child("property");
  set(property, "name", name);
  set(property, "value", value);
}

std::string timestamp(std::int64_t unix_ms) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(unix_ms / 1000)));
}

pugi::xml_node begin(pugi::xml_document& document, const char* root) {
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version").set_value("1.0");
  declaration.append_attribute("encoding").set_value("UTF-8");
  return document.append_child(root);
}

std::string print(const pugi::xml_document& document) {
  std::ostringstream out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  return out.str();
}

}  // namespace gordian::xml
