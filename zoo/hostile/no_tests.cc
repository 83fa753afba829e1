// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test binary without a single test.
#include <gtest/gtest.h>

int g_nothing_to_see = 0;
