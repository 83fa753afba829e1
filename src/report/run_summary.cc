// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "base/enum_words.h"
#include "report/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "report/outcome_text.h"
#include "report/text.h"

namespace gordian {
namespace {

std::uint64_t unsigned_of(int n) {
  return static_cast<std::uint64_t>(n);
}

/// Collects lines that all begin with a right-aligned label.
class Lines {
 public:
  explicit Lines(const Style& style) : style_(style) {}

  void add(std::string_view label, Ink ink, const StyledLine& rest) {
    StyledLine line;
    line.add(fmt::format("{:>{}} ", label, kStatusWidth), ink).add(rest);
    text_ += line.render(style_) + "\n";
  }
  void add(std::string_view label, Ink ink, std::string_view rest) {
    add(label, ink, StyledLine().add(rest));
  }
  void add_rule() { text_ += style_.rule(); }
  std::string take() { return std::move(text_); }

 private:
  const Style& style_;
  std::string text_;
};

bool ends_process(OutcomeKind kind) {
  return kind == OutcomeKind::crash || kind == OutcomeKind::exit || kind == OutcomeKind::timeout;
}

/// Tests without a result, by the reason they have none.
struct NotRun {
  int after_end = 0;  ///< an earlier test of the same process ended it
  int other = 0;      ///< the whole run stopped before their turn
};

NotRun count_not_run(const RunFacts& facts) {
  NotRun result;
  for (const OrderRun& order : facts.orders) {
    bool ended = false;
    for (const TestRun& run : order.runs) {
      if (run.outcome.kind == OutcomeKind::not_run) ++(ended ? result.after_end : result.other);
      ended = ended || (facts.header.used == Isolation::none && ends_process(run.outcome.kind));
    }
    if (order.order.size() > order.runs.size()) {
      result.other += static_cast<int>(order.order.size() - order.runs.size());
    }
  }
  return result;
}

constexpr EnumWords<RunEnd, 5> kStopReasons = {
    {{RunEnd::interrupted, "the run was interrupted"},
     {RunEnd::failed_fast, "the run stopped at a failure"},
     {RunEnd::timed_out, "the run's time was up"},
     {RunEnd::unfinished, "the run did not finish"},
     {RunEnd::finished, "reason unknown"}}};

std::string not_run_text(const RunFacts& facts) {
  NotRun not_run = count_not_run(facts);
  constexpr std::string_view kEnded = "an earlier test ended the process";
  std::string total = thousands(unsigned_of(not_run.after_end + not_run.other)) + " not run";
  if (not_run.other == 0)
    return not_run.after_end == 0 ? "" : fmt::format("{} ({})", total, kEnded);
  std::string_view reason = word_in(kStopReasons, facts.end);
  if (not_run.after_end == 0) return fmt::format("{} ({})", total, reason);
  return fmt::format("{} ({}: {}; {}: {})", total, thousands(unsigned_of(not_run.after_end)),
                     kEnded, thousands(unsigned_of(not_run.other)), reason);
}

/// How many passed, but took so long; 0: nothing is slow.
int count_slow(const RunFacts& facts, std::chrono::nanoseconds slow) {
  if (slow.count() == 0) return 0;
  std::ptrdiff_t found = 0;
  for (const OrderRun& order : facts.orders) {
    found += std::count_if(order.runs.begin(), order.runs.end(), [slow](const TestRun& run) {
      return run.outcome.kind == OutcomeKind::pass && run.duration >= slow;
    });
  }
  return static_cast<int>(found);
}

void add_totals(Lines& lines, const RunFacts& facts, std::chrono::nanoseconds slow) {
  OutcomeCounts counts = count_outcomes(facts);
  std::uint64_t ran = unsigned_of(counts.total() - counts.not_run);
  bool repeated = facts.orders.size() > 1;
  std::string_view what = repeated ? "test run" : "test";
  StyledLine rest;
  rest.add(fmt::format("[{}] {}{}", column_duration(facts.wall), count_of(ran, what),
                       repeated ? "" : " run"));
  if (repeated) rest.add(fmt::format(" in {}", count_of(facts.orders.size(), "repeat")));
  rest.add(": ").add(counts_line(counts, CountDetail::with_kinds, count_slow(facts, slow)));
  if (std::string text = not_run_text(facts); !text.empty()) rest.add("; ").add(text, Ink::yellow);
  bool good = counts.failures() == 0 && facts.end == RunEnd::finished;
  lines.add("Summary", good ? Ink::green : Ink::red, rest);
  if (facts.end != RunEnd::finished) {
    lines.add("Stopped", Ink::yellow,
              fmt::format("{}: this is not the whole picture", word_in(kStopReasons, facts.end)));
  }
}

/// One line for each stretch of repeats with equal counts.
void add_repeats(Lines& lines, const RunFacts& facts) {
  std::size_t first = 0;
  while (facts.orders.size() > 1 && first < facts.orders.size()) {
    auto text_of = [&facts](std::size_t i) {
      OutcomeCounts counts = count_outcomes(facts.orders[i]);
      std::string not_run =
          counts.not_run > 0 ? fmt::format("; {} not run", thousands(unsigned_of(counts.not_run)))
                             : "";
      return counts_line(counts, CountDetail::with_kinds).render({}) + not_run;
    };
    std::string text = text_of(first);
    std::size_t last = first;
    while (last + 1 < facts.orders.size() && text_of(last + 1) == text) ++last;
    std::string which =
        last == first ? std::to_string(first + 1) : fmt::format("{} to {}", first + 1, last + 1);
    lines.add("Repeat", Ink::bold, fmt::format("{}: {}", which, text));
    first = last + 1;
  }
}

struct Failing {
  const TestRun* first = nullptr;
  int times = 0;
};

/// Each failing test once, in the order in which it first failed.
std::vector<Failing> failing_tests(const RunFacts& facts) {
  std::vector<Failing> failing;
  std::map<TestId, std::size_t> index;
  for (const OrderRun& order : facts.orders) {
    for (const TestRun& run : order.runs) {
      if (!is_failure(run.outcome.kind)) continue;
      auto [it, is_new] = index.emplace(run.test, failing.size());
      if (is_new) failing.push_back({&run, 0});
      ++failing[it->second].times;
    }
  }
  return failing;
}

/// On a terminal the headline gets the rest of the line. A name is never cut, since people copy it;
/// after a long one the headline still gets enough to name its place.
std::string fit_headline(const std::string& headline, int columns_before, const Style& style) {
  constexpr int kLeast = 40;
  if (style.width == 0) return headline;
  int room = style.width - kStatusWidth - 3 - columns_before;
  return truncate_end(headline, std::max(room, kLeast), style.ellipsis());
}

void add_failures(Lines& lines, const RunFacts& facts, const Style& style) {
  for (const Failing& failing : failing_tests(facts)) {
    const Test& test = facts.suite.test(failing.first->test);
    StyledLine rest;
    rest.add(printable_name(test), Ink::bold);
    if (facts.orders.size() > 1) {
      rest.add(fmt::format(" (in {} of {} repeats)", failing.times, facts.orders.size()));
    }
    std::string what = failure_headline(*failing.first, test);
    if (!what.empty()) rest.add("  ").add(fit_headline(what, rest.width(), style), Ink::dim);
    StatusWord status = status_word(failing.first->outcome.kind);
    lines.add(status.word, status.ink, rest);
  }
}

std::string result_text(const Outcome& outcome) {
  std::string text(to_string(outcome.kind));
  if (outcome.kind == OutcomeKind::crash) return text + " " + signal_name(outcome.signal);
  if (outcome.kind == OutcomeKind::exit) return fmt::format("{} {}", text, outcome.exit_code);
  std::string place = location_text(outcome.file, outcome.line);
  return place.empty() ? text : fmt::format("{} at {}", text, place);
}

void add_changed(Lines& lines, const RunFacts& facts) {
  for (const ChangedTest& changed : tests_that_changed(facts)) {
    std::string results;
    for (const auto& [outcome, times] : changed.results) {
      results += fmt::format("{}{} x {}", results.empty() ? "" : ", ", times, result_text(outcome));
    }
    lines.add("Differs", Ink::yellow,
              fmt::format("{}: results differ between repeats ({})",
                          printable_name(facts.suite.test(changed.test)), results));
  }
}

void add_notices(Lines& lines, const RunFacts& facts) {
  for (const Notice& notice : facts.notices) {
    bool warning = notice.level == Notice::Level::warning;
    lines.add(warning ? "Warning" : "Note", warning ? Ink::yellow : Ink::cyan,
              sanitize_line(notice.text));
  }
}

std::string settings_text(const RunHeader& header) {
  std::string text = "order " + sanitize_line(header.order_spec);
  if (header.seed && header.order_spec != fmt::format("random:{}", *header.seed)) {
    text += fmt::format(", seed {}", *header.seed);
  }
  text += fmt::format(", isolation {}", to_string(header.used));
  if (header.used != header.requested && header.requested != Isolation::automatic) {
    text += fmt::format(" instead of {}", to_string(header.requested));
  }
  if (header.control == Control::flags) text += ", driven by the framework's own flags";
  text += ", " + count_of(unsigned_of(header.jobs), "worker");
  return text + (header.private_fs ? ", private files" : ", shared files");
}

/// Under snapshots: which tests cost a fork after all.
void add_fall_backs(Lines& lines, const RunFacts& facts) {
  std::map<FallBack, int> reasons;
  int total = 0;
  for (const OrderRun& order : facts.orders) {
    for (const TestRun& run : order.runs) {
      if (run.fall_back == FallBack::none || run.fall_back == FallBack::not_worth_it) continue;
      ++reasons[run.fall_back];
      ++total;
    }
  }
  if (total == 0) return;
  std::string text;
  for (const auto& [reason, times] : reasons) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", unsigned_of(times), to_string(reason));
  }
  lines.add("Forks", Ink::bold,
            fmt::format("{} could not be undone and cost a fork: {}",
                        count_of(unsigned_of(total), "test"), text));
}

void add_identity(Lines& lines, const RunFacts& facts) {
  add_fall_backs(lines, facts);
  std::string settings = settings_text(facts.header);
  if (facts.id) {
    lines.add("Run", Ink::bold, fmt::format("{}: {}", to_string(*facts.id), settings));
    lines.add("Replay", Ink::bold,
              "gordian replay " + to_string(*facts.id) +
                  (facts.db.empty() ? "" : " --db " + shell_word(facts.db)));
  } else {
    lines.add("Run", Ink::bold, "not stored: " + settings);
    std::string command = sanitize_line(facts.header.command);
    if (!command.empty()) lines.add("Again", Ink::bold, command);
  }
}

/// The first test that ended a shared process with others still to come or failing after it.
const TestRun* process_ender(const RunFacts& facts) {
  if (facts.header.used != Isolation::none) return nullptr;
  for (const OrderRun& order : facts.orders) {
    const TestRun* ender = nullptr;
    for (const TestRun& run : order.runs) {
      bool harmed = run.outcome.kind == OutcomeKind::not_run || is_failure(run.outcome.kind);
      if (ender != nullptr && harmed) return ender;
      if (ender == nullptr && ends_process(run.outcome.kind)) ender = &run;
    }
  }
  return nullptr;
}

/// Tests that shared a process may have failed because of each other. Who replays knows more
/// already.
void add_next(Lines& lines, const RunFacts& facts) {
  const bool shared = facts.header.used == Isolation::none && facts.suite.size() > 1;
  if (!shared || facts.header.order_spec == "stored" || count_outcomes(facts).failures() == 0)
    return;
  lines.add("Next", Ink::cyan,
            "gordian detect " + sanitize_line(shell_word(facts.header.target.binary.string())) +
                " finds out whether the tests before are to blame");
}

void add_hints(Lines& lines, const RunFacts& facts) {
  const TestRun* ender = process_ender(facts);
  if (ender == nullptr) {
    add_next(lines, facts);
    return;
  }
  const Target& target = facts.header.target;
  std::string command = "gordian run --isolate fork " + shell_word(target.binary.string());
  if (!target.args.empty()) command += " --";
  for (const std::string& arg : target.args) command += " " + shell_word(arg);
  lines.add("Hint", Ink::cyan,
            printable_name(facts.suite.test(ender->test)) +
                " ended the process that the tests after it shared; alone, each test runs with:");
  lines.add("", Ink::plain, sanitize_line(command));
}

void add_counts(OutcomeCounts& sum, const OutcomeCounts& more) {
  using C = OutcomeCounts;
  for (auto part :
       {&C::pass, &C::fail, &C::skip, &C::crash, &C::timeout, &C::exit, &C::not_run, &C::lost}) {
    sum.*part += more.*part;
  }
}

using Results = std::vector<std::pair<Outcome, int>>;

void add_result(Results& results, const Outcome& outcome) {
  auto same = std::find_if(results.begin(), results.end(), [&outcome](const auto& seen) {
    return same_result(seen.first, outcome);
  });
  if (same == results.end()) {
    results.emplace_back(outcome, 1);
  } else {
    ++same->second;
  }
}

}  // namespace

std::string runs_total(std::span<const RunFacts> runs, const Style& style,
                       std::chrono::nanoseconds slow) {
  OutcomeCounts all;
  std::chrono::nanoseconds wall{0};
  int slow_ones = 0;
  Lines failed(style);
  for (const RunFacts& facts : runs) {
    const OutcomeCounts counts = count_outcomes(facts);
    add_counts(all, counts);
    slow_ones += count_slow(facts, slow);
    wall += facts.wall;
    if (counts.failures() == 0 && counts.not_run == 0) continue;
    StyledLine line;
    line.add(sanitize_line(facts.header.target.binary.string()) + ": ");
    line.add(counts_line(counts, CountDetail::with_kinds));
    if (counts.not_run > 0) line.add(", " + thousands(unsigned_of(counts.not_run)) + " not run");
    failed.add("in", Ink::red, line);
  }
  Lines lines(style);
  lines.add_rule();
  StyledLine line;
  line.add(fmt::format("[{}] {} of {}: ", column_duration(wall),
                       count_of(unsigned_of(all.total() - all.not_run), "test"),
                       count_of(runs.size(), "binary", "binaries")));
  lines.add("Total", all.failures() + all.not_run == 0 ? Ink::green : Ink::red,
            line.add(counts_line(all, CountDetail::with_kinds, slow_ones)));
  return lines.take() + failed.take();
}

std::string run_summary(const RunFacts& facts, const Style& style, std::chrono::nanoseconds slow) {
  Lines lines(style);
  lines.add_rule();
  add_totals(lines, facts, slow);
  add_repeats(lines, facts);
  add_failures(lines, facts, style);
  add_changed(lines, facts);
  add_notices(lines, facts);
  add_identity(lines, facts);
  add_hints(lines, facts);
  return lines.take();
}

OutcomeCounts count_outcomes(const OrderRun& order) {
  OutcomeCounts counts;
  for (const TestRun& run : order.runs) add_outcome(counts, run.outcome.kind);
  return counts;
}

std::vector<ChangedTest> tests_that_changed(const RunFacts& facts) {
  std::map<std::pair<TestId, int>, Results> seen;  // (test, which of its places in the order)
  for (const OrderRun& order : facts.orders) {
    std::map<TestId, int> places;
    for (const TestRun& run : order.runs) {
      int place = places[run.test]++;
      if (is_known(run.outcome)) add_result(seen[{run.test, place}], run.outcome);
    }
  }
  std::vector<ChangedTest> changed;
  for (auto& [key, results] : seen) {
    if (results.size() > 1) changed.push_back({key.first, std::move(results)});
  }
  return changed;
}

}  // namespace gordian
