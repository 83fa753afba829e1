// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches found in the Test Anything Protocol, version 13: one test point for each test that
// was searched. A dependent test is "not ok" with what is known of it as YAML; a test that was left
// out has the directive SKIP; all others are "ok", also those that fail in every order.
#pragma once

#include <string>

#include "model/report_facts.h"

namespace gordian {

std::string report_to_tap(const ReportFacts& facts);

}  // namespace gordian
