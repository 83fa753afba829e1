// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/framework_state.h"

#include <algorithm>

#include "frameworks/framework_traits.h"

namespace gordian {

bool is_bookkeeping(std::string_view name) {
  const auto all = all_frameworks();
  return std::any_of(all.begin(), all.end(), [name](const FrameworkTraits* traits) {
    return std::any_of(traits->bookkeeping.begin(), traits->bookkeeping.end(),
                       [name](std::string_view part) { return name.find(part) != name.npos; });
  });
}

void call_flag_by_name(Carrier& carrier) {
  for (const FrameworkTraits* traits : all_frameworks()) {
    const std::string_view prefix = traits->flag_prefix;
    const std::string& variable = carrier.key.name();
    if (prefix.empty() || !variable.starts_with(prefix)) continue;
    carrier.key = {CarrierKind::flag, NameKey{variable.substr(prefix.size())}};
    return;
  }
}

}  // namespace gordian
