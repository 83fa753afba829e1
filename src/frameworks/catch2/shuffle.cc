// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "frameworks/catch2/shuffle.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

namespace gordian {
namespace {

/// FNV-1a, with the seed as the last letter, folded to half its size by multiplication.
class Catch2Hash {
 public:
  /// Letters beyond ASCII are negative, and so are their upper bits.
  void add(char letter) { mix(static_cast<std::uint64_t>(static_cast<signed char>(letter))); }
  void add(std::string_view text) {
    for (char letter : text) add(letter);
  }
  std::uint32_t fold(std::uint32_t seed) {
    mix(seed);
    return static_cast<std::uint32_t>(value_) * static_cast<std::uint32_t>(value_ >> 32);
  }

 private:
  void mix(std::uint64_t bits) { value_ = (value_ ^ bits) * 1099511628211u; }

  std::uint64_t value_ = 14695981039346656037u;
};

/// Of two tests with one name, the agent has added the tags to the second one's.
std::string_view name_in_program(const Suite& suite, const Test& test) {
  const std::string_view name = test.name;
  const std::string suffix = " " + test.tags;
  if (test.tags.empty() || !name.ends_with(suffix)) return name;
  const auto plain = name.substr(0, name.size() - suffix.size());
  return suite.find(plain) ? plain : name;
}

std::uint32_t hash_of(const Suite& suite, const Test& test, std::uint32_t seed) {
  Catch2Hash hash;
  hash.add(name_in_program(suite, test));
  if (!suite.framework_version().starts_with("2")) {
    hash.add(test.type_param);  // the fixture's class
    for (char letter : test.tags) {
      if (letter != '[' && letter != ']') hash.add(letter);
    }
  }
  return hash.fold(seed);
}

}  // namespace

Order catch2_shuffle(const Suite& suite, std::uint32_t seed) {
  std::vector<std::tuple<std::uint32_t, std::string_view, TestId>> hashed;
  for (TestId id : suite.default_order()) {
    const Test& test = suite.test(id);
    hashed.emplace_back(hash_of(suite, test, seed), test.name, id);
  }
  std::sort(hashed.begin(), hashed.end());
  Order order;
  for (const auto& entry : hashed) order.push_back(std::get<TestId>(entry));
  return order;
}

}  // namespace gordian
