// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whether a rebuild has changed a test. The hash of a test covers its own class, its fixture's
// set-up and tear-down, main(), and everything in the program that these refer to, step by step:
// called functions, functions and vtables whose address is taken, initial values of variables,
// literals. It does not cover other modules (libraries, also the framework's), virtual functions of
// objects made elsewhere, static initialisers, and files. Moving code changes nothing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/test.h"

namespace gordian {

/// One for each test of the suite; empty where its functions were not found. An error says why
/// there is none at all: "it has no symbols".
Result<std::vector<std::string>> hash_tests(const std::filesystem::path& program,
                                            const Suite& suite);

}  // namespace gordian
