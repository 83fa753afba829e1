// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <array>

#include "cli/help_text.h"

namespace gordian {
namespace {

/// Those of one command stand together.
constexpr std::array kExamples = {
    Example{"list", "list my_test", "the tests of a binary"},
    Example{"list", "list build", "of all test binaries of a CMake build"},
    Example{"list", "list --level process build", "its ctest tests"},
    Example{"run", "run my_test", "each test isolated from the others"},
    Example{"run", "run --isolate none --order random my_test", "one process, shuffled"},
    Example{"run", "run --filter 'Cart.*' --timeout 5s build --junit out.xml",
            "a part of a build, for CI"},
    Example{"detect", "detect my_test", "search for a minute"},
    Example{"detect", "detect --estimate my_test", "what each algorithm would cost"},
    Example{"detect", "detect --budget 10m --explain build", "longer, with the state behind it"},
    Example{"explain", "explain", "all that the last search found"},
    Example{"explain", "explain D1", "one dependence"},
    Example{"explain", "explain D1 --json -", "for programs"},
    Example{"fix", "fix D1", "shows a patch that was built and run"},
    Example{"fix", "fix --all --diff fixes.patch", "until nothing is left, into a file"},
    Example{"fix", "fix D1 --apply", "changes the sources"},
    Example{"prioritize", "prioritize my_test --technique T4 -o order.txt", "most new lines first"},
    Example{"prioritize", "prioritize my_test --technique T7 --aware", "and no dependence broken"},
    Example{"prioritize", "run --isolate none --order order.txt my_test", "runs such an order"},
    Example{"impact", "impact my_test", "do prioritised orders change results?"},
    Example{"impact", "impact my_test --technique T4", "by one technique"},
    Example{"impact", "impact my_test --json -", "for programs"},
    Example{"reduce", "reduce my_test", "fewer tests that cover the same lines"},
    Example{"reduce", "reduce my_test -o order.txt", "as an order file"},
    Example{"shard", "shard my_test --count 4", "four parts that no dependence ties together"},
    Example{"shard", "shard build --count 8 --by time", "of a build, as equal as may be"},
    Example{"export", "export build --ctest rules.cmake", "what ctest must know of dependences"},
    Example{"export", "export build --bazel rules.bzl", "the same for Bazel"},
    Example{"graph", "graph my_test", "which test reads what which other has written"},
    Example{"graph", "graph my_test --dot deps.dot", "for Graphviz"},
    Example{"graph", "graph my_test --json -", "for programs"},
    Example{"ignore", "ignore 'Cache::*' /var/tmp/cache/", "a variable and a directory"},
    Example{"ignore", "ignore --env LANG", "a variable of the environment"},
    Example{"ignore", "ignore --list", "what is ignored"},
    Example{"report", "report", "what searches have found, again"},
    Example{"report", "report --html out.html", "one page to look at or to attach"},
    Example{"report", "report my_test --json -", "of one binary, for programs"},
    Example{"replay", "replay R7", "a stored run, in its order"},
    Example{"replay", "replay D1", "the witness of a dependence"},
    Example{"replay", "replay D1 --debugger gdb --at read", "stopped where the state is read"},
    Example{"doctor", "doctor", "what this machine supports"},
    Example{"doctor", "doctor my_test", "and what this binary does"},
    Example{"doctor", "doctor build --json", "for programs"},
    Example{"config", "config", "what is set, and where"},
    Example{"config", "config --explain", "every value and where it comes from"},
    Example{"config", "config my_test", "which of its tests have overrides"},
    Example{"cxxflags", "cxxflags", "flags for a traced build"},
    Example{"cxxflags", "cxxflags --compiler clang++-19 --link", "for its linker"},
    Example{"cxxflags", "cxxflags --coverage", "for a build that counts coverage"},
    Example{"completion", "completion bash > ~/.local/share/bash-completion/completions/gordian",
            "bash"},
    Example{"completion", "completion zsh > ~/.zfunc/_gordian", "zsh, with ~/.zfunc in fpath"},
    Example{"completion", "completion fish > ~/.config/fish/completions/gordian.fish", "fish"},
    Example{"help", "help", "the commands and subjects"},
    Example{"help", "help verdicts", "a subject"},
    Example{"help", "help detect", "a command"},
};

}  // namespace

std::span<const Example> examples_of(std::string_view command) {
  const auto is_own = [command](const Example& example) { return example.subject == command; };
  const auto first = std::find_if(kExamples.begin(), kExamples.end(), is_own);
  return {first, std::find_if_not(first, kExamples.end(), is_own)};
}

}  // namespace gordian
