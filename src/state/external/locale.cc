// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <locale.h>

#include <set>

#include "state/external/external_kinds.h"

namespace gordian {
namespace {

using namespace changes;

namespace wire = gordian_wire;

struct Category {
  int number;
  const char* name;
};
constexpr Category kCategories[] = {{LC_CTYPE, "LC_CTYPE"},       {LC_NUMERIC, "LC_NUMERIC"},
                                    {LC_TIME, "LC_TIME"},         {LC_COLLATE, "LC_COLLATE"},
                                    {LC_MONETARY, "LC_MONETARY"}, {LC_MESSAGES, "LC_MESSAGES"}};

void read_locale(StateReading& from, ExternalState& to) {
  for (const auto& [category, name] : kCategories) {
    if (from.held.request(wire::kSetLocale, category) < 0) continue;
    to.locale[category] = from.held.text(wire::kHoldText).c_str();
  }
}

bool set_locale(HeldProcess& held, int category, const std::string& name) {
  return held.request(wire::kSetLocale, category, name) >= 0;
}

void locale_changes(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  std::set<int> moved;
  std::set<std::string> was, is;
  for (const auto& [category, name] : before.locale) {
    auto now = after.locale.find(category);
    if (now == after.locale.end() || now->second == name) continue;
    moved.insert(category);
    was.insert(name);
    is.insert(now->second);
  }
  StateEvents events{
      .writers = {"setlocale", "uselocale"},
      .readers = {"localeconv", "mbstowcs", "mbrtowc", "mbtowc", "mblen", "wcstombs", "wctomb",
                  "strtod", "snprintf", "vsnprintf", "strftime", "strcoll", "toupper", "tolower",
                  "nl_langinfo", "setlocale", "__ctype_get_mb_cur_max"}};
  if (moved.size() == before.locale.size() && was.size() == 1 && is.size() == 1) {
    changes.push_back(changed(
        {CarrierKind::locale, NameKey{"LC_ALL"}}, *was.begin(), *is.begin(),
        [old = *was.begin()](HeldProcess& held) { return set_locale(held, LC_ALL, old); }, events));
    return;
  }
  for (const auto& [category, name] : kCategories) {
    if (!moved.contains(category)) continue;
    const std::string& old = before.locale.at(category);
    changes.push_back(changed(
        {CarrierKind::locale, NameKey{name}}, old, after.locale.at(category),
        [category = category, old](HeldProcess& held) { return set_locale(held, category, old); },
        events));
  }
}

}  // namespace

const ExternalKind kinds::locale = {
    .kind = CarrierKind::locale, .read = read_locale, .compare = locale_changes};

}  // namespace gordian
