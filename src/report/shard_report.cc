// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/shard_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/json.h"
#include "report/outcome_text.h"
#include "report/text.h"

namespace gordian {
namespace {

constexpr std::size_t kMostShown = 10;

bool by_time(const ShardPlan& plan) {
  return std::any_of(plan.targets.begin(), plan.targets.end(),
                     [](const ShardFacts& target) { return target.by_time; });
}

/// What shards are balanced by.
double load(const ShardPlan& plan, std::size_t shard) {
  return by_time(plan) ? static_cast<double>(plan.time_of(shard).count())
                       : static_cast<double>(plan.tests_of(shard));
}

std::size_t processes_of(const ShardPlan& plan, std::size_t shard) {
  std::size_t sum = 0;
  for (const ShardFacts& target : plan.targets) sum += target.shards[shard].processes.size();
  return sum;
}

std::string shard_label(std::string_view word, Ink ink, const Style& style) {
  return paint(fmt::format("{:>13}", word), ink, style.color) + "  ";
}

std::string shard_table(const ShardPlan& plan, const Style& style) {
  std::vector<std::vector<std::string>> rows = {
      {"shard", "tests", "time", "processes", "extra runs"}};
  for (std::size_t i = 0; i < plan.count; ++i) {
    rows.push_back({fmt::format("{}/{}", i + 1, plan.count), thousands(plan.tests_of(i)),
                    by_time(plan) ? human_duration(plan.time_of(i)) : "-",
                    thousands(processes_of(plan, i)), thousands(plan.extras_of(i))});
  }
  const std::string text = columns(rows);
  const std::size_t head = text.find('\n');
  return paint(text.substr(0, head), Ink::dim, style.color) + text.substr(head);
}

std::string target_line(const ShardFacts& target, const Style& style) {
  std::size_t tests = 0;
  for (const ShardFacts::Part& part : target.shards) tests += part.tests;
  std::string text = ": " + count_of(tests, "test");
  text += target.searched ? ", " + count_of(target.known, "known dependence") : ", never searched";
  if (target.timed_by) text += ", times of " + to_string(*target.timed_by);
  if (target.by_time && target.untimed > 0) {
    text += fmt::format(" ({} without: they count as the mean)", thousands(target.untimed));
  }
  return paint(sanitize_line(target.binary.path), Ink::bold, style.color) + text + "\n";
}

std::string balance_line(const ShardPlan& plan, const Style& style) {
  std::string text;
  if (by_time(plan)) {
    std::chrono::nanoseconds all{0}, slowest{0};
    for (std::size_t i = 0; i < plan.count; ++i) {
      all += plan.time_of(i);
      slowest = std::max(slowest, plan.time_of(i));
    }
    text = fmt::format("slowest {}, {:.0f} % above the mean; all tests in one {}",
                       human_duration(slowest), 100 * imbalance(plan), human_duration(all));
  } else {
    text =
        fmt::format("by number of tests, largest {:.0f} % above the mean", 100 * imbalance(plan));
  }
  return shard_label("Balance", Ink::bold, style) + text + "\n";
}

std::string joined_names(const Suite& suite, const Order& tests) {
  std::string text;
  for (TestId test : tests) {
    text += (text.empty() ? "" : ", ") + printable_name(suite.test(test));
  }
  return text;
}

std::string why(DependenceId dependence) {
  return is_stored(dependence) ? to_string(dependence) : "declared";
}

/// At most some lines, and how many there are more.
class Few {
 public:
  Few(std::string_view word, Ink ink, const Style& style) : word_(word), ink_(ink), style_(style) {}
  void add(const std::string& line) {
    if (++count_ <= kMostShown) text_ += shard_label(word_, ink_, style_) + line + "\n";
  }
  std::string take() const {
    if (count_ <= kMostShown) return text_;
    return text_ + shard_label(word_, ink_, style_) +
           fmt::format("and {} more, see --json\n", thousands(count_ - kMostShown));
  }

 private:
  std::string_view word_;
  Ink ink_;
  const Style& style_;
  std::string text_;
  std::size_t count_ = 0;
};

std::string price_of_dependences(const ShardPlan& plan, const Style& style) {
  Few together("Kept together", Ink::cyan, style), moved("Moved", Ink::cyan, style),
      impossible("Impossible", Ink::red, style);
  for (const ShardFacts& target : plan.targets) {
    for (const Order& group : target.groups) together.add(joined_names(target.suite, group));
    for (const ShardFacts::KeptOut& one : target.moved) {
      moved.add(fmt::format("{} ({}) into another process of shard {}/{}",
                            printable_name(target.suite.test(one.test)), why(one.dependence),
                            one.shard + 1, plan.count));
    }
    for (const ShardFacts::KeptOut& one : target.impossible) {
      impossible.add(
          fmt::format("{} ({}): no order is known that gives its expected result; it "
                      "stands alone in shard {}/{}",
                      printable_name(target.suite.test(one.test)), why(one.dependence),
                      one.shard + 1, plan.count));
    }
  }
  return together.take() + moved.take() + impossible.take();
}

std::string shard_notices(const ShardPlan& plan, const Style& style) {
  std::string text;
  for (const ShardFacts& target : plan.targets) {
    for (const Notice& notice : target.notices) {
      const bool warning = notice.level == Notice::Level::warning;
      text += shard_label(warning ? "Warning" : "Note", warning ? Ink::yellow : Ink::cyan, style) +
              sanitize_line(notice.text) + "\n";
    }
  }
  return text;
}

std::string written(const ShardPlan& plan, const Style& style) {
  Few files("Written", Ink::green, style);
  for (std::size_t i = 0; i < plan.count; ++i) {
    for (const ShardFacts& target : plan.targets) {
      for (const ShardFacts::Process& process : target.shards[i].processes) {
        if (!process.file.empty()) files.add(sanitize_line(process.file));
      }
    }
  }
  return files.take();
}

using nlohmann::json;

json process_json(const ShardFacts::Process& process, const Suite& suite) {
  return {{"order", names_json(process.order, suite)},
          {"extra", marked_names_json(process.order, process.extra, suite)},
          {"file", text_or_null(process.file)}};
}

json part_json(const ShardFacts::Part& part, const ShardFacts& target) {
  auto process = [&](const ShardFacts::Process& one) { return process_json(one, target.suite); };
  return {{"tests", part.tests},
          {"extra_runs", part.extras},
          {"time_ns", target.by_time ? json(part.time.count()) : json()},
          {"processes", json_list(part.processes, process)}};
}

json kept_out_json(const std::vector<ShardFacts::KeptOut>& list, const Suite& suite) {
  return json_list(list, [&](const ShardFacts::KeptOut& one) -> json {
    return {{"test", suite.test(one.test).full_name()},
            {"shard", one.shard + 1},
            {"dependence", id_or_null(one.dependence)}};
  });
}

json target_json(const ShardFacts& target) {
  auto group = [&](const Order& tests) { return names_json(tests, target.suite); };
  auto part = [&](const ShardFacts::Part& one) { return part_json(one, target); };
  return {{"binary", target.binary.path},
          {"sha256", target.binary.sha256},
          {"searched", target.searched},
          {"known_dependences", target.known},
          {"by", target.by_time ? "time" : "count"},
          {"timed_by", target.timed_by ? json(to_string(*target.timed_by)) : json()},
          {"untimed", target.untimed},
          {"kept_together", json_list(target.groups, group)},
          {"shards", json_list(target.shards, part)},
          {"moved", kept_out_json(target.moved, target.suite)},
          {"impossible", kept_out_json(target.impossible, target.suite)},
          {"notices", notices_to_json(target.notices)}};
}

}  // namespace

double imbalance(const ShardPlan& plan) {
  double sum = 0, most = 0;
  for (std::size_t i = 0; i < plan.count; ++i) {
    sum += load(plan, i);
    most = std::max(most, load(plan, i));
  }
  return sum > 0 ? most / (sum / static_cast<double>(plan.count)) - 1 : 0;
}

std::string shard_text(const ShardPlan& plan, const std::string& command, const Style& style) {
  std::string text;
  for (const ShardFacts& target : plan.targets) text += target_line(target, style);
  text += "\n" + shard_table(plan, style) + "\n";
  text += balance_line(plan, style) + price_of_dependences(plan, style) +
          shard_notices(plan, style) + written(plan, style);
  text += shard_label("Split", Ink::bold, style) + plan.id + "\n";
  if (!command.empty()) {
    text += shard_label("Run", Ink::bold, style) + sanitize_line(command) +
            fmt::format(" 1/{}\n", plan.count);
  }
  return text;
}

std::string shard_headline(const ShardPlan& plan, std::size_t shard, const Style& style) {
  std::string what = fmt::format("{}/{} of split {}: ", shard + 1, plan.count, plan.id);
  what += plan.tests_of(shard) == 0 ? "no tests" : count_of(plan.tests_of(shard), "test");
  if (by_time(plan) && plan.tests_of(shard) > 0) {
    what += ", about " + human_duration(plan.time_of(shard));
  }
  return shard_label("Shard", Ink::bold, style) + what + "\n" + shard_notices(plan, style);
}

json shards_to_json(const ShardPlan& plan) {
  return {{"kind", "shards"},
          {"version", kJsonVersion},
          {"count", plan.count},
          {"split", plan.id},
          {"imbalance", imbalance(plan)},
          {"targets", json_list(plan.targets, target_json)}};
}

}  // namespace gordian
