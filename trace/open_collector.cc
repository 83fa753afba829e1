// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "trace/open_collector.h"

#include <fmt/format.h>

namespace gordian {

Result<std::unique_ptr<FlowCollector>> open_collector(const CollectorRequest& request) {
  return target_error(
      fmt::format("data dependences cannot be collected by {} in this version of Gordian",
                  to_string(request.source)),
      "'gordian detect' finds dependent tests without them");
}

}  // namespace gordian
