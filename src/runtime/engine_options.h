// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How orders are run, whatever runs them.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "config/test_override.h"
#include "model/test.h"

namespace gordian {

struct Limits {
  std::chrono::nanoseconds test_timeout{0};  ///< 0 = none
  std::uint64_t output_bytes = std::uint64_t{256} << 20;
  /// By test, where it has a limit of its own; empty: none has.
  std::vector<std::optional<std::chrono::nanoseconds>> own_timeouts{};

  std::chrono::nanoseconds timeout_of(TestId test) const {
    const std::size_t i = test.value();
    return i < own_timeouts.size() ? own_timeouts[i].value_or(test_timeout) : test_timeout;
  }
};

struct EngineOptions {
  int jobs = 1;
  Limits limits;
  /// What goes for some tests only; their time limits become part of `limits` when the tests are
  /// known.
  std::vector<TestOverride> overrides{};
  std::chrono::milliseconds start_timeout{60'000};  ///< from exec to the first test
  bool verify_snapshots = false;  ///< where state is put back in place: compare all of it each time
  bool private_fs = true;         ///< where this machine allows it
  bool private_fs_required = false;                 ///< an error where it does not
  std::vector<std::filesystem::path> private_dirs;  ///< besides the working and temporary ones
  bool also_disabled = false;  ///< tests that the framework leaves out by itself are tests too
  /// Coverage counters are read by the caller and need not reach the disk.
  bool counters_stay = false;
  /// Asked about 20 times a second: true ends the run, keeping what is known.
  std::function<bool()> should_stop = [] { return false; };
};

}  // namespace gordian
