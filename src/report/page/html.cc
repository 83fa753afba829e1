// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/page/html.h"

#include <fmt/format.h>

namespace gordian {
namespace {

constexpr std::string_view kPlace = "\"GORDIAN_REPORT\"";

/// JSON in which no '<', '>' or '&' is left, nor a line separator that old engines stumble over.
/// They can stand in strings only, where an escape means the same.
std::string script_safe(const std::string& text) {
  std::string safe;
  safe.reserve(text.size() + text.size() / 16);
  for (char c : text) {
    if (std::string_view("<>&").find(c) == std::string_view::npos) {
      safe += c;
    } else {
      safe += fmt::format("\\u{:04x}", c);
    }
  }
  return safe;
}

}  // namespace

Result<std::string> page_with(std::string_view page, const nlohmann::json& report) {
  if (page.empty()) {
    return usage_error("this build of Gordian has no page for reports",
                       "it was built without Node.js: install nodejs and npm, and build it again; "
                       "--json, --sarif and the others work without");
  }
  const std::size_t place = page.find(kPlace);
  if (place == std::string_view::npos) {
    return internal_error("the page of this build has no place for a report");
  }
  using nlohmann::json;
  std::string html(page.substr(0, place));
  html += script_safe(report.dump(-1, ' ', true, json::error_handler_t::replace));
  html += page.substr(place + kPlace.size());
  return html;
}

}  // namespace gordian
