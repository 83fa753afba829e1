// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/external_access.h"

#include <algorithm>
#include <set>
#include <utility>

#include "flow/external/test_log.h"

namespace gordian {
namespace {

using StateName = std::pair<CarrierKind, std::string>;

std::set<StateName> written_states(const std::vector<ExternalTest>& tests) {
  std::set<StateName> written;
  for (const ExternalTest& test : tests) {
    for (const ExternalAccess& access : test.accesses) {
      if (access.write) written.emplace(access.kind, access.name);
    }
  }
  return written;
}

/// Whoever uses a file in any way is stopped by its rights, or its type.
void read_attributes(ExternalTest& test, const std::set<StateName>& written) {
  std::vector<ExternalAccess> more;
  for (const ExternalAccess& access : test.accesses) {
    StateName attributes{access.kind, attributes_name(access.name)};
    if (access.kind != CarrierKind::file || !written.contains(attributes)) continue;
    auto own = std::find_if(test.accesses.begin(), test.accesses.end(), [&](const auto& other) {
      return other.kind == access.kind && other.name == attributes.second;
    });
    if (own != test.accesses.end()) {
      own->read = true;
    } else {
      more.push_back({access.kind, attributes.second, true, false, access.read_from, {}});
    }
  }
  test.accesses.insert(test.accesses.end(), more.begin(), more.end());
}

}  // namespace

void keep_shared(std::vector<ExternalTest>& tests) {
  const std::set<StateName> written = written_states(tests);
  for (ExternalTest& test : tests) {
    read_attributes(test, written);
    std::erase_if(test.accesses, [&written](const ExternalAccess& access) {
      return (!access.read && !access.write) || !written.contains({access.kind, access.name});
    });
    std::sort(test.accesses.begin(), test.accesses.end(), [](const auto& a, const auto& b) {
      return std::pair(a.kind, a.name) < std::pair(b.kind, b.name);
    });
  }
}

void add_to(FlowBuilder& builder, const ExternalTest& test) {
  for (const ExternalAccess& access : test.accesses) {
    const StateId state = builder.state({access.kind, access.name, {}, {}, 0});
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
