// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Orders as users write them, and which tests they concern.
//   default           the framework's own
//   reverse           the default, backwards
//   random[:SEED]     suites shuffled, and the tests within each: what the framework could do
//   itself interleave[:SEED] all tests shuffled freely, suites interleaved FILE              one
//   test name a line; '#' starts a comment; a test may stand there twice
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/test.h"

namespace gordian {

struct OrderSpec {
  enum class Kind { in_default, reverse, random, interleave, file } kind = Kind::in_default;
  std::optional<std::uint64_t> seed;
  std::string file;

  bool is_random() const { return kind == Kind::random || kind == Kind::interleave; }
  /// As the user would type it, seed included.
  std::string text() const;
};

Result<OrderSpec> parse_order_spec(const std::string& word);

/// Patterns as GoogleTest's own filter: `A.*:B.?-A.Slow`; '*' and '?' match anything, what follows
/// the first '-' is left out. `[io][slow]:[net]-[x]` selects by tags, where tests have them. A
/// test's whole name selects it, whatever signs are in it.
class TestFilter {
 public:
  TestFilter() = default;
  explicit TestFilter(std::string_view patterns);
  bool matches(const Test& test) const;
  /// As typed.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::string> wanted_, unwanted_;
};

/// "did you mean Cart.IsEmpty?" for a name, or a filter, that is none of the suite's; else where
/// the names are found.
std::string closest_test(const Suite& suite, const std::string& word);

/// '*' and '?' wildcards over the whole text.
bool glob_matches(std::string_view pattern, std::string_view text);

/// The tests of `suite` that would run and that `filter` selects, in the order asked for. A random
/// spec must have its seed. Errors: a file that cannot be read or names unknown tests.
Result<Order> make_order(const Suite& suite, const OrderSpec& spec, const TestFilter& filter);

/// Shuffles suites, and tests within suites.
Order shuffle_suites(const Suite& suite, const Order& order, std::uint64_t seed);
/// Shuffles tests freely.
Order interleave(const Order& order, std::uint64_t seed);

}  // namespace gordian
