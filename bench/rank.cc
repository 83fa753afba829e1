// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What prioritising and reducing cost by themselves, without a run: generated coverage from 500
// tests x 50,000 lines to 10,000 x 50,000. Tests cover runs of lines in a few files and some lines
// that nearly all of them share, as real ones do. Prints JSON, one line for each size; processor
// time, the best of several rounds.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>

#include "base/random.h"
#include "order/constraints.h"
#include "order/ranking.h"

namespace gordian {
namespace {

constexpr std::size_t kFile = 500;  ///< lines

/// Some lines of all, and runs of one to fifty lines in some three of the files.
CoverSet random_test(std::size_t lines, Random& random) {
  CoverSet set(lines);
  for (std::size_t line = 0; line < lines / 20; ++line) {
    if (random.below(10) != 0) set.add(line);
  }
  for (std::size_t file = 1 + random.below(5); file > 0; --file) {
    const std::size_t first = random.below(std::max<std::size_t>(lines / kFile, 1)) * kFile;
    for (std::size_t run = 1 + random.below(12); run > 0; --run) {
      const std::size_t begin = first + random.below(kFile);
      const std::size_t end = std::min(begin + 1 + random.below(50), lines);
      for (std::size_t line = begin; line < end; ++line) set.add(line);
    }
  }
  return set;
}

CoverTable random_coverage(std::size_t tests, std::size_t lines) {
  Random random(1);
  CoverTable table;
  table.units.resize(lines);
  for (std::size_t t = 0; t < tests; ++t) table.tests.push_back(random_test(lines, random));
  return table;
}

Order all_tests(std::size_t count) {
  Order order;
  for (std::uint32_t t = 0; t < count; ++t) order.push_back(TestId{t});
  return order;
}

/// One victim and one brittle test in a hundred.
Constraints some_constraints(std::size_t tests) {
  std::vector<Constraint> list;
  for (std::uint32_t t = 0; t + 60 < tests; t += 100) {
    list.push_back(
        {TestId{t + 50}, Constraint::Kind::avoids, {{{TestId{t}}, {}}}, DependenceId{1}});
    list.push_back(
        {TestId{t + 60}, Constraint::Kind::needs, {{{TestId{t + 1}}, {}}}, DependenceId{2}});
  }
  return Constraints(tests, std::move(list));
}

double seconds_of(int rounds, const std::function<void()>& work) {
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const std::clock_t begin = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return best;
}

void measure(std::size_t tests, std::size_t lines, int rounds) {
  const CoverTable table = random_coverage(tests, lines);
  const Order all = all_tests(tests);
  const Constraints constraints = some_constraints(tests);
  Order order;
  const double total = seconds_of(rounds, [&] { order = prioritize(*rank_total(table, all, 1)); });
  const double additional =
      seconds_of(rounds, [&] { order = prioritize(*rank_additional(table, all, 1)); });
  GrowthCurve curve;
  const double drawing = seconds_of(rounds, [&] { curve = growth_curve(table, order); });
  const double aware = seconds_of(rounds, [&] {
    auto ranking = rank_additional(table, all, 1);
    make_schedule({constraints, all, {}}, *ranking);
  });
  Order kept;
  const double reducing = seconds_of(rounds, [&] { kept = reduce_suite(table, all); });
  std::puts(fmt::format("{{\"tests\": {}, \"lines\": {}, \"covered\": {}, \"total\": {:.4f}, "
                        "\"additional\": {:.4f}, \"curve\": {:.4f}, \"aware\": {:.4f}, "
                        "\"reduce\": {:.4f}, \"kept\": {}, \"rate\": {:.4f}, \"rounds\": {}}}",
                        tests, lines, curve.total(), total, additional, drawing, aware, reducing,
                        kept.size(), curve.rate, rounds)
                .c_str());
  std::fflush(stdout);
}

}  // namespace
}  // namespace gordian

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::string(argv[1]) == "--quick";
  if (quick) {
    gordian::measure(500, 5'000, 1);
    return 0;
  }
  for (std::size_t tests : {500u, 1'000u, 2'000u, 5'000u, 10'000u}) {
    gordian::measure(tests, 50'000, 3);
  }
  for (std::size_t lines : {5'000u, 20'000u, 100'000u}) gordian::measure(5'000, lines, 3);
}
