// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/explanation.h"

#include <array>

namespace gordian {

std::string_view to_string(CarrierKind kind) {
  static constexpr std::array<std::string_view, 21> kWords = {
      "variable", "thread_local", "heap",        "env",   "cwd",     "umask",   "file",
      "locale",   "signal",       "signal_mask", "fd",    "rlimit",  "timer",   "fpmode",
      "libc",     "flag",         "thread",      "child", "process", "mapping", "socket"};
  return kWords[static_cast<std::size_t>(kind)];
}

}  // namespace gordian
