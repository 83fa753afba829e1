// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/reader.h"

#include <gtest/gtest.h>

namespace gordian {
namespace {

using namespace std::string_view_literals;

TEST(ByteReader, ReadsBothByteOrders) {
  const auto bytes = "\x01\x02\x03\x04"sv;
  EXPECT_EQ(ByteReader(bytes, std::endian::little).read<std::uint32_t>(0), 0x04030201u);
  EXPECT_EQ(ByteReader(bytes, std::endian::big).read<std::uint32_t>(0), 0x01020304u);
  EXPECT_EQ(ByteReader(bytes, std::endian::big).read<std::uint16_t>(2), 0x0304u);
  EXPECT_EQ(ByteReader(bytes).read<std::uint8_t>(3), 4u);
}

TEST(ByteReader, RefusesToLeaveItsBytes) {
  const ByteReader reader("\x01\x02\x03\x04"sv);
  EXPECT_FALSE(reader.read<std::uint32_t>(1));
  EXPECT_FALSE(reader.read<std::uint8_t>(4));
  EXPECT_FALSE(reader.read<std::uint8_t>(UINT64_MAX));
  EXPECT_FALSE(reader.slice(2, UINT64_MAX));
  EXPECT_EQ(reader.slice(4, 0), ""sv);
}

TEST(ByteReader, AStringNeedsItsEnd) {
  const ByteReader reader("ab\0cd"sv);
  EXPECT_EQ(reader.c_string(1), "b"sv);
  EXPECT_EQ(reader.c_string(2), ""sv);
  EXPECT_FALSE(reader.c_string(3));
  EXPECT_FALSE(reader.c_string(99));
}

TEST(CheckedArithmetic, OverflowIsNoNumber) {
  EXPECT_EQ(checked_add(UINT64_MAX - 1, 1), UINT64_MAX);
  EXPECT_FALSE(checked_add(UINT64_MAX, 1));
  EXPECT_EQ(checked_mul(1u << 31, 2), std::uint64_t{1} << 32);
  EXPECT_FALSE(checked_mul(UINT64_MAX, 2));
  EXPECT_EQ(checked_mul(UINT64_MAX, 0), 0u);
}

}  // namespace
}  // namespace gordian
