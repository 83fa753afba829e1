// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The tests of a unit, as the macros of GoogleTest, Catch2, doctest, Boost.Test and CppUTest make
// them: where they stand, what their statements do, and their fixtures.
#pragma once

#include <llvm/Support/JSON.h>

#include "facts/effects.h"
#include "facts/macros.h"
#include "facts/source.h"

namespace gordian::facts {

struct TestsJson {
  llvm::json::Array tests, fixtures;
};

TestsJson tests_json(EffectsOfUnit& effects, const Checks& checks, const Source& source);

}  // namespace gordian::facts
