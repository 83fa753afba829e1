// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/stored_groups.h"

#include <algorithm>

#include "app/stored_ids.h"
#include "app/stored_suite.h"

namespace gordian {

Result<std::vector<DependenceId>> asked_dependences(const std::vector<std::string>& words,
                                                    DependenceStore& store) {
  if (words.empty()) return store.of_last_search();
  std::vector<DependenceId> ids;
  for (const std::string& word : words) {
    auto id = asked_dependence(word);
    if (!id) return id.error();
    if (std::find(ids.begin(), ids.end(), *id) == ids.end()) ids.push_back(*id);
  }
  return ids;
}

Result<std::vector<DependenceGroup>> load_groups(const std::vector<DependenceId>& ids,
                                                 DependenceStore& store) {
  std::vector<DependenceGroup> groups;
  for (DependenceId id : ids) {
    auto stored = store.load(id);
    if (!stored) return stored.error();
    auto at = std::find_if(groups.begin(), groups.end(), [&stored](const DependenceGroup& group) {
      return same_target(group.stored.front().target, stored->target);
    });
    if (at == groups.end()) at = groups.insert(at, DependenceGroup{});
    at->stored.push_back(std::move(*stored));
  }
  return groups;
}

Status check_build(DependenceGroup& group) {
  const NamedDependence& first = group.stored.front();
  if (auto gone = binary_gone(first)) return *gone;
  auto identity = identity_of(first.target);
  if (!identity) return identity.error();
  group.binary = std::move(*identity);
  for (const NamedDependence& stored : group.stored) {
    if (auto rebuilt = rebuilt_since(stored, group.binary)) return *rebuilt;
  }
  return {};
}

}  // namespace gordian
