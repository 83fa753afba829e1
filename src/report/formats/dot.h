// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Tests and what ties them together as a graph for Graphviz: an arrow from each polluter or
// state-setter to the test that depends on it, with the carrier on it, and a dotted one from each
// cleaner. Tests that take part in no dependence are left out; so are polluters and cleaners of one
// test beyond twenty, and a comment says how many.
#pragma once

#include <string>

#include "model/report_facts.h"

namespace gordian {

std::string report_to_dot(const ReportFacts& facts);

}  // namespace gordian
