// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
