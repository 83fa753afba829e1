// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/test_symbols.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gordian {
namespace {

using namespace std::string_view_literals;

bool consume(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// "Suite_Name_Test", and what TYPED_TEST_P makes: "gtest_suite_Suite_::Name".
std::vector<std::string> class_names(std::string_view suite, std::string_view name) {
  const std::string s(suite), n(name);
  return {s + "_" + n + "_Test", "gtest_suite_" + s + "_::" + n, "gtest_case_" + s + "_::" + n};
}

bool is_fixture_method(std::string_view name) {
  constexpr std::array kMethods = {"SetUp"sv,         "TearDown"sv,          "SetUpTestSuite"sv,
                                   "SetUpTestCase"sv, "TearDownTestSuite"sv, "TearDownTestCase"sv};
  return std::find(kMethods.begin(), kMethods.end(), name) != kMethods.end();
}

}  // namespace

ScopedName parse_scoped(std::string_view nested) {
  ScopedName parsed;
  while (!nested.empty()) {
    std::size_t length = 0;
    auto [end, error] = std::from_chars(nested.data(), nested.data() + nested.size(), length);
    const auto digits = static_cast<std::size_t>(end - nested.data());
    if (error != std::errc() || length == 0 || length > nested.size() - digits) break;
    parsed.names.push_back(nested.substr(digits, length));
    nested.remove_prefix(digits + length);
  }
  parsed.rest = nested;
  return parsed;
}

TestSymbols::TestSymbols(const CodeMap& map) {
  for (const CodeSymbol& symbol : map.symbols()) {
    for (const std::string& name : symbol.aliases) add(name, symbol.start);
  }
}

void TestSymbols::add(std::string_view mangled, std::uint64_t start) {
  std::string_view rest = mangled;
  auto remember = [start](auto& where, const ScopedName& who, std::size_t last) {
    const std::string name(who.names[last]);
    where[name].push_back(start);
    if (last > 0) where[std::string(who.names[last - 1]) + "::" + name].push_back(start);
  };
  // What the framework makes a test with, and how it finds the set-up of its suite.
  for (auto [prefix, fixture] : {std::pair{"_ZN7testing8internal15TestFactoryImplI"sv, false},
                                 {"_ZN7testing8internal24ParameterizedTestFactoryI"sv, false},
                                 {"_ZN7testing8internal16SuiteApiResolverI"sv, true},
                                 {"_ZTV"sv, false}}) {
    if (!consume(rest, prefix)) continue;
    consume(rest, "N");
    const ScopedName type = parse_scoped(rest);
    if (!type.names.empty()) remember(fixture ? fixtures_ : classes_, type, type.names.size() - 1);
    return;
  }
  if (!consume(rest, "_ZN")) return;
  consume(rest, "K");
  const ScopedName who = parse_scoped(rest);
  if (who.names.empty() || who.rest.empty()) return;
  const bool member = who.rest[0] == 'E';  // the last name is a function
  if (member && who.names.size() < 2) return;
  // Registers the test before main(), with its line.
  if (member && who.names.back() == "AddToRegistry") return;
  const std::size_t owner = who.names.size() - (member ? 2 : 1);
  remember(classes_, who, owner);
  if (!member || is_fixture_method(who.names.back())) remember(fixtures_, who, owner);
}

std::vector<std::uint64_t> TestSymbols::of(const Test& test) const {
  std::vector<std::uint64_t> found;
  auto take = [&found](const auto& from, std::string_view name) {
    auto it = from.find(name);
    if (it == from.end()) return false;
    found.insert(found.end(), it->second.begin(), it->second.end());
    return true;
  };
  const std::string_view name = std::string_view(test.name).substr(0, test.name.find('/'));
  bool has_class = false;
  // "Instance/Suite/0": which part is the suite's name is not told.
  for (std::string_view left = test.suite; !left.empty();) {
    const std::size_t slash = left.find('/');
    const std::string_view part = left.substr(0, slash);
    for (const std::string& candidate : class_names(part, name)) {
      has_class |= take(classes_, candidate);
    }
    take(fixtures_, part);
    left = slash == std::string_view::npos ? std::string_view() : left.substr(slash + 1);
  }
  if (!has_class) return {};
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace gordian
