// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Each symbol has a digest of its own (code_digest.cc); what it reaches is summed up from
// the leaves, cycle by cycle, so that every symbol is read once however many tests reach it.
#include "symbols/code_hash.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "base/sha256.h"

namespace gordian {
namespace {

/// To be counted up when the meaning of a hash changes: then every test counts as changed once.
constexpr const char* kVersion = "1:";

/// Functions of the framework do not count themselves: which of them a compiler puts in line
/// differs from build to build.
bool is_framework(const CodeSymbol& symbol) {
  return symbol.name.starts_with("_ZN7testing") || symbol.name.starts_with("_ZNK7testing");
}

/// Those of its headers are compiled with the test, and may lead back to its code: the == of a type
/// that is compared, the matcher of a mock.
bool leads_back(const CodeSymbol& symbol) {
  return symbol.weak;
}

void sort_out(std::vector<std::string>& parts) {
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
}

std::string combine(std::vector<std::string> parts) {
  sort_out(parts);
  Sha256 sha;
  for (const std::string& part : parts) sha.update(part);
  return sha.hex_digest();
}

/// Sums over what is reachable: Tarjan's strongly connected components, without recursion.
class Reach {
 public:
  explicit Reach(const CodeMap& map) : map_(map) {}

  /// One for a symbol that counts itself; else those of the ones behind it.
  const std::vector<std::string>& sums(std::uint64_t start) {
    if (!nodes_.contains(start)) walk(start);
    return nodes_.at(start).sums;
  }

 private:
  struct Node {
    CodeDigest code;
    std::size_t index = 0, low = 0;
    std::size_t next_use = 0;
    bool open = true, counts = true;
    std::vector<std::string> sums;
  };

  void enter(std::uint64_t start) {
    Node node;
    const CodeSymbol* symbol = map_.symbol_at(start);
    node.counts = symbol != nullptr && !is_framework(*symbol);
    if (symbol != nullptr && (node.counts || leads_back(*symbol))) {
      node.code = symbol->function ? digest_function(map_, *symbol) : digest_data(map_, *symbol);
    }
    node.index = node.low = count_++;
    nodes_.emplace(start, std::move(node));
    path_.push_back(start);
    open_.push_back(start);
  }

  void walk(std::uint64_t from) {
    enter(from);
    while (!path_.empty()) {
      const std::uint64_t at = path_.back();
      Node& node = nodes_.at(at);
      if (node.next_use < node.code.uses.size()) {
        const std::uint64_t use = node.code.uses[node.next_use++];
        auto it = nodes_.find(use);
        if (it == nodes_.end()) {
          enter(use);
        } else if (it->second.open) {
          node.low = std::min(node.low, it->second.index);
        }
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) {
        Node& parent = nodes_.at(path_.back());
        parent.low = std::min(parent.low, node.low);
      }
      if (node.low == node.index) close(at);
    }
  }

  /// All of a cycle reach the same.
  void close(std::uint64_t first) {
    const auto begin = std::find(open_.rbegin(), open_.rend(), first).base() - 1;
    const std::vector<std::uint64_t> members(begin, open_.end());
    open_.erase(begin, open_.end());
    std::vector<std::string> parts;
    bool counts = false;
    for (std::uint64_t member : members) {
      const Node& node = nodes_.at(member);
      counts |= node.counts;
      if (node.counts) parts.push_back(node.code.sha256);
      for (std::uint64_t use : node.code.uses) {
        const Node& used = nodes_.at(use);
        if (!used.open) parts.insert(parts.end(), used.sums.begin(), used.sums.end());
      }
    }
    if (counts) parts = {combine(std::move(parts))};
    sort_out(parts);
    for (std::uint64_t member : members) {
      nodes_.at(member).open = false;
      nodes_.at(member).sums = parts;
    }
  }

  const CodeMap& map_;
  std::unordered_map<std::uint64_t, Node> nodes_;
  std::vector<std::uint64_t> path_, open_;
  std::size_t count_ = 0;
};

std::string sum_of_main(const CodeMap& map, Reach& reach) {
  for (const CodeSymbol& symbol : map.symbols()) {
    if (symbol.name == "main") return combine(reach.sums(symbol.start));
  }
  return {};
}

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

Result<std::vector<std::string>> hash_tests(const std::filesystem::path& program,
                                            const Suite& suite) {
  auto map = CodeMap::read(program);
  if (!map) return map.error();
  const TestSymbols symbols(*map);
  Reach reach(*map);
  const std::string main = sum_of_main(*map, reach);
  std::vector<std::string> hashes;
  bool any = false;
  for (const Test& test : suite.tests()) {
    std::vector<std::string> parts;
    const std::vector<std::uint64_t> starts = symbols.of(test);
    if (starts.empty()) {
      hashes.emplace_back();
      continue;
    }
    any = true;
    for (std::uint64_t start : starts) {
      const auto& sums = reach.sums(start);
      parts.insert(parts.end(), sums.begin(), sums.end());
    }
    for (const std::string& fact :
         {main, suite.framework_version(), test.type_param, test.value_param}) {
      parts.push_back(std::to_string(fact.size()) + fact);
    }
    hashes.push_back(kVersion + combine(std::move(parts)).substr(0, 32));
  }
  if (!any) return target_error("its symbols do not name its tests");
  return hashes;
}

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
