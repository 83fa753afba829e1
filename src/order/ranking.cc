// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "order/ranking.h"

#include <algorithm>
#include <cctype>
#include <queue>
#include <string>

#include "base/check.h"
#include "base/random.h"

namespace gordian {
namespace {

/// Where a test stands among equals, by test.
std::vector<std::uint32_t> tie_breaks(const Order& tests, std::size_t all, std::uint64_t seed) {
  Order shuffled = tests;
  Random(seed).shuffle(shuffled);
  std::vector<std::uint32_t> place(all, 0);
  for (std::size_t i = 0; i < shuffled.size(); ++i) {
    place[shuffled[i].value()] = static_cast<std::uint32_t>(i);
  }
  return place;
}

class ListedRanking : public Ranking {
 public:
  explicit ListedRanking(Order tests) : tests_(std::move(tests)) {
    for (TestId test : tests_) {
      if (gone_.size() <= test.value()) gone_.resize(test.value() + 1);
    }
  }

  std::optional<TestId> best() override {
    while (next_ < tests_.size() && gone_[tests_[next_].value()] != Gone::no) ++next_;
    if (next_ == tests_.size()) return std::nullopt;
    return tests_[next_];
  }
  void take(TestId test) override {
    if (test.value() < gone_.size()) gone_[test.value()] = Gone::taken;
  }
  void set_aside(TestId test) override { gone_[test.value()] = Gone::aside; }
  void bring_back() override {
    std::replace(gone_.begin(), gone_.end(), Gone::aside, Gone::no);
    next_ = 0;
  }

 private:
  enum class Gone : std::uint8_t { no, aside, taken };
  Order tests_;
  std::vector<Gone> gone_;
  std::size_t next_ = 0;
};

class AdditionalRanking : public Ranking {
 public:
  AdditionalRanking(const CoverTable& table, const Order& tests, std::uint64_t seed)
      : table_(table),
        everything_(table.units.size()),
        covered_(table.units.size()),
        ties_(tie_breaks(tests, table.tests.size(), seed)),
        remaining_(tests),
        gone_(table.tests.size(), true),
        counts_(table.tests.size()) {
    for (TestId test : tests) {
      gone_[test.value()] = false;
      counts_[test.value()] = of(test).count();
      everything_.merge(of(test));
    }
    refill();
  }

  std::optional<TestId> best() override {
    while (!heap_.empty()) {
      if (all_covered_) {
        start_again();
        continue;
      }
      Entry top = heap_.top();
      if (gone_[top.test.value()]) {
        heap_.pop();
        continue;
      }
      const std::size_t gain = of(top.test).count_outside(covered_);
      if (gain == top.gain && (gain > 0 || nothing_covered_)) return top.test;
      if (gain == 0 && top.gain == 0) {  // and so it is for all below it
        start_again();
        continue;
      }
      heap_.pop();
      heap_.push({gain, top.tie, top.test});
    }
    return std::nullopt;
  }

  void take(TestId test) override {
    if (test.value() >= gone_.size()) return;
    gone_[test.value()] = true;
    std::erase(aside_, test);
    if (of(test).count() == 0) return;
    covered_.merge(of(test));
    nothing_covered_ = false;
    all_covered_ = everything_.count_outside(covered_) == 0;
  }
  void set_aside(TestId test) override {
    gone_[test.value()] = true;
    aside_.push_back(test);
  }
  void bring_back() override {
    for (TestId test : aside_) gone_[test.value()] = false;
    aside_.clear();
    refill();
  }

 private:
  struct Entry {
    std::size_t gain;  ///< no less than what it adds now
    std::uint32_t tie;
    TestId test;
    bool operator<(const Entry& other) const {
      return gain != other.gain ? gain < other.gain : tie > other.tie;
    }
  };

  const CoverSet& of(TestId test) const { return table_.tests[test.value()]; }

  void start_again() {
    covered_ = CoverSet(covered_.size());
    nothing_covered_ = true;
    all_covered_ = false;
    refill();
  }
  /// With what each test covers by itself: no gain is ever larger.
  void refill() {
    std::erase_if(remaining_, [this](TestId test) {
      return gone_[test.value()] && std::find(aside_.begin(), aside_.end(), test) == aside_.end();
    });
    std::vector<Entry> entries;
    for (TestId test : remaining_) {
      if (!gone_[test.value()]) {
        entries.push_back({counts_[test.value()], ties_[test.value()], test});
      }
    }
    heap_ = std::priority_queue<Entry>(std::less<Entry>(), std::move(entries));
  }

  const CoverTable& table_;
  CoverSet everything_, covered_;
  bool nothing_covered_ = true, all_covered_ = false;
  std::vector<std::uint32_t> ties_;
  Order remaining_, aside_;
  std::vector<bool> gone_;
  std::vector<std::size_t> counts_;
  std::priority_queue<Entry> heap_;
};

struct TechniqueRow {
  Technique technique;
  std::string_view name, description;
  CoverTable Coverage::*table;  ///< nullptr: it looks at none
};
constexpr std::array kTechniqueRows = {
    TechniqueRow{Technique::random, "T1", "random", nullptr},
    TechniqueRow{Technique::total_statements, "T3", "total statement coverage",
                 &Coverage::statements},
    TechniqueRow{Technique::additional_statements, "T4", "additional statement coverage",
                 &Coverage::statements},
    TechniqueRow{Technique::total_functions, "T5", "total function coverage", &Coverage::functions},
    TechniqueRow{Technique::additional_functions, "T7", "additional function coverage",
                 &Coverage::functions},
};

const TechniqueRow& technique_row(Technique technique) {
  return *std::find_if(kTechniqueRows.begin(), kTechniqueRows.end(),
                       [technique](const TechniqueRow& row) { return row.technique == technique; });
}

}  // namespace

std::unique_ptr<Ranking> rank_as_listed(Order tests) {
  return std::make_unique<ListedRanking>(std::move(tests));
}

std::unique_ptr<Ranking> rank_total(const CoverTable& table, const Order& tests,
                                    std::uint64_t seed) {
  const std::vector<std::uint32_t> ties = tie_breaks(tests, table.tests.size(), seed);
  std::vector<std::size_t> counts(table.tests.size());
  for (TestId test : tests) counts[test.value()] = table.tests[test.value()].count();
  Order sorted = tests;
  std::sort(sorted.begin(), sorted.end(), [&](TestId a, TestId b) {
    const std::size_t left = counts[a.value()], right = counts[b.value()];
    return left != right ? left > right : ties[a.value()] < ties[b.value()];
  });
  return rank_as_listed(std::move(sorted));
}

std::unique_ptr<Ranking> rank_additional(const CoverTable& table, const Order& tests,
                                         std::uint64_t seed) {
  return std::make_unique<AdditionalRanking>(table, tests, seed);
}

std::unique_ptr<Ranking> rank_by(Technique technique, const Coverage* coverage, const Order& tests,
                                 std::uint64_t seed) {
  if (technique == Technique::random) {
    Order shuffled = tests;
    Random(seed).shuffle(shuffled);
    return rank_as_listed(std::move(shuffled));
  }
  GORDIAN_CHECK(coverage != nullptr);
  const CoverTable& table = *table_of(technique, *coverage);
  const bool total =
      technique == Technique::total_statements || technique == Technique::total_functions;
  return total ? rank_total(table, tests, seed) : rank_additional(table, tests, seed);
}

Order prioritize(Ranking& ranking) {
  Order order;
  while (auto test = ranking.best()) {
    ranking.take(*test);
    order.push_back(*test);
  }
  return order;
}

Order prioritize(Technique technique, const Coverage* coverage, const Order& tests,
                 std::uint64_t seed) {
  return prioritize(*rank_by(technique, coverage, tests, seed));
}

std::string_view name_of(Technique technique) {
  return technique_row(technique).name;
}

std::string_view describe(Technique technique) {
  return technique_row(technique).description;
}

std::optional<Technique> parse_technique(std::string_view word) {
  std::string upper(word);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (Technique technique : kTechniques) {
    if (upper == name_of(technique)) return technique;
  }
  return std::nullopt;
}

bool needs_coverage(Technique technique) {
  return technique != Technique::random;
}

const CoverTable* table_of(Technique technique, const Coverage& coverage) {
  const auto table = technique_row(technique).table;
  return table == nullptr ? nullptr : &(coverage.*table);
}

GrowthCurve growth_curve(const CoverTable& table, const Order& order) {
  GrowthCurve curve;
  curve.units = table.units.size();
  CoverSet covered(table.units.size());
  std::size_t count = 0, twice_the_area = 0;
  for (TestId test : order) {
    const std::size_t before = count;
    count += table.tests[test.value()].count_outside(covered);
    covered.merge(table.tests[test.value()]);
    twice_the_area += before + count;
    curve.covered.push_back(count);
  }
  if (count > 0) {
    curve.rate = static_cast<double>(twice_the_area) /
                 (2.0 * static_cast<double>(count) * static_cast<double>(order.size()));
  }
  return curve;
}

}  // namespace gordian
