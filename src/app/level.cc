// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/level.h"

#include <utility>

#include "runtime/runtime.h"

namespace gordian {

Result<TargetSelection> resolve_at_level(const std::string& level,
                                         const std::vector<std::string>& words,
                                         const std::vector<std::string>& args) {
  const Runtime* runtime = runtime_at_level(level);
  if (runtime == nullptr) return usage_error("there is no level called " + level);
  auto selection = runtime->resolve(words, args);
  if (!selection) return selection;
  for (Target& target : selection->targets) target.runtime = &runtime_of(target).traits();
  return selection;
}

Result<Target> resolve_one(const std::string& word, const std::vector<std::string>& args) {
  Target seen;
  seen.binary = word;
  const Runtime& runtime = runtime_of(seen);
  auto selection = runtime.resolve({word}, args);
  if (!selection) return selection.error();
  Target target = std::move(selection->targets.front());
  target.runtime = &runtime.traits();
  return target;
}

void use_timeout_of_level(const std::string& level, std::string& timeout) {
  const Runtime* runtime = runtime_at_level(level);
  if (runtime != nullptr && !runtime->traits().test_timeout.empty()) {
    timeout = runtime->traits().test_timeout;
  }
}

bool may_be_passed_over(const Error& error, const Target& target) {
  return error.kind == ErrorKind::no_match ||
         (error.kind == ErrorKind::not_a_test && !target.origin.empty());
}

}  // namespace gordian
