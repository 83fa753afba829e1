// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/order_spec.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

#include "base/enum_words.h"
#include "base/files.h"
#include "base/random.h"
#include "base/text.h"

namespace gordian {
namespace {

constexpr EnumWords<OrderSpec::Kind, 4> kOrderWords = {{
    {OrderSpec::Kind::in_default, "default"},
    {OrderSpec::Kind::reverse, "reverse"},
    {OrderSpec::Kind::random, "random"},
    {OrderSpec::Kind::interleave, "interleave"},
}};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

Result<std::optional<std::uint64_t>> parse_seed(std::string_view text) {
  if (text.empty()) return std::optional<std::uint64_t>();
  std::uint64_t seed = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size()) {
    return usage_error("'" + std::string(text) + "' is not a seed", "a seed is a whole number");
  }
  return std::optional(seed);
}

constexpr std::string_view kBlanks = " \t\r";

/// The name in a line; empty for a comment. A test may have a '#' in its name.
std::string name_in(const Suite& suite, const std::string& line) {
  std::string whole = trimmed(line, kBlanks);
  return suite.find(whole) ? whole : trimmed(whole.substr(0, whole.find('#')), kBlanks);
}

Result<Order> read_order_file(const Suite& suite, const std::string& file) {
  auto text = read_regular(file);
  if (!text) return text.error();
  std::istringstream in(*text);
  Order order;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::string name = name_in(suite, line);
    if (name.empty()) continue;
    auto test = suite.find(name);
    if (!test) {
      return usage_error(file + ":" + std::to_string(number) + ": no test is called " + name,
                         closest_test(suite, name));
    }
    if (!suite.test(*test).will_run) {
      return usage_error(file + ":" + std::to_string(number) + ": " + name + " would not run",
                         "it is disabled: add --also-run-disabled");
    }
    order.push_back(*test);
  }
  if (order.empty()) {
    return usage_error("the order file " + file + " names no test", "write one test name a line");
  }
  return order;
}

/// GoogleTest's names hold none; one inside of a tag is no separator.
std::size_t first_dash(std::string_view patterns) {
  bool in_tag = false;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (patterns[i] == '[' || patterns[i] == ']') in_tag = patterns[i] == '[';
    if (patterns[i] == '-' && !in_tag) return i;
  }
  return std::string_view::npos;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool has_tag(std::string_view tags, std::string_view tag) {
  auto same = [](char a, char b) { return lower(a) == lower(b); };
  return std::search(tags.begin(), tags.end(), tag.begin(), tag.end(), same) != tags.end();
}

/// "[io][slow]": the test must have all of them, whatever their case.
bool has_tags(const Test& test, std::string_view pattern) {
  while (!pattern.empty()) {
    const std::size_t size = std::min(pattern.find(']') + 1, pattern.size());
    if (size == 0 || pattern.front() != '[' || !has_tag(test.tags, pattern.substr(0, size))) {
      return false;
    }
    pattern.remove_prefix(size);
  }
  return true;
}

bool is_tags(std::string_view pattern) {
  return pattern.starts_with('[') && pattern.ends_with(']');
}

bool selects(const std::vector<std::string>& patterns, const Test& test) {
  const std::string name = test.full_name();
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return glob_matches(pattern, name) || (is_tags(pattern) && has_tags(test, pattern));
  });
}

}  // namespace

std::string OrderSpec::text() const {
  if (kind == Kind::file) return file;
  const std::string word(word_in(kOrderWords, kind));
  return is_random() && seed ? word + ":" + std::to_string(*seed) : word;
}

Result<OrderSpec> parse_order_spec(const std::string& word) {
  OrderSpec spec;
  std::string_view head = std::string_view(word).substr(0, word.find(':'));
  std::string_view tail = std::string_view(word).substr(std::min(word.size(), head.size() + 1));
  if (word.empty()) return spec;
  if (const auto kind = value_in(kOrderWords, head)) {
    spec.kind = *kind;
    if (spec.is_random()) {
      auto seed = parse_seed(tail);
      if (!seed) return seed.error();
      spec.seed = *seed;
      return spec;
    }
    if (word == head) return spec;
  }
  if (const auto kind = kind_of_special(word); !kind.empty() && kind != "a directory") {
    return usage_error("the order file " + word + " is " + std::string(kind) +
                       ", not a regular file");
  }
  if (!open_regular(word)) {
    return usage_error("'" + word + "' is neither an order nor a readable file",
                       "orders are default, reverse, random[:SEED], interleave[:SEED], or a file "
                       "with one test name a line");
  }
  spec.kind = OrderSpec::Kind::file;
  spec.file = word;
  return spec;
}

TestFilter::TestFilter(std::string_view patterns) : text_(patterns) {
  std::size_t dash = first_dash(patterns);
  wanted_ = split(patterns.substr(0, dash), ':');
  if (dash != std::string_view::npos) unwanted_ = split(patterns.substr(dash + 1), ':');
}

bool TestFilter::matches(const Test& test) const {
  if (text_ == test.full_name()) return true;  // whatever signs are in its name
  if (selects(unwanted_, test)) return false;
  return wanted_.empty() || selects(wanted_, test);
}

std::string closest_test(const Suite& suite, const std::string& word) {
  std::vector<std::string> names;
  for (const Test& test : suite.tests()) {
    names.push_back(test.full_name());
    if (!test.suite.empty()) names.push_back(test.suite + ".*");
  }
  auto close = closest_word(word, names);
  return close ? "did you mean " + *close + "?" : "gordian list shows the names";
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

Order interleave(const Order& order, std::uint64_t seed) {
  Order shuffled = order;
  Random(seed).shuffle(shuffled);
  return shuffled;
}

Order shuffle_suites(const Suite& suite, const Order& order, std::uint64_t seed) {
  std::vector<std::vector<TestId>> groups;
  std::map<std::string, std::size_t> group_of;
  for (TestId id : order) {
    auto [it, fresh] = group_of.try_emplace(suite.test(id).suite, groups.size());
    if (fresh) groups.emplace_back();
    groups[it->second].push_back(id);
  }
  Random random(seed);
  random.shuffle(groups);
  Order shuffled;
  for (auto& group : groups) {
    random.shuffle(group);
    shuffled.insert(shuffled.end(), group.begin(), group.end());
  }
  return shuffled;
}

Result<Order> make_order(const Suite& suite, const OrderSpec& spec, const TestFilter& filter) {
  Order order = suite.default_order();
  if (spec.kind == OrderSpec::Kind::file) {
    auto read = read_order_file(suite, spec.file);
    if (!read) return read;
    order = std::move(*read);
  }
  std::erase_if(order, [&](TestId id) { return !filter.matches(suite.test(id)); });
  const std::uint64_t seed = spec.seed.value_or(0);
  if (spec.kind == OrderSpec::Kind::random) return shuffle_suites(suite, order, seed);
  if (spec.kind == OrderSpec::Kind::interleave) return interleave(order, seed);
  if (spec.kind == OrderSpec::Kind::reverse) std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace gordian
