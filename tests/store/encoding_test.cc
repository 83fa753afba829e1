// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "store/encoding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string>

#include "store/words.h"

namespace gordian {
namespace {

TEST(StoreEncoding, OrderIsFourBytesATestLowByteFirst) {
  const auto bytes = pack_order({TestId{0x01020304}, TestId{5}});
  ASSERT_EQ(bytes.size(), 8U);
  EXPECT_EQ(bytes[0], std::byte{4});
  EXPECT_EQ(bytes[3], std::byte{1});
  EXPECT_EQ(bytes[4], std::byte{5});
}

TEST(StoreEncoding, OrderComesBack) {
  const Order order = {TestId{70000}, TestId{0}, TestId{70000}};
  const auto bytes = pack_order(order);
  EXPECT_EQ(unpack_order(bytes.data(), bytes.size(), 70001), order);
}

TEST(StoreEncoding, DamagedOrderIsNoOrder) {
  const auto bytes = pack_order({TestId{7}, TestId{8}});
  EXPECT_EQ(unpack_order(bytes.data(), 7, 100), std::nullopt);
  EXPECT_EQ(unpack_order(bytes.data(), 8, 8), std::nullopt);
}

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST(StoreEncoding, NumbersTakeTheShorterForm) {
  EXPECT_TRUE(pack_ids({}, 20'000).empty());
  EXPECT_EQ(pack_ids({{3, 200}}, 20'000), bytes_of({3, 0xc8, 1}));
  EXPECT_EQ(pack_ids({{0, 1}, {2, 1}}, 9), bytes_of({5, 0}));  // bits are not longer
  IdRuns every_second;
  for (std::uint32_t i = 0; i < 20'000; i += 2) every_second.push_back({i, 1});
  EXPECT_EQ(pack_ids(every_second, 20'000).size(), 2'500U);
}

TEST(StoreEncoding, NumbersComeBack) {
  for (const IdRuns& runs : {IdRuns{}, IdRuns{{0, 9}}, IdRuns{{0, 1}, {2, 1}}, IdRuns{{8, 1}}}) {
    EXPECT_EQ(unpack_ids(pack_ids(runs, 9), 9), runs);
  }
  std::mt19937 random(7);
  for (std::size_t size : {1U, 7U, 64U, 300U, 1000U}) {
    for (unsigned rare : {1U, 2U, 50U}) {
      std::vector<bool> flags(size);
      for (std::size_t i = 0; i < size; ++i) flags[i] = random() % rare == 0;
      const auto packed = pack_ids(runs_of(flags), size);
      EXPECT_LE(packed.size(), (size + 7) / 8);
      const auto runs = unpack_ids(packed, size);
      ASSERT_TRUE(runs);
      std::vector<bool> back(size);
      set_flags(*runs, back);
      EXPECT_EQ(back, flags);
    }
  }
}

TEST(StoreEncoding, DamagedNumbersAreNone) {
  for (const auto& bytes : {bytes_of({0}), bytes_of({0, 0xff}), bytes_of({0, 0, 0})}) {
    EXPECT_EQ(unpack_ids(bytes, 9), std::nullopt);
  }
  for (const auto& bytes : {bytes_of({0, 0}), bytes_of({99, 2}), bytes_of({0, 1, 0, 1}),
                            bytes_of({0x80}), bytes_of({1, 0x80})}) {
    EXPECT_EQ(unpack_ids(bytes, 100), std::nullopt);
  }
}

TEST(StoreEncoding, DigestSeesFieldBorders) {
  EXPECT_NE(Digest().add("ab").add("c").value(), Digest().add("a").add("bc").value());
}

TEST(StoreEncoding, DigestSeesEveryFieldOfATest) {
  const gordian::Test base{"S", "T", "f.cc", 1, "int", "1", false, true};
  auto digest = [](const gordian::Test& test) {
    return digest_of(Suite(Framework::gtest, "1", {test}));
  };
  std::vector<gordian::Test> others(8, base);
  others[0].suite = "X";
  others[1].name = "X";
  others[2].file = "X";
  others[3].line = 2;
  others[4].type_param = "X";
  others[5].value_param = "X";
  others[6].disabled = true;
  others[7].will_run = false;
  for (const gordian::Test& other : others) {
    EXPECT_NE(digest(base), digest(other));
    EXPECT_FALSE(
        same_content(Suite(Framework::gtest, "1", {base}), Suite(Framework::gtest, "1", {other})));
  }
}

TEST(StoreEncoding, OutputAtTheLimitIsKeptWhole) {
  const std::string output(kOutputLimit, 'x');
  EXPECT_EQ(cap_output(output).text, output);
  EXPECT_FALSE(cap_output(output).truncated);
}

TEST(StoreEncoding, LongerOutputSaysHowMuchIsMissing) {
  const std::string output(kOutputLimit + 1000, 'x');
  const CappedOutput capped = cap_output(output);
  const std::size_t at = capped.text.find("\n[... ");
  ASSERT_NE(at, std::string::npos);
  const std::size_t missing = std::stoul(capped.text.substr(at + 6));
  const auto kept =
      static_cast<std::size_t>(std::count(capped.text.begin(), capped.text.end(), 'x'));
  EXPECT_EQ(kept + missing, output.size());
  EXPECT_LE(capped.text.size(), kOutputLimit);
}

TEST(StoreEncoding, CutDoesNotSplitACharacter) {
  for (std::size_t shift = 0; shift < 3; ++shift) {
    std::string output(shift, 'x');
    while (output.size() < 2 * kOutputLimit) output += "\xe2\x82\xac";
    const std::string text = cap_output(output).text;
    const std::size_t begin = text.find("\n[..."), end = text.find("]\n") + 2;
    EXPECT_EQ((begin - shift) % 3, 0U) << shift;
    EXPECT_EQ(static_cast<unsigned char>(text[end]), 0xe2) << shift;
  }
}

TEST(StoreEncoding, UnknownWordIsAnError) {
  EXPECT_EQ(*parse_stored_word<RunEnd>("finished"), RunEnd::finished);
  const auto parsed = parse_stored_word<RunEnd>("maybe");
  ASSERT_FALSE(parsed.ok());
  EXPECT_NE(parsed.error().message.find("maybe"), std::string::npos);
}

}  // namespace
}  // namespace gordian
