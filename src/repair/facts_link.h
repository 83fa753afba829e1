// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Facts of several translation units put together, as a linker does: a state that one unit declares
// and another defines is one state, and what a statement may write is followed through the calls of
// all units. Pure.
#pragma once

#include <vector>

#include "repair/facts_json.h"
#include "repair/source_facts.h"

namespace gordian {

SourceFacts link_facts(const std::vector<UnitFacts>& units);

/// Functions that some unit calls and none defines.
std::vector<UnitFacts::Undefined> undefined_functions(const std::vector<UnitFacts>& units);

}  // namespace gordian
