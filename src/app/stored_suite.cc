// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/stored_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "runtime/runtime.h"

namespace gordian {

bool same_target(const Target& a, const Target& b) {
  return a.binary == b.binary && a.args == b.args && a.working_dir == b.working_dir &&
         a.env == b.env;
}

Suite suite_of_names(const std::vector<StoredDependence>& stored) {
  std::vector<std::string> names;
  for (const StoredDependence& d : stored) {
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

namespace {

/// Those that the suite still has: without one of them the dependence is still one.
std::vector<TestId> still_there(const std::vector<std::string>& names, const Suite& suite) {
  std::vector<TestId> tests;
  for (const std::string& name : names) {
    if (auto id = suite.find(name)) tests.push_back(*id);
  }
  return tests;
}

}  // namespace

Result<Dependence> to_dependence(const StoredDependence& stored, const Suite& suite) {
  Dependence d;
  d.id = stored.id;
  d.role = stored.role;
  for (const std::string& name : stored.witness) {
    auto id = suite.find(name);
    if (!id) {
      return target_error(fmt::format("the binary has no test called {} any more", name),
                          "gordian detect searches it anew");
    }
    d.witness.push_back(*id);
  }
  if (d.witness.empty()) {
    return internal_error(fmt::format("D{} is stored without a witness", d.id));
  }
  d.test = d.witness.back();
  d.by.assign(d.witness.begin(), d.witness.end() - 1);
  d.singles = still_there(stored.singles, suite);
  d.cleaners = still_there(stored.cleaners, suite);
  d.passes_after = still_there(stored.passes_after, suite);
  d.expected = stored.expected;
  d.alone = stored.alone;
  d.witnessed = stored.witnessed;
  return d;
}

}  // namespace gordian
