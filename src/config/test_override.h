// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What goes for some tests only: a time limit of their own, to run while no other does. If several
// overrides select a test, the first one that says something about a subject is the one that holds.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/order_spec.h"

namespace gordian {

struct TestOverride {
  TestFilter filter;
  std::optional<std::chrono::milliseconds> timeout;  ///< 0: none
  std::optional<bool> serial;
  std::vector<std::string> ignore_state;  ///< names of variables, files or of the environment
  std::string place;                      ///< "file:line:column"
};

/// The time limit of each test by its id, where an override gives it one. Empty: of none.
std::vector<std::optional<std::chrono::nanoseconds>> own_timeouts(
    const Suite& suite, std::span<const TestOverride> overrides);

bool is_serial(const Test& test, std::span<const TestOverride> overrides);

/// Positions of an order: those that may run at the same time, and those that may not.
struct SerialSplit {
  std::vector<std::size_t> together, alone;
};
SerialSplit split_serial(const Order& order, const Suite& suite,
                         std::span<const TestOverride> overrides);
/// Calls `run` with all that may run at the same time, then with each of the others.
Status run_split(const SerialSplit& split,
                 const std::function<Status(std::span<const std::size_t> positions)>& run);

}  // namespace gordian
