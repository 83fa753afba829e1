// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/detect_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "report/flow_report.h"
#include "report/terminal_style.h"
#include "report/text.h"

namespace gordian {
namespace {

/// How many tests the search was about.
std::uint64_t tests_searched(const DetectFacts& facts) {
  std::set<TestId> searched;
  for (TestId id : facts.suite.default_order()) searched.insert(id);
  for (const LeftOutTest& out : facts.left_out) searched.erase(out.test);
  return searched.size();
}

/// Complete for pairs at least, or for all there is.
bool is_complete(const DetectFacts& facts) {
  int k = facts.search.complete_k;
  return k >= 2 || static_cast<std::uint64_t>(std::max(k, 0)) >= tests_searched(facts);
}

std::string number_word(int k) {
  constexpr std::array kWords = {"one", "two", "three", "four"};
  return k >= 1 && k <= 4 ? kWords[static_cast<std::size_t>(k - 1)] : std::to_string(k);
}

std::string pairs_text(const SearchFacts& search) {
  std::string total = thousands(search.pairs_total);
  if (search.pairs_covered >= search.pairs_total) {
    return fmt::format("all {} ordered pairs were run", total);
  }
  return fmt::format("{} of {} ordered pairs were run", thousands(search.pairs_covered), total);
}

std::string budget_phrase(const SearchFacts& search) {
  return search.budget.count() > 0 ? "the budget of " + budget_text(search.budget) : "the budget";
}

/// What holds for every order of up to k >= 2 tests.
std::string complete_text(const SearchFacts& search) {
  std::string k = number_word(search.complete_k);
  if (search.complete_k > 2) {
    return fmt::format("every order of up to {} tests was run or proved needless", k);
  }
  bool rest = search.pairs_covered < search.pairs_total;
  return pairs_text(search) + (rest ? ", and the others proved needless" : "");
}

/// What was done of the pairs, when not all of it.
std::string partial_text(const SearchFacts& search) {
  std::string alone = search.complete_k == 1 ? "each test was run alone" : "";
  if (search.pairs_total == 0) {
    return alone.empty() ? "not even each test was run alone" : alone;
  }
  return alone.empty() ? pairs_text(search) : alone + ", and " + pairs_text(search);
}

/// Why a search that nobody stopped ended early, and what to do.
std::string reason_text(const DetectFacts& facts) {
  const SearchFacts& search = facts.search;
  if (search.unseen_total > 0 && !search.out_of_budget && facts.end == RunEnd::finished) {
    return fmt::format("; {} left open, see above",
                       count_of(search.unseen_total, "order was", "orders were"));
  }
  if (search.out_of_budget || facts.end == RunEnd::timed_out) {
    return fmt::format(" before {} ended; raise --budget or name an algorithm",
                       budget_phrase(search));
  }
  if (facts.end != RunEnd::finished) return " before the search broke off";
  return fmt::format("; the algorithm {} does not try them all", sanitize_line(search.algorithm));
}

/// Complete for k tests, yet something longer was cut short.
std::string cut_short_text(const DetectFacts& facts) {
  if (facts.end == RunEnd::interrupted) return "";
  if (facts.search.out_of_budget || facts.end == RunEnd::timed_out) {
    return fmt::format("; {} ended the search for more", budget_phrase(facts.search));
  }
  return facts.end == RunEnd::finished ? "" : "; the search for more broke off";
}

std::string roles_text(const std::vector<Dependence>& dependences) {
  std::string text;
  for (Role role : {Role::victim, Role::brittle, Role::self_dependent}) {
    auto n = std::count_if(dependences.begin(), dependences.end(),
                           [role](const Dependence& d) { return d.role == role; });
    if (n == 0) continue;
    auto count = static_cast<std::uint64_t>(n);
    // "brittle" and "self-dependent" have no plural.
    std::string_view plural = role == Role::victim ? "victims" : role_word(role);
    text += (text.empty() ? "" : ", ") + count_of(count, role_word(role), plural);
  }
  return text;
}

std::string found_text(const DetectFacts& facts) {
  std::set<TestId> tests;
  for (const Dependence& d : facts.dependences) tests.insert(d.test);
  std::string among = " among " + thousands(tests_searched(facts));
  if (tests.empty()) return "No dependent test found" + among;
  std::string text = count_of(tests.size(), "dependent test");
  if (tests.size() != facts.dependences.size()) {
    text += " in " + count_of(facts.dependences.size(), "dependence");
  }
  return fmt::format("{} ({}){}", text, roles_text(facts.dependences), among);
}

std::string search_settings_text(const DetectFacts& facts) {
  std::string apart = "orders apart by " + std::string(to_string(facts.isolation));
  if (facts.isolation == Isolation::none) apart = "orders not isolated";
  return fmt::format(
      "Explored (algorithm {}, seed {}, {}, {} files):", sanitize_line(facts.search.algorithm),
      facts.search.seed, apart, facts.private_fs ? "private" : "shared");
}

/// The end of a long order is what matters.
std::string unseen_order_words(const Suite& suite, const Order& order) {
  constexpr std::size_t kMost = 4;
  std::string text;
  const std::size_t from = order.size() > kMost ? order.size() - kMost : 0;
  if (from > 0) text = count_of(from, "test") + ", then ";
  for (std::size_t i = from; i < order.size(); ++i) {
    text += (i > from ? ", " : "") + sanitize_line(suite.test(order[i]).full_name());
  }
  return text;
}

std::vector<std::string> phase_cells(const SearchPhase& phase) {
  std::string remark = phase.found > 0 ? fmt::format("found {}", phase.found) : "found none";
  if (phase.lost > 0) remark += fmt::format(", {} lost", thousands(phase.lost));
  if (!phase.finished) remark += ", not finished";
  return {std::string(to_string(phase.kind)), count_of(phase.orders, "order"),
          count_of(phase.tests_run, "test") + " run", human_duration(phase.wall), remark};
}

std::string phases_table(const std::vector<std::vector<std::string>>& rows, const Style& style) {
  const int most = style.width == 0 ? 0 : std::max(style.width - 1, 1);
  const std::string text = columns(rows, 4);
  std::string out;
  for (std::string_view line : split_lines(text)) {
    out += StyledLine().add(line).render(style, most) + "\n";
  }
  return out;
}

/// Each order whose result nobody has seen, and why; the first ones.
std::string unseen_text(const DetectFacts& facts, const Style& style) {
  constexpr std::size_t kMost = 5;
  const SearchFacts& search = facts.search;
  if (search.unseen_total == 0) return {};
  std::string out = FlowLine(0, 2)
                        .sentence(fmt::format("Left open: {} without a result that counts.",
                                              count_of(search.unseen_total, "order")),
                                  Ink::yellow)
                        .render(style);
  const std::size_t shown = std::min(kMost, search.unseen.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const UnseenOrder& unseen = search.unseen[i];
    out += FlowLine(2, 4)
               .sentence(fmt::format("{}: {}", unseen_order_words(facts.suite, unseen.order),
                                     sanitize_line(unseen.why)))
               .render(style);
  }
  if (search.unseen_total > shown) {
    out += fmt::format("  and {} more (--json names {} of them)\n",
                       thousands(search.unseen_total - shown), thousands(search.unseen.size()));
  }
  return out;
}

/// No result but those of the default order, if even those.
std::string nothing_searched_sentence(const DetectFacts& facts) {
  if (facts.search.out_of_budget) {
    return fmt::format(
        "Nothing was searched: the default order alone took {}; raise --budget.",
        facts.search.budget.count() > 0 ? "all of " + budget_phrase(facts.search) : "all the time");
  }
  return "Nothing was searched: no test gave a result in the default order.";
}

}  // namespace

std::string completeness_sentence(const DetectFacts& facts) {
  const SearchFacts& search = facts.search;
  bool stopped = facts.end == RunEnd::interrupted;
  if (search.nothing_searched && !stopped) return nothing_searched_sentence(facts);
  if (tests_searched(facts) == 0) return "There was no test to search.";
  if (is_complete(facts) && search.complete_k < 2) {
    return "Complete: the only test was run alone.";
  }
  if (search.complete_k >= 2) {
    return fmt::format(
        "{} for {} tests: {}{}.", stopped ? "Stopped by you, but complete" : "Complete",
        number_word(search.complete_k), complete_text(search), cut_short_text(facts));
  }
  if (stopped) return fmt::format("Stopped by you: {}.", partial_text(search));
  return fmt::format("{}: {}{}.",
                     search.complete_k == 1 ? "Complete for one test only" : "Not complete",
                     partial_text(search), reason_text(facts));
}

std::string resumed_sentence(const DetectFacts& facts) {
  if (!facts.search.resumed) return {};
  const ResumedFrom& from = *facts.search.resumed;
  const std::string when = ago(from.age);
  const std::string pairs = fmt::format("{} of {} pairs", thousands(from.pairs_covered),
                                        thousands(facts.search.pairs_total));
  if (from.kind == ResumedFrom::Kind::finished) {
    std::string known = count_of(from.known, "known dependence");
    return fmt::format(
        "The search of {} was finished; {}. --full repeats all of it.", when,
        from.known == 0
            ? "nothing was left to run"
            : "only its " + known + (from.known == 1 ? " was" : " were") + " checked again");
  }
  if (from.kind == ResumedFrom::Kind::rebuilt) {
    return fmt::format(
        "The binary was rebuilt since the search of {}: {} new or changed, {} were covered "
        "already. --full searches all of them.",
        when, count_of(from.changed_tests, "test") + (from.changed_tests == 1 ? " is" : " are"),
        pairs);
  }
  std::string text = fmt::format("Continues the search of {}: {} were covered.", when, pairs);
  if (from.changed_tests == 0) return text;
  return text + fmt::format(" The known dependence of {} did not come back: searched afresh.",
                            count_of(from.changed_tests, "test"));
}

std::string verdict_sentence(const DetectFacts& facts) {
  if (facts.search.nothing_searched && facts.dependences.empty()) {
    return "Nothing is known about the order dependence of these tests: nothing was searched.";
  }
  std::string text = found_text(facts);
  bool none = facts.dependences.empty();
  if (!is_complete(facts)) {
    text += none ? ", but the search was not complete"
                 : "; the search was not complete, there may be more";
  }
  if (!facts.nondeterministic.empty()) {
    text += fmt::format("; {} not counted",
                        count_of(facts.nondeterministic.size(), "non-deterministic test"));
  }
  return text + ".";
}

std::string explored_text(const DetectFacts& facts, const Style& style) {
  const SearchFacts& search = facts.search;
  std::vector<std::vector<std::string>> rows;
  for (const SearchPhase& phase : search.phases) rows.push_back(phase_cells(phase));
  if (rows.size() != 1 || search.orders != search.phases[0].orders) {
    rows.push_back({"in all", count_of(search.orders, "order"),
                    count_of(search.tests_run, "test") + " run", human_duration(search.wall), ""});
  }
  std::string out = FlowLine(0, 2).sentence(search_settings_text(facts)).render(style) +
                    phases_table(rows, style);
  if (search.resumed) out += FlowLine(0, 2).sentence(resumed_sentence(facts)).render(style);
  for (const FlowFacts& flow : facts.flows) out += flow_statistics(flow, style);
  if (search.pruning)
    out += FlowLine(0, 2).sentence(pruning_sentence(*search.pruning)).render(style);
  out += unseen_text(facts, style);
  Ink ink = is_complete(facts) && !search.nothing_searched ? Ink::plain : Ink::yellow;
  return out + FlowLine(0, 2).sentence(completeness_sentence(facts), ink).render(style);
}

}  // namespace gordian
