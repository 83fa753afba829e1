// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Memory full of garbage, types that lie: whatever is found there, comparing and printing end, and
// soon. Types may contain themselves by value and have any size.
#include <gtest/gtest.h>

#include <chrono>

#include "base/random.h"
#include "state/memory_diff.h"
#include "state/value_compare.h"
#include "tests/state/fake_image.h"
#include "tests/state/type_builder.h"

namespace gordian::explain_test {
namespace {

constexpr std::uint64_t kBase = 0x100000;
constexpr std::size_t kSize = 0x8000;

/// Small numbers, addresses of the image, and anything.
std::uint64_t random_word(Random& random) {
  switch (random.below(4)) {
    case 0:
      return random.below(64);
    case 1:
    case 2:
      return kBase + random.below(kSize / 8) * 8;
    default:
      return random.next();
  }
}

void fill(FakeImage& image, Random& random) {
  for (std::uint64_t at = 0; at < kSize; at += 8) image.put(kBase + at, random_word(random));
}

std::uint64_t random_size(Random& random) {
  return random.below(8) == 0 ? random.next() : random.below(100);
}

class RandomTypes {
 public:
  explicit RandomTypes(Random& random) : random_(random) {
    for (int i = 0; i < 12; ++i) types_.push_back(&make());
    for (int i = 0; i < 12; ++i) link(const_cast<Type&>(*types_[static_cast<std::size_t>(i)]));
    for (int i = 0; i < 16; ++i) types_.push_back(library());
  }
  const Type* pick() { return types_[random_.below(types_.size())]; }

 private:
  Type& make() {
    const auto kind = static_cast<TypeKind>(random_.below(12));
    Type& type = t_.add(kind, random_.below(2) ? "T" : "testing::T", random_size(random_));
    type.count = random_size(random_);
    type.is_reference = random_.below(4) == 0;
    return type;
  }

  /// Members and targets of any kind, itself included.
  void link(Type& type) {
    for (std::uint64_t i = random_.below(6); i > 0; --i) {
      Member member;
      member.name = random_.below(3) ? "m" : random_.below(2) ? "" : "_vptr.T";
      member.type = random_.below(8) ? pick() : nullptr;
      member.offset = random_size(random_);
      member.bit_size = random_.below(4) ? 0 : static_cast<std::uint32_t>(random_size(random_));
      member.bit_offset = static_cast<std::uint32_t>(random_size(random_));
      member.is_base = random_.below(4) == 0;
      type.members.push_back(member);
    }
    const Type* target = random_.below(6) ? pick() : nullptr;
    type.target = [target] { return target; };
  }

  const Type* library() {
    const Type* any = pick();
    switch (random_.below(16)) {
      case 0:
        return t_.string();
      case 1:
        return t_.vector(any);
      case 2:
        return t_.bit_vector();
      case 3:
        return t_.deque(any);
      case 4:
        return t_.list(any);
      case 5:
        return t_.forward_list(any);
      case 6:
        return t_.map(t_.int32, t_.string());
      case 7:
        return t_.set(t_.int32);
      case 8:
        return t_.unordered_map(t_.int32, t_.string());
      case 9:
        return t_.optional(t_.int64);
      case 10:
        return t_.variant({t_.int32, t_.string()});
      case 11:
        return t_.shared_ptr(any, "weak_ptr");
      case 12:
        return t_.unique_ptr(any);
      case 13:
        return t_.std_function();
      case 14:
        return t_.ostream();
      default:
        return t_.bitset(random_.below(200));
    }
  }

  Random& random_;
  TypeBuilder t_;
  std::vector<const Type*> types_;
};

std::vector<Mapping> heap() {
  return {{TargetAddr{kBase}, TargetAddr{kBase + kSize}, true, true, false, "[heap]"}};
}

/// A heap of valid chunks around the garbage: pointers into it are followed.
void make_chunks(FakeImage& image, Random& random) {
  std::uint64_t at = 0;
  while (kSize - at > 0x400) {
    const std::uint64_t size = 32 + 16 * random.below(20);
    image.put(kBase + at + 8, size | 1);
    at += size;
  }
  image.put(kBase + at + 8, (kSize - at) | 1);
}

TEST(HostileValues, GarbageNeverCrashesOrHangs) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    RandomTypes types(random);
    FakeImage before(kBase, kSize), after(kBase, kSize);
    fill(before, random);
    after.bytes() = before.bytes();
    for (int i = 0; i < 50; ++i)
      after.put(kBase + random.below(kSize / 8) * 8, random_word(random));
    if (seed % 2) make_chunks(before, random), make_chunks(after, random);
    const HeapBlocks old_blocks(before, heap()), blocks(after, heap());
    ProgramNames names;
    names.dynamic_type = [&](std::uint64_t) { return random.below(2) ? types.pick() : nullptr; };
    CompareOptions options;
    options.limits.nodes = 20'000;
    options.limits.bytes = 1 << 20;
    ValueComparer comparer({&before, &old_blocks}, {&after, &blocks}, names, options);
    const auto started = std::chrono::steady_clock::now();
    for (int i = 0; i < 10; ++i) {
      const std::uint64_t at = kBase + random.below(kSize / 8) * 8;
      for (const Difference& found : comparer.differences("g", *types.pick(), at, at)) {
        EXPECT_EQ(found.words.size(), found.old_words.size());
        EXPECT_LT(found.new_text.size(), 4000u) << found.new_text.substr(0, 400);
        EXPECT_LT(found.name.size(), 4000u);
      }
      comparer.untyped_differences("u", random_size(random), at, at);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(10));
  }
}

TEST(HostileValues, TheSameGarbageIsEqual) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    RandomTypes types(random);
    FakeImage image(kBase, kSize);
    fill(image, random);
    make_chunks(image, random);
    const HeapBlocks blocks(image, heap());
    const ProgramNames names;
    CompareOptions options;
    options.limits.nodes = 20'000;
    ValueComparer comparer({&image, &blocks}, {&image, &blocks}, names, options);
    for (int i = 0; i < 10; ++i) {
      const std::uint64_t at = kBase + random.below(kSize / 8) * 8;
      EXPECT_TRUE(comparer.differences("g", *types.pick(), at, at).empty()) << seed;
    }
  }
}

}  // namespace
}  // namespace gordian::explain_test
