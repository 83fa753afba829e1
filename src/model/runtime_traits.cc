// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/runtime_traits.h"

#include <vector>

namespace gordian {

const RuntimeTraits kNativeRuntime = {
    .word = "native",
    .level = "binary",
    .level_help = "test cases inside of test binaries",
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
    .level_help = "each ctest test of a build directory is one test, whatever program it starts",
    .level_option = " --level process",
    .thing = "build",
    .made_anew = "changed",
    .one_process = false,
    .test_timeout = "60s",
    .no_patches = {"tests that are processes of their own cannot be repaired",
                   "name a test binary"},
    .no_debugger = {"--debugger is for test binaries, not for --level process", ""},
    .no_traces = {"--trace is for test binaries, not for --level process",
                  "leave it out: the files that processes use are watched as they are"},
};

namespace {

std::vector<RuntimeId>& known() {
  static std::vector<RuntimeId> all = {&kNativeRuntime, &kProcessRuntime};
  return all;
}

}  // namespace

std::string_view runtime_word(RuntimeId runtime) {
  return runtime == nullptr ? std::string_view() : runtime->word;
}

RuntimeId runtime_called(std::string_view word) {
  for (RuntimeId runtime : known()) {
    if (runtime->word == word) return runtime;
  }
  return nullptr;
}

void know(const RuntimeTraits& runtime) {
  known().push_back(&runtime);
}

void forget(const RuntimeTraits& runtime) {
  std::erase(known(), &runtime);
}

}  // namespace gordian
