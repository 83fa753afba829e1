// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The same sources are built with Catch2 2 (Debian's package) and, by tests/e2e/catch2.py, with 3.
#pragma once

#ifdef GORDIAN_ZOO_CATCH2_3
#include <catch_amalgamated.hpp>
#else
#include <catch2/catch.hpp>
#endif
