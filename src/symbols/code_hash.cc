// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Each symbol has a digest of its own (symbols/code_digest.h); what it reaches is summed up from
// the leaves, cycle by cycle, so that every symbol is read once however many tests reach it.
#include "symbols/code_hash.h"

#include <algorithm>
#include <unordered_map>

#include "base/sha256.h"
#include "symbols/code_digest.h"
#include "symbols/code_map.h"
#include "symbols/test_symbols.h"

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

}  // namespace gordian
