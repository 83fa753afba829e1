// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/option_groups.h"

#include <algorithm>
#include <array>

#include "report/formats/formats.h"

namespace gordian {
namespace {

constexpr std::string_view kOwn = "Options", kTests = "Which tests", kLimits = "Time and jobs",
                           kIsolation = "Isolation", kOutput = "Output",
                           kGeneral = "Database and settings";
constexpr std::array kTitles = {kOwn, kTests, kLimits, kIsolation, kOutput, kGeneral};

struct Member {
  std::string_view option, group;
};
constexpr std::array kMembers = {
    Member{"filter", kTests},
    Member{"also-run-disabled", kTests},
    Member{"level", kTests},
    Member{"order", kTests},
    Member{"repeat", kTests},
    Member{"shard", kTests},
    Member{"timeout", kLimits},
    Member{"total-timeout", kLimits},
    Member{"start-timeout", kLimits},
    Member{"slow", kLimits},
    Member{"budget", kLimits},
    Member{"build-timeout", kLimits},
    Member{"jobs", kLimits},
    Member{"fail-fast", kLimits},
    Member{"isolate", kIsolation},
    Member{"private-fs", kIsolation},
    Member{"private-dir", kIsolation},
    Member{"verify-isolation", kIsolation},
    Member{"json", kOutput},
    Member{"github", kOutput},
    Member{"output", kOutput},
    Member{"verbose", kOutput},
    Member{"no-crash-stacks", kOutput},
    Member{"fail-on", kOutput},
    Member{"color", kOutput},
    Member{"no-color", kOutput},
    Member{"db", kGeneral},
    Member{"no-db", kGeneral},
    Member{"config", kGeneral},
    Member{"profile", kGeneral},
    Member{"help", kGeneral},
};

std::string_view group_of(std::string_view option) {
  if (find_report_format(option) != nullptr) return kOutput;
  auto found = std::find_if(kMembers.begin(), kMembers.end(),
                            [option](const Member& member) { return member.option == option; });
  return found == kMembers.end() ? kOwn : found->group;
}

}  // namespace

std::span<const std::string_view> option_group_titles() {
  return kTitles;
}

void group_options(OptionSet& command) {
  for (Option& option : command.options()) {
    if (!option.is_argument()) option.set_group(group_of(option.name()));
  }
}

}  // namespace gordian
