// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/snapshot_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "target/agent/snapshot/effects.h"

namespace gordian {
namespace {

TEST(SnapshotParts, NamesAreTheBitsOfTheAgent) {
  using namespace gordian_agent;  // NOLINT: the whole enumeration
  const std::pair<std::string_view, std::uint32_t> known[] = {{"descriptors", kDescriptors},
                                                              {"mappings", kMappings},
                                                              {"heap_end", kHeapEnd},
                                                              {"signals", kSignals},
                                                              {"directory", kDirectory},
                                                              {"umask", kUmask},
                                                              {"timers", kTimers},
                                                              {"limits", kLimits},
                                                              {"name", kName},
                                                              {"files", kFiles},
                                                              {"threads", kThreads},
                                                              {"emptied", kEmptied},
                                                              {"memory", gordian_wire::kMemory},
                                                              {"gate", gordian_wire::kGate}};
  for (const auto& [name, bit] : known) EXPECT_EQ(*parse_snapshot_parts(name), bit) << name;
}

TEST(SnapshotParts, SeveralOrNone) {
  EXPECT_EQ(*parse_snapshot_parts(""), 0u);
  EXPECT_EQ(*parse_snapshot_parts("umask,gate"),
            std::uint32_t{gordian_agent::kUmask} | gordian_wire::kGate);
}

TEST(SnapshotParts, AnUnknownNameIsToldWithTheKnownOnes) {
  auto parts = parse_snapshot_parts("umask,hope");
  ASSERT_FALSE(parts);
  EXPECT_THAT(parts.error().message, testing::HasSubstr("hope"));
  EXPECT_THAT(parts.error().hint, testing::HasSubstr("descriptors"));
}

TEST(PageWays, EachHasItsNumberAndItsName) {
  std::set<std::uint32_t> numbers{gordian_wire::kNoBackend};
  std::set<std::string_view> names{"", "none"};  // mean something else
  for (const gordian_agent::PageWay* way : gordian_agent::page_ways) {
    EXPECT_TRUE(numbers.insert(way->backend).second) << way->name;
    EXPECT_LT(way->backend, 32u) << "Header::avoid_backends has a bit for each";
    EXPECT_TRUE(names.insert(way->name).second) << way->name;
    EXPECT_EQ(to_string(way->backend), way->name);
  }
}

}  // namespace
}  // namespace gordian
