// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How Boost.Test has to be told to run for us: in its own order, and without a handler for signals,
// so that a test that crashes ends its process as in other frameworks. Its command line and the
// environment are as they were when the first test runs.
#pragma once

namespace gordian_agent {

/// Before main().
void set_boost_options();
/// When the framework has read them.
void give_back_boost_options();

}  // namespace gordian_agent
