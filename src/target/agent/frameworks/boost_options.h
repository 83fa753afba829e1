// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How Boost.Test has to be told to run for us: in its own order, without handlers for signals, so
// that a test that crashes ends its process as in other frameworks, and without colours in its log.
// Command line and environment are as they were again when the first test runs.
#pragma once

namespace gordian_agent {

/// Before main().
void set_boost_options();
/// When the framework has read them.
void give_back_boost_options();

}  // namespace gordian_agent
