// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/runtime_traits.h"

#include <array>

namespace gordian {

const RuntimeTraits kNativeRuntime = {
    .word = "native",
    .level = "binary",
    .level_option = "",
    .thing = "binary",
    .made_anew = "rebuilt",
    .one_process = true,
    .test_timeout = "",
    .no_patches = {},
    .no_debugger = {},
    .no_traces = {},
};

const RuntimeTraits kProcessRuntime = {
    .word = "process",
    .level = "process",
    .level_option = " --level process",
    .thing = "build",
    .made_anew = "changed",
    .one_process = false,
    .test_timeout = "60s",
    .no_patches = {"tests that are processes of their own cannot be repaired", "name a test binary"},
    .no_debugger = {"--debugger is for test binaries, not for --level process", ""},
    .no_traces = {"--trace is for test binaries, not for --level process",
               "leave it out: the files that processes use are watched as they are"},
};

RuntimeId runtime_called(std::string_view word) {
  for (RuntimeId runtime : std::array{&kNativeRuntime, &kProcessRuntime}) {
    if (runtime->word == word) return runtime;
  }
  return nullptr;
}

}  // namespace gordian
