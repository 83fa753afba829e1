// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// While this object lives, coverage builds that we start leave their counters in a directory of
// ours and not among the user's: orders are tried here, and nobody wants to see them counted. By
// our own environment, so that stored targets do not name a directory that is gone.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/result.h"
#include "base/temporary_dir.h"

namespace gordian {

class CountersElsewhere {
 public:
  static Result<CountersElsewhere> begin() {
    std::error_code none;
    const std::filesystem::path places[] = {"/var/tmp", std::filesystem::temp_directory_path(none)};
    auto dir = TemporaryDir::make(places);
    if (!dir) return dir.error();
    ::setenv("GCOV_PREFIX", dir->path().c_str(), 1);
    ::unsetenv("GCOV_PREFIX_STRIP");
    ::setenv("LLVM_PROFILE_FILE", (dir->path() / "%p-%m.profraw").c_str(), 1);
    return CountersElsewhere(std::move(*dir));
  }

 private:
  explicit CountersElsewhere(TemporaryDir dir) : dir_(std::move(dir)) {}
  TemporaryDir dir_;
};

}  // namespace gordian
