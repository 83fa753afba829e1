// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <array>

#include "cli/help_text.h"

namespace gordian {
namespace {

struct CommandExamples {
  std::string_view command;
  std::array<Example, 3> examples;  ///< the last ones may be empty
};

constexpr std::array kExamples = {
    CommandExamples{"list",
                    {{{"list my_test", "the tests of a binary"},
                      {"list build", "of all test binaries of a CMake build"},
                      {"list --level process build", "its ctest tests"}}}},
    CommandExamples{"run",
                    {{{"run my_test", "each test isolated from the others"},
                      {"run --isolate none --order random my_test", "one process, shuffled"},
                      {"run --filter 'Cart.*' --timeout 5s build --junit out.xml",
                       "a part of a build, for CI"}}}},
    CommandExamples{
        "detect",
        {{{"detect my_test", "search for a minute"},
          {"detect --estimate my_test", "what each algorithm would cost"},
          {"detect --budget 10m --explain build", "longer, with the state behind it"}}}},
    CommandExamples{"explain",
                    {{{"explain", "all that the last search found"},
                      {"explain D1", "one dependence"},
                      {"explain D1 --json -", "for programs"}}}},
    CommandExamples{"fix",
                    {{{"fix D1", "shows a patch that was built and run"},
                      {"fix --all --diff fixes.patch", "until nothing is left, into a file"},
                      {"fix D1 --apply", "changes the sources"}}}},
    CommandExamples{"prioritize",
                    {{{"prioritize my_test --technique T4 -o order.txt", "most new lines first"},
                      {"prioritize my_test --technique T7 --aware", "and no dependence broken"},
                      {"run --isolate none --order order.txt my_test", "runs such an order"}}}},
    CommandExamples{"impact",
                    {{{"impact my_test", "do prioritised orders change results?"},
                      {"impact my_test --technique T4", "by one technique"},
                      {"impact my_test --json -", "for programs"}}}},
    CommandExamples{"reduce",
                    {{{"reduce my_test", "fewer tests that cover the same lines"},
                      {"reduce my_test -o order.txt", "as an order file"}}}},
    CommandExamples{"shard",
                    {{{"shard my_test --count 4", "four parts that no dependence ties together"},
                      {"shard build --count 8 --by time", "of a build, as equal as may be"}}}},
    CommandExamples{"export",
                    {{{"export build --ctest rules.cmake", "what ctest must know of dependences"},
                      {"export build --bazel rules.bzl", "the same for Bazel"}}}},
    CommandExamples{"graph",
                    {{{"graph my_test", "which test reads what which other has written"},
                      {"graph my_test --dot deps.dot", "for Graphviz"},
                      {"graph my_test --json -", "for programs"}}}},
    CommandExamples{"ignore",
                    {{{"ignore 'Cache::*' /var/tmp/cache/", "a variable and a directory"},
                      {"ignore --env LANG", "a variable of the environment"},
                      {"ignore --list", "what is ignored"}}}},
    CommandExamples{"report",
                    {{{"report", "what searches have found, again"},
                      {"report --html out.html", "one page to look at or to attach"},
                      {"report my_test --json -", "of one binary, for programs"}}}},
    CommandExamples{"replay",
                    {{{"replay R7", "a stored run, in its order"},
                      {"replay D1", "the witness of a dependence"},
                      {"replay D1 --debugger gdb --at read", "stopped where the state is read"}}}},
    CommandExamples{"doctor",
                    {{{"doctor", "what this machine supports"},
                      {"doctor my_test", "and what this binary does"},
                      {"doctor build --json", "for programs"}}}},
    CommandExamples{"config",
                    {{{"config", "what is set, and where"},
                      {"config --explain", "every value and where it comes from"},
                      {"config my_test", "which of its tests have overrides"}}}},
    CommandExamples{"cxxflags",
                    {{{"cxxflags", "flags for a traced build"},
                      {"cxxflags --compiler clang++-19 --link", "for its linker"},
                      {"cxxflags --coverage", "for a build that counts coverage"}}}},
    CommandExamples{
        "completion",
        {{{"completion bash > ~/.local/share/bash-completion/completions/gordian", "bash"},
          {"completion zsh > ~/.zfunc/_gordian", "zsh, with ~/.zfunc in fpath"},
          {"completion fish > ~/.config/fish/completions/gordian.fish", "fish"}}}},
    CommandExamples{"help",
                    {{{"help", "the commands and subjects"},
                      {"help verdicts", "a subject"},
                      {"help detect", "a command"}}}},
};

}  // namespace

std::span<const Example> examples_of(std::string_view command) {
  auto found = std::find_if(kExamples.begin(), kExamples.end(),
                            [command](const auto& entry) { return entry.command == command; });
  return found == kExamples.end() ? std::span<const Example>() : std::span(found->examples);
}

}  // namespace gordian
