// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/stored_suite.h"

#include <algorithm>
#include <string>

#include "runtime/runtime.h"

namespace gordian {

bool same_target(const Target& a, const Target& b) {
  return a.binary == b.binary && a.args == b.args && a.working_dir == b.working_dir &&
         a.env == b.env;
}

Suite suite_of_names(const std::vector<NamedDependence>& stored) {
  std::vector<std::string> names;
  for (const NamedDependence& d : stored) {
    names.insert(names.end(), d.witness.begin(), d.witness.end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<Test> tests;
  for (const std::string& name : names) {
    Test test;
    test.name = name;
    tests.push_back(std::move(test));
  }
  const RuntimeId runtime =
      stored.empty() ? &kNativeRuntime : &runtime_of(stored.front().target).traits();
  return Suite(runtime, Framework::unknown, "", std::move(tests));
}

}  // namespace gordian
