// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/external_access.h"

#include <algorithm>
#include <set>
#include <utility>

#include "flow/external/test_log.h"

namespace gordian {
namespace {

std::set<StateKey> written_states(const std::vector<ExternalTest>& tests) {
  std::set<StateKey> written;
  for (const ExternalTest& test : tests) {
    for (const ExternalAccess& access : test.accesses) {
      if (access.write) written.insert(access.key);
    }
  }
  return written;
}

/// Whoever uses a file in any way is stopped by its rights, or its type.
void read_attributes(ExternalTest& test, const std::set<StateKey>& written) {
  std::vector<ExternalAccess> more;
  for (const ExternalAccess& access : test.accesses) {
    const auto* file = access.key.as<FileKey>();
    if (file == nullptr || file->part != FileKey::Part::content) continue;
    const StateKey attributes = attributes_of(file->path);
    if (!written.contains(attributes)) continue;
    auto own = std::find_if(test.accesses.begin(), test.accesses.end(),
                            [&](const auto& other) { return other.key == attributes; });
    if (own != test.accesses.end()) {
      own->read = true;
    } else {
      more.push_back({attributes, true, false, access.read_from, {}});
    }
  }
  test.accesses.insert(test.accesses.end(), more.begin(), more.end());
}

}  // namespace

void keep_shared(std::vector<ExternalTest>& tests) {
  const std::set<StateKey> written = written_states(tests);
  for (ExternalTest& test : tests) {
    read_attributes(test, written);
    std::erase_if(test.accesses, [&written](const ExternalAccess& access) {
      return (!access.read && !access.write) || !written.contains(access.key);
    });
    std::sort(test.accesses.begin(), test.accesses.end(), [](const auto& a, const auto& b) {
      return std::pair(a.key.kind(), a.key.text()) < std::pair(b.key.kind(), b.key.text());
    });
  }
}

void add_to(FlowBuilder& builder, const ExternalTest& test) {
  for (const ExternalAccess& access : test.accesses) {
    const StateId state = builder.state({access.key, {}, {}, 0});
    if (access.read) builder.read(state);
    if (access.write) builder.wrote(state);
  }
  if (!test.unsure.empty()) builder.unsure(test.unsure);
}

const ExternalTest* find_test(std::span<const ExternalTest> tests, std::size_t position) {
  auto found = std::find_if(tests.begin(), tests.end(), [position](const ExternalTest& test) {
    return test.position == position;
  });
  return found == tests.end() ? nullptr : &*found;
}

}  // namespace gordian
