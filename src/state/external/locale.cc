// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <locale.h>

#include <set>

#include "state/external/external_kinds.h"

namespace gordian {
namespace {

using namespace changes;

namespace wire = gordian_wire;

void read_locale(StateReading& from, ExternalState& to) {
  for (int category : {LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES}) {
    if (from.held.request(wire::kSetLocale, category) < 0) continue;
    to.locale[category] = from.held.text(wire::kHoldText).c_str();
  }
}

std::string_view category_name(int category) {
  switch (category) {
    case LC_CTYPE:
      return "LC_CTYPE";
    case LC_NUMERIC:
      return "LC_NUMERIC";
    case LC_TIME:
      return "LC_TIME";
    case LC_COLLATE:
      return "LC_COLLATE";
    case LC_MONETARY:
      return "LC_MONETARY";
    default:
      return "LC_MESSAGES";
  }
}

void locale_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  std::vector<int> moved;
  std::set<std::string> was, is;
  for (const auto& [category, name] : before.locale) {
    auto now = after.locale.find(category);
    if (now == after.locale.end() || now->second == name) continue;
    moved.push_back(category);
    was.insert(name);
    is.insert(now->second);
  }
  StateEvents events{
      .writers = {"setlocale", "uselocale"},
      .readers = {"localeconv", "mbstowcs", "mbrtowc", "mbtowc", "mblen", "wcstombs", "wctomb",
                  "strtod", "snprintf", "vsnprintf", "strftime", "strcoll", "toupper", "tolower",
                  "nl_langinfo", "setlocale", "__ctype_get_mb_cur_max"}};
  auto put_back = [old = before.locale](int category) {
    return [old, category](HeldProcess& held) {
      return held.request(wire::kSetLocale, category, old.at(category)) >= 0;
    };
  };
  if (moved.size() == before.locale.size() && was.size() == 1 && is.size() == 1) {
    Reset all = [name = *was.begin()](HeldProcess& held) {
      return held.request(wire::kSetLocale, LC_ALL, name) >= 0;
    };
    changes.push_back(
        changed({CarrierKind::locale, NameKey{"LC_ALL"}}, *was.begin(), *is.begin(), all, events));
    return;
  }
  for (int category : moved) {
    changes.push_back(changed({CarrierKind::locale, NameKey{std::string(category_name(category))}},
                              before.locale.at(category), after.locale.at(category),
                              put_back(category), events));
  }
}

}  // namespace

const ExternalKind kinds::locale = {
    .kind = CarrierKind::locale, .read = read_locale, .compare = locale_changes};

}  // namespace gordian
