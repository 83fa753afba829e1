// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "agent/frameworks/boost_options.h"

#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"

namespace gordian_agent {
namespace {

const char kRandomName[] = "BOOST_TEST_RANDOM";
const char kCatchName[] = "BOOST_TEST_CATCH_SYSTEM_ERRORS";

char** arguments;
char** random_argument;  // of them
char* given_argument;
char in_order[] = "--random=0";
char given_random[64];
bool random_was_set, catch_was_set;

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
  const char* random = getenv(kRandomName);
  random_was_set = random && strlen(random) < sizeof given_random;
  if (random_was_set) {
    strcpy(given_random, random);
    setenv(kRandomName, "0", 1);
  }
  catch_was_set = getenv(kCatchName) != nullptr;
  if (!catch_was_set) setenv(kCatchName, "no", 1);
}

void give_back_boost_options() {
  if (random_argument) *random_argument = given_argument;
  if (random_was_set) setenv(kRandomName, given_random, 1);
  if (!catch_was_set) unsetenv(kCatchName);
}

}  // namespace gordian_agent
