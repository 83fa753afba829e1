// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What searches found as JUnit XML: one <testcase> for each test that was searched.
//  * A dependent test has a <failure> for each of its dependences, whose type is the role. A test
//    that was left out is <skipped>. All others pass, also those that fail in every order: `run
//    --junit` tells of results, this file of dependence.
//  * Class names begin with "dependence.", so that a CI system that reads both files does not take
//    one for the other; with several binaries the binary's name and a slash follow.
//  * Schemas know properties of suites only. Those of a test begin with its full name:
//    "Cart.T3.role", ".dependence", ".witness", ".polluters" or ".state_setters", ".cleaners",
//    ".carrier".
//  * Valid for the schemas of Jenkins.
#pragma once

#include <string>

#include "model/report_facts.h"

namespace gordian {

std::string report_to_junit(const ReportFacts& facts);

}  // namespace gordian
