// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// JUnit XML for CI systems. One <testsuite> for each suite of each order of each run.
//  * fail is a <failure>; crash, timeout, exit and lost are an <error>; skip and not_run are
//    <skipped>, the latter with a message that says that the test has no result.
//  * One file may hold several binaries: when it does, suite and class names begin with the file
//  name
//    of the binary and a slash, since two binaries may have a suite of the same name.
//  * The first repeat bears the plain names, so that a CI system's history goes on; further repeats
//    add " (repeat 2)" to both, and each suite has a property "repeat".
#pragma once

#include <span>
#include <string>

#include "model/run.h"

namespace gordian {

/// A well-formed UTF-8 document whatever bytes the facts hold: what XML 1.0 cannot carry is U+FFFD.
std::string junit_xml(std::span<const RunFacts> runs);

}  // namespace gordian
