// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// From a request to a session that is ready to run orders: what a search and the estimate of one
// have in common.
#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "detect/detect.h"
#include "runtime/session.h"

namespace gordian {

struct OpenTarget {
  std::unique_ptr<Session> session;
  DetectFacts facts;  ///< binary, target, suite, isolation, notices; nothing of a search
  Order tests;        ///< those to be searched, in the default order
};

/// `should_stop` is what the engine asks while it runs.
Result<OpenTarget> open_target(const DetectRequest& request, std::function<bool()> should_stop);

}  // namespace gordian
