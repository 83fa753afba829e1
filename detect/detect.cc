// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/detect.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "detect/gtest_shuffle.h"
#include "detect/memory.h"
#include "detect/search.h"
#include "engine/inspect.h"
#include "engine/interrupt.h"
#include "symbols/code_hash.h"
#include "symbols/library_digest.h"

namespace gordian {
namespace {

Result<Order> to_order(const Suite& suite, const std::vector<std::string>& names) {
  Order order;
  for (const std::string& name : names) {
    auto id = suite.find(name);
    if (!id) {
      return usage_error(fmt::format("the binary has no test called {}", name),
                         "is this the binary that failed?");
    }
    order.push_back(*id);
  }
  return order;
}

/// The orders that a CI log names, if the request has any.
Result<std::vector<Order>> given_orders(const DetectRequest& request, const Suite& suite) {
  std::vector<Order> orders;
  for (const auto& names : request.suspects) {
    auto order = to_order(suite, names);
    if (!order) return order.error();
    orders.push_back(std::move(*order));
  }
  // A seed knows better than a list of names; those only tell whether this is the right binary.
  if (request.framework_seed) orders = {gtest_shuffle(suite, *request.framework_seed)};
  return orders;
}

Result<Order> tests_to_search(const DetectRequest& request, const Suite& suite) {
  auto order = make_order(suite, OrderSpec{}, request.filter);
  if (!order) return order;
  if (suite.size() == 0) return no_tests_error(request.target);
  if (order->empty()) {
    return no_match_error(request.target, suite.size());
  }
  return order;
}

void describe_fork(const Executor& executor, DetectFacts& facts) {
  for (const std::string& problem : executor.fork_problems()) {
    facts.notices.push_back({Notice::Level::warning, "every order in a fresh process: " + problem});
  }
  if (!executor.fork_problems().empty()) facts.isolation = Isolation::process;
}

SearchSettings settings_of(const DetectRequest& request, const DetectFacts& facts) {
  SearchSettings settings;
  settings.target = facts.target;
  settings.filter = request.filter.text();
  settings.isolation = facts.isolation;
  settings.private_fs = facts.private_fs;
  for (const auto& dir : request.engine.private_dirs) {
    settings.private_dirs.push_back(dir.string());
  }
  settings.test_timeout_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(request.engine.limits.test_timeout)
          .count();
  return settings;
}

CodeHashes hash_code(const DetectFacts& facts) {
  CodeHashes hashes;
  auto by_test = hash_tests(facts.target.binary, facts.suite);
  if (by_test) {
    hashes.by_test = std::move(*by_test);
  } else {
    hashes.by_test.resize(facts.suite.size());
    hashes.problem = by_test.error().message;
  }
  return hashes;
}

/// As the program will see it.
std::string library_path(const Target& target) {
  const char* ours = std::getenv("LD_LIBRARY_PATH");
  std::string path = ours == nullptr ? "" : ours;
  for (const auto& [name, value] : target.env) {
    if (name == "LD_LIBRARY_PATH") path = value.value_or("");
  }
  return path;
}

std::string libraries_of(const Target& target) {
  auto program = ElfFile::open(target.binary);
  return program ? library_digest(*program, library_path(target)) : std::string();
}

Result<Memory> remember(const DetectRequest& request, const DetectFacts& facts) {
  Memory memory;
  // Orders that the user names are run whatever is known.
  const bool given = request.framework_seed || !request.suspects.empty();
  if (request.store == nullptr || given) return memory;
  memory.store = request.store;
  memory.settings = settings_of(request, facts);
  memory.build = {facts.binary.sha256, facts.binary.build_id, libraries_of(facts.target)};
  memory.hash_code = [&facts] { return hash_code(facts); };
  if (request.full) return memory;
  auto earlier = request.store->load(memory.settings);
  if (!earlier) return earlier.error();
  memory.earlier = std::move(*earlier);
  return memory;
}

}  // namespace

Result<DetectFacts> detect(const DetectRequest& asked, SearchListener& listener) {
  DetectRequest request = asked;
  auto inspection = inspect(request.target);
  if (!inspection) return inspection.error();
  if (!inspection->unhookable.empty()) {
    return target_error("orders cannot be controlled: " + inspection->unhookable);
  }
  DetectFacts facts;
  facts.target = request.target;
  if (request.also_disabled) facts.target.args.push_back("--gtest_also_run_disabled_tests");
  auto identity = identify(request.target, inspection->elf);
  if (!identity) return identity.error();
  facts.binary = std::move(*identity);

  ExecutorOptions engine = request.engine;
  engine.should_stop = [] { return interrupted(); };
  engine.hook_offsets = inspection->hook_offsets;
  auto executor = Executor::open(facts.target, inspection->elf, inspection->framework.version,
                                 std::move(engine));
  if (!executor) return executor.error();
  facts.suite = (*executor)->suite();
  facts.notices = (*executor)->notices();
  facts.private_fs = (*executor)->private_fs();
  facts.isolation = request.fresh ? Isolation::process : Isolation::fork;
  facts.search.algorithm = to_string(request.algorithm);
  facts.search.seed = request.seed;
  facts.search.budget = request.budget;
  describe_fork(**executor, facts);
  auto tests = tests_to_search(request, facts.suite);
  if (!tests) return tests.error();
  auto given = given_orders(request, facts.suite);
  if (!given) return given.error();

  auto memory = remember(request, facts);
  if (!memory) return memory.error();
  if (memory->earlier && !request.seed_is_given) request.seed = memory->earlier->record.seed;
  facts.search.seed = request.seed;

  listener.search_begins(facts);
  for (const Notice& notice : facts.notices) listener.notice(notice);
  Search search(request, **executor, facts, listener);
  if (Status begun = search.begin(std::move(*tests)); !begun) return begun.error();
  Status explored;
  if (given->empty()) {
    if (Status taken = search.take_over(*memory); !taken) return taken.error();
    explored = search.run_algorithm();
  } else {
    facts.search.algorithm = "given orders";
    explored = search.explore(*fixed_source("given orders", std::move(*given)));
  }
  if (!explored) return explored.error();
  if (Status finished = search.finish(); !finished) return finished.error();
  return facts;
}

}  // namespace gordian
