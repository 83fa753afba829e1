// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/process_image.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "tests/state/held_process.h"

namespace gordian::explain_test {
namespace {

constexpr std::size_t kPage = 4096;

/// Three pages of which the middle one cannot be read.
class Gap : public testing::Test {
 protected:
  Gap() {
    void* mapped =
        mmap(nullptr, 3 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pages_ = static_cast<unsigned char*>(mapped);
    for (std::size_t i = 0; i < 3 * kPage; ++i) pages_[i] = static_cast<unsigned char>(i % 251);
    mprotect(pages_ + kPage, kPage, PROT_NONE);
  }
  ~Gap() override { munmap(pages_, 3 * kPage); }
  std::uint64_t at(std::size_t offset) const {
    return reinterpret_cast<std::uint64_t>(pages_) + offset;
  }
  unsigned char* pages_;
};

TEST_F(Gap, ReadsAllOrNothing) {
  HeldProcess held([] {});
  unsigned char bytes[64] = {};
  EXPECT_TRUE(held.image().read(at(kPage - 64), bytes, 64));
  EXPECT_EQ(bytes[63], (kPage - 1) % 251);
  EXPECT_FALSE(held.image().read(at(kPage - 63), bytes, 64));
  EXPECT_FALSE(held.image().read(at(kPage), bytes, 1));
  EXPECT_TRUE(held.image().read(at(2 * kPage), bytes, 64));
  EXPECT_EQ(bytes[0], 2 * kPage % 251);
}

TEST_F(Gap, AddressesThatWrapAreNotThere) {
  HeldProcess held([] {});
  char bytes[64];
  EXPECT_FALSE(held.image().read(UINT64_MAX - 8, bytes, 64));
  EXPECT_FALSE(held.image().read(UINT64_MAX, bytes, 1));
  EXPECT_FALSE(held.image().read(0, bytes, 1));
  EXPECT_TRUE(held.image().read(0, bytes, 0));
}

TEST_F(Gap, WhatIsKeptOutlivesTheProcess) {
  auto held = std::make_unique<HeldProcess>([] {});
  ProcessImage image(held->pid());
  const ByteRange all{at(0), 3 * kPage};
  image.keep({&all, 1});
  image.detach();
  held.reset();
  EXPECT_EQ(image.value<unsigned char>(at(7)), 7);
  EXPECT_EQ(image.value<unsigned char>(at(2 * kPage + 1)), (2 * kPage + 1) % 251);
  EXPECT_FALSE(image.value<unsigned char>(at(kPage)).has_value());
  EXPECT_FALSE(image.value<unsigned char>(at(3 * kPage) + (1 << 20)).has_value());
}

TEST(ProcessImage, LargeReadsBypassTheCache) {
  static std::vector<unsigned char> large(1 << 20, 7);
  HeldProcess held([] { large[12345] = 8; });
  ProcessImage image(held.pid());
  std::vector<unsigned char> copy(large.size());
  ASSERT_TRUE(image.read(address_of(large[0]), copy.data(), copy.size()));
  EXPECT_EQ(copy[12345], 8);
  EXPECT_EQ(copy[12346], 7);
  EXPECT_EQ(image.cached_bytes(), 0u);
}

TEST(ProcessImage, ForgetsWhenTold) {
  static int value = 1;
  ProcessImage image(getpid());
  EXPECT_EQ(image.value<int>(address_of(value)), 1);
  value = 2;
  EXPECT_EQ(image.value<int>(address_of(value)), 1);
  image.forget();
  EXPECT_EQ(image.value<int>(address_of(value)), 2);
}

}  // namespace
}  // namespace gordian::explain_test
