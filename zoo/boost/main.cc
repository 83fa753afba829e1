// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The part of Boost.Test that every suite here shares: its header takes seconds to compile.
#define BOOST_TEST_MODULE zoo
#include <boost/test/unit_test.hpp>
