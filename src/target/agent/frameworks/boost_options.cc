// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/frameworks/boost_options.h"

#include <stdlib.h>
#include <string.h>

#include "target/agent/agent.h"

namespace gordian_agent {
namespace {

char** arguments;
char** random_argument;  // of them
char* given_argument;
char in_order[] = "--random=0";

/// What the framework reads from the environment where the command line does not say it.
struct Variable {
  const char *name, *value;
  bool always;  // also where the user has set it
  bool was_set;
  char given[64];
};
Variable variables[] = {
    {"BOOST_TEST_RANDOM", "0", true, false, ""},
    {"BOOST_TEST_CATCH_SYSTEM_ERRORS", "no", false, false, ""},
    {"BOOST_TEST_COLOR_OUTPUT", "no", false, false, ""},
};

/// glibc hands a constructor what main() will get.
__attribute__((constructor(101))) void note_arguments(int, char** argv, char**) {
  arguments = argv;
}

/// The framework takes any beginning of an option that is not that of another, too.
bool is_random(const char* argument) {
  const char kOption[] = "--random";
  const size_t kShortest = sizeof "--ra" - 1;
  size_t size = strcspn(argument, "=");
  return size >= kShortest && size < sizeof kOption && memcmp(argument, kOption, size) == 0;
}

void replace_argument() {
  if (!arguments || !arguments[0]) return;
  for (char** a = arguments + 1; *a && strcmp(*a, "--") != 0; ++a) {
    if (!is_random(*a)) continue;
    random_argument = a;
    given_argument = *a;
    *a = in_order;
  }
}

}  // namespace

void set_boost_options() {
  replace_argument();
  for (Variable& variable : variables) {
    const char* given = getenv(variable.name);
    variable.was_set = given && strlen(given) < sizeof variable.given;
    if (variable.was_set) strcpy(variable.given, given);
    if (!given || variable.always) setenv(variable.name, variable.value, 1);
  }
}

void give_back_boost_options() {
  if (random_argument) *random_argument = given_argument;
  for (Variable& variable : variables) {
    if (variable.was_set) {
      setenv(variable.name, variable.given, 1);
    } else {
      unsetenv(variable.name);
    }
  }
}

}  // namespace gordian_agent
