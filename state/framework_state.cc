// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/framework_state.h"

namespace gordian {

bool is_bookkeeping(std::string_view name) {
  return name.find("::test_info_") != std::string_view::npos ||
         name.find("testing::UnitTest::GetInstance()") != std::string_view::npos;
}

void call_flag_by_name(Carrier& carrier) {
  constexpr std::string_view kPrefix = "testing::FLAGS_";
  if (!carrier.name.starts_with(kPrefix)) return;
  carrier.name.erase(0, kPrefix.size());
  carrier.kind = CarrierKind::flag;
}

}  // namespace gordian
