// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whatever the zoo says carries a dependence in memory can be named from the binary.
#include <gtest/gtest.h>

#include "symbols/debug_info.h"
#include "tests/symbols/zoo_carriers.h"

namespace gordian {
namespace {

void expect_named(const ZooCarrier& carried) {
  auto info = DebugInfo::open(std::string(GORDIAN_ZOO_BINARIES) + "/guilty/" + carried.suite);
  ASSERT_TRUE(info.ok()) << info.error().message;
  const Variable* variable = info->variable_named(root_of(carried.name));
  ASSERT_NE(variable, nullptr);
  EXPECT_EQ(variable->thread_local_storage, carried.kind == "thread_local");
  const Type* type = info->type(variable->type_id);
  ASSERT_NE(type, nullptr);
  // Of the library's own types some are only declared, even for std::cout.
  const bool known = type->kind != TypeKind::opaque;
  EXPECT_TRUE(known || variable->owner == Owner::library) << type->name;
  EXPECT_EQ(variable->size, known ? type->size : variable->size);
  EXPECT_GT(variable->line, 0);
}

TEST(ZooVariables, HaveTheirNames) {
  int seen = 0;
  for (const ZooCarrier& carried : zoo_carriers()) {
    if (carried.folder != "guilty") continue;
    SCOPED_TRACE(carried.suite + ": " + carried.name);
    expect_named(carried);
    ++seen;
  }
  EXPECT_GT(seen, 40);
}

}  // namespace
}  // namespace gordian
