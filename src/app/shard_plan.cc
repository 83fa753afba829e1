// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/shard_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "app/known_dependences.h"
#include "app/level.h"
#include "app/stored_dependences.h"
#include "base/files.h"
#include "base/sha256.h"
#include "base/text.h"
#include "order/shard.h"
#include "runtime/runtime.h"
#include "store/run_store.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using std::chrono::nanoseconds;

/// A target with all that its split is made from.
struct Listed {
  ShardFacts facts;
  Order tests;
  KnownDependences known;
  std::optional<RecordedTimes> times;
};

Status load_times(const std::filesystem::path& db, Listed& listed) {
  std::error_code none;
  if (!std::filesystem::exists(db, none)) return {};
  auto store = RunStore::open(db);
  if (!store) return store.error();
  auto times = store->recorded_times(listed.facts.binary.path);
  if (!times) return times.error();
  listed.times = std::move(*times);
  return {};
}

Result<Listed> list_target(const Target& target, const ShardRequestOptions& options) {
  Listed listed;
  ShardFacts& facts = listed.facts;
  facts.target = target;
  EngineOptions engine = options.engine;
  engine.also_disabled = options.also_disabled;
  auto suite = runtime_of(target).list(target, engine, facts.notices);
  if (!suite) return suite.error();
  facts.suite = *suite;
  auto tests = choose_tests(target, facts.suite, options.filter);
  if (!tests) return tests.error();
  listed.tests = std::move(*tests);
  auto binary = identity_of(target);
  if (!binary) return binary.error();
  facts.binary = std::move(*binary);
  auto known = known_dependences(facts.binary, facts.suite, options.db);
  if (!known) return known.error();
  listed.known = std::move(*known);
  facts.searched = listed.known.searched;
  facts.known = listed.known.list.size();
  facts.notices.insert(facts.notices.end(), listed.known.notices.begin(),
                       listed.known.notices.end());
  if (Status loaded = load_times(options.db, listed); !loaded) return loaded.error();
  return listed;
}

/// The mean of what was recorded of these tests; nullopt: nothing was.
std::optional<nanoseconds> mean_time(const std::vector<Listed>& all) {
  nanoseconds sum{0};
  std::int64_t count = 0;
  for (const Listed& listed : all) {
    if (!listed.times) continue;
    for (const auto& [name, time] : listed.times->by_test) sum += time, ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

/// By test of the suite. Tests without a time count as the mean of their own binary, else of all.
std::vector<nanoseconds> times_of(Listed& listed, nanoseconds mean_of_all) {
  nanoseconds mean = mean_of_all;
  std::map<std::string, nanoseconds> none;
  const auto& recorded = listed.times ? listed.times->by_test : none;
  if (!recorded.empty()) {
    nanoseconds sum{0};
    for (const auto& [name, time] : recorded) sum += time;
    mean = sum / static_cast<std::int64_t>(recorded.size());
    listed.facts.timed_by = listed.times->run;
  }
  std::vector<nanoseconds> times(listed.facts.suite.size(), mean);
  for (TestId test : listed.tests) {
    auto at = recorded.find(listed.facts.suite.test(test).full_name());
    if (at == recorded.end()) {
      ++listed.facts.untimed;
    } else {
      times[test.value()] = at->second;
    }
  }
  return times;
}

void keep_kept_out(const std::vector<KeptOut>& list, std::size_t shard, const Listed& listed,
                   std::vector<ShardFacts::KeptOut>& out) {
  const auto& constraints = listed.known.constraints.all();
  for (const KeptOut& one : list) {
    const DependenceId dependence = one.constraint < constraints.size()
                                        ? constraints[one.constraint].dependence
                                        : kNoDependence;
    out.push_back({one.test, shard, dependence});
  }
}

void keep_shards(std::vector<Shard> shards, Listed& listed) {
  for (std::size_t i = 0; i < shards.size(); ++i) {
    Schedule& schedule = shards[i].schedule;
    ShardFacts::Part part;
    part.tests = shards[i].tests;
    part.extras = schedule.extras();
    part.time = shards[i].time;
    for (ProcessOrder& process : schedule.processes) {
      part.processes.push_back({std::move(process.order), std::move(process.extra), {}});
    }
    listed.facts.shards.push_back(std::move(part));
    keep_kept_out(schedule.moved, i, listed, listed.facts.moved);
    keep_kept_out(schedule.impossible, i, listed, listed.facts.impossible);
  }
}

/// Adds what this target gives each shard to do to `loads`.
void split(Listed& listed, const ShardRequestOptions& options, std::optional<nanoseconds> mean,
           std::vector<nanoseconds>& loads) {
  ShardFacts& facts = listed.facts;
  facts.by_time = mean.has_value();
  std::vector<nanoseconds> times;
  if (mean) times = times_of(listed, *mean);
  for (Order& group : inseparable_groups(listed.known.constraints, listed.tests)) {
    if (group.size() > 1) facts.groups.push_back(std::move(group));
  }
  keep_shards(make_shards({listed.known.constraints, listed.tests, times, options.count,
                           facts.suite.default_order_without(listed.tests), loads}),
              listed);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const auto tests = static_cast<std::int64_t>(facts.shards[i].tests);
    loads[i] += mean ? facts.shards[i].time : nanoseconds(tests);
  }
}

/// Of the names in their order: paths and times may differ from machine to machine.
std::string id_of(const ShardPlan& plan) {
  Sha256 digest;
  for (const ShardFacts& target : plan.targets) {
    digest.update("target\n");
    for (const ShardFacts::Part& part : target.shards) {
      digest.update("shard\n");
      for (const ShardFacts::Process& process : part.processes) {
        digest.update("process\n");
        for (TestId test : process.order) digest.update(target.suite.test(test).full_name() + "\n");
      }
    }
  }
  return digest.hex_digest().substr(0, 8);
}

Notice no_times(const std::vector<Listed>& all) {
  const Target& target = all.front().facts.target;
  return {Notice::Level::warning,
          fmt::format("no times are recorded, so shards have equal numbers of tests: gordian run "
                      "{} records them",
                      shell_word(target.binary.string()))};
}

Result<std::vector<Listed>> list_targets(const std::vector<Target>& targets,
                                         const ShardRequestOptions& options,
                                         std::vector<std::string>& passed_over) {
  std::vector<Listed> all;
  std::optional<Error> first;
  for (const Target& target : targets) {
    auto listed = list_target(target, options);
    if (listed) {
      all.push_back(std::move(*listed));
    } else if (targets.size() > 1 && may_be_passed_over(listed.error(), target)) {
      if (!first) first = listed.error();
      passed_over.push_back(listed.error().message);
    } else {
      return listed.error();
    }
  }
  if (all.empty()) return *first;
  return all;
}

constexpr const char* kFirstLine = "# Written by gordian shard";

/// Several targets may be called alike.
std::string unique_name(const ShardFacts& target, std::set<std::string>& taken) {
  std::string name = target.target.binary.filename().string();
  for (int n = 2; !taken.insert(name).second; ++n) {
    name = fmt::format("{}-{}", target.target.binary.filename().string(), n);
  }
  return name;
}

std::string content(const ShardFacts& target, const ShardFacts::Process& process,
                    const std::string& what) {
  std::string text = fmt::format("{}: {}\n# gordian run {} --isolate none --order THIS_FILE\n",
                                 kFirstLine, what, shell_word(target.target.binary.string()));
  for (std::size_t i = 0; i < process.order.size(); ++i) {
    if (process.extra[i]) text += "# the next one counts elsewhere; others need it here\n";
    text += target.suite.test(process.order[i]).full_name() + "\n";
  }
  return text;
}

/// Only what this command has written, by its first line.
void remove_older(const fs::path& directory, const std::string& name, std::size_t count,
                  const std::set<fs::path>& kept) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, none)) {
    const std::string file = entry.path().filename().string();
    const bool ours = file.starts_with(name + "-") && file.ends_with(".order") &&
                      file.find(fmt::format("-of-{}", count)) != std::string::npos;
    if (!ours || kept.contains(entry.path())) continue;
    std::string line;
    std::getline(std::ifstream(entry.path()) >> std::ws, line);
    if (line.starts_with(kFirstLine)) fs::remove(entry.path(), none);
  }
}

Status write_target(ShardFacts& target, std::size_t count, const fs::path& directory,
                    const std::string& name) {
  std::set<fs::path> written;
  for (std::size_t i = 0; i < count; ++i) {
    auto& processes = target.shards[i].processes;
    for (std::size_t p = 0; p < processes.size(); ++p) {
      std::string what = fmt::format("{}-{}-of-{}", name, i + 1, count);
      if (p > 0) what += fmt::format("-p{}", p + 1);
      const fs::path file = directory / (what + ".order");
      processes[p].file = file.string();
      if (Status done = write_file(processes[p].file, content(target, processes[p], what)); !done) {
        return done;
      }
      written.insert(file);
    }
  }
  remove_older(directory, name, count, written);
  return {};
}

}  // namespace

std::string ShardChoice::text() const {
  return fmt::format("{}/{}", index + 1, count);
}

Result<ShardChoice> parse_shard(const std::string& word) {
  std::size_t index = 0, count = 0;
  const char* end = word.data() + word.size();
  auto [slash, bad] = std::from_chars(word.data(), end, index);
  const bool cut = bad == std::errc() && slash != end && *slash == '/';
  if (cut) {
    auto [rest, wrong] = std::from_chars(slash + 1, end, count);
    if (wrong != std::errc() || rest != end) count = 0;
  }
  if (index < 1 || index > count || count > kMostShards) {
    return usage_error(
        "'" + word + "' is no shard",
        fmt::format("write 1/4 for the first of four; at most {} of them", kMostShards));
  }
  return ShardChoice{index - 1, count};
}

Result<ShardPlan> plan_shards(const std::vector<Target>& targets,
                              const ShardRequestOptions& options,
                              std::vector<std::string>& passed_over) {
  auto all = list_targets(targets, options, passed_over);
  if (!all) return all.error();
  const auto mean = options.by_time ? mean_time(*all) : std::nullopt;
  if (options.by_time && !mean) all->front().facts.notices.push_back(no_times(*all));
  std::vector<nanoseconds> loads(options.count);
  ShardPlan plan;
  plan.count = options.count;
  for (Listed& listed : *all) {
    split(listed, options, mean, loads);
    plan.targets.push_back(std::move(listed.facts));
  }
  plan.id = id_of(plan);
  return plan;
}

Status write_order_files(ShardPlan& plan, const fs::path& directory) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed || !fs::is_directory(directory, failed)) {
    return usage_error(directory.string() + " cannot be made: " + failed.message(),
                       "-o names a directory that can be written");
  }
  std::set<std::string> taken;
  for (ShardFacts& target : plan.targets) {
    Status written = write_target(target, plan.count, directory, unique_name(target, taken));
    if (!written) return written;
  }
  return {};
}

}  // namespace gordian
