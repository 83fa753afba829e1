// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the writers of JUnit XML share. Whatever bytes the facts hold, the document is well-formed
// UTF-8: what XML 1.0 cannot carry is U+FFFD.
#pragma once

#include <chrono>
#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace gordian::xml {

/// Only characters that XML allows; markup is escaped when the document is printed.
std::string text(std::string_view bytes);

void set(pugi::xml_node node, const char* name, std::string_view value);
/// time="0.000012"
void set_seconds(pugi::xml_node node, std::chrono::nanoseconds duration);

/// <property name= value= />; nothing for an empty value.
void add_property(pugi::xml_node properties, std::string_view name, std::string_view value);

/// "2026-02-01T12:00:00", in UTC.
std::string timestamp(std::int64_t unix_ms);

/// The declaration and the root element of a new document.
pugi::xml_node begin(pugi::xml_document& document, const char* root);
std::string print(const pugi::xml_document& document);

}  // namespace gordian::xml
