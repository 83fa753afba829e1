// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "detect/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace gordian {
namespace {

/// What a killed search may lose. Storing takes some milliseconds.
constexpr auto kInterval = std::chrono::seconds(2);

class RememberingCollector : public FlowCollector {
 public:
  RememberingCollector(FlowMemory memory, OpenCollector open)
      : memory_(std::move(memory)), open_(std::move(open)) {}

  Result<DataFlow> in_order(const Order& order) override { return collect(order, false); }
  Result<DataFlow> alone(const Order& tests) override { return collect(tests, true); }

 private:
  Result<DataFlow> collect(const Order& order, bool alone) {
    const FlowKey key = memory_.key(order, alone);
    if (memory_.store != nullptr && !memory_.again) {
      auto stored = memory_.store->load(key, memory_.build, memory_.suite);
      if (stored && *stored) {
        DataFlow& flow = (*stored)->flow;
        if (!memory_.keep) flow.passes = 0, flow.seconds = 0;
        return std::move(flow);
      }
    }
    auto inner = open_();
    if (!inner) return inner.error();
    (*inner)->should_stop = should_stop;
    (*inner)->progress = progress;
    auto flow = alone ? (*inner)->alone(order) : (*inner)->in_order(order);
    if (flow && memory_.store != nullptr && memory_.keep) {
      (void)memory_.store->save(key, memory_.build, memory_.suite, *flow);
    }
    return flow;
  }

  FlowMemory memory_;
  OpenCollector open_;
};

constexpr std::string_view kDigits = "0123456789abcdef";

std::uint64_t digest_of(const DataFlow& flow) {
  std::uint64_t digest = 0xcbf29ce484222325;  // FNV-1a
  auto add = [&digest](std::uint64_t value) { digest = (digest ^ value) * 0x100000001b3; };
  for (TestId test : flow.order) add(test.value());
  for (const DataDependence& dependence : flow.dependences) {
    add(dependence.reader.value());
    add(dependence.writer.value());
  }
  return digest;
}

std::string to_digits(const std::vector<bool>& bits) {
  std::string digits((bits.size() + 3) / 4, '0');
  for (std::size_t i = 0; i < bits.size(); i += 4) {
    unsigned digit = 0;
    for (std::size_t j = i; j < std::min(i + 4, bits.size()); ++j) digit |= bits[j] << (j - i);
    digits[i / 4] = kDigits[digit];
  }
  return digits;
}

std::optional<std::vector<bool>> from_digits(std::string_view digits, std::size_t size) {
  if (digits.size() != (size + 3) / 4) return std::nullopt;
  std::vector<bool> bits(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t digit = kDigits.find(digits[i / 4]);
    if (digit == std::string_view::npos) return std::nullopt;
    bits[i] = (digit >> (i % 4) & 1) != 0;
  }
  return bits;
}

}  // namespace

TestRecord record_of(const Knowledge& knowledge, const Suite& suite, TestId test) {
  TestRecord record;
  record.name = suite.test(test).full_name();
  record.expected = knowledge.expected(test);
  record.alone = knowledge.alone(test);
  record.covered = knowledge.covered_behind(test);
  record.changed_by = knowledge.changed_by(test);
  return record;
}

void Journal::begin(SearchStore& store, const SearchSettings& settings,
                    const SearchRecord& record) {
  auto state = store.begin(settings, record);
  if (!state) return give_up(state.error().message);
  store_ = &store;
  state_ = *state;
  stored_ = std::chrono::steady_clock::now();
}

void Journal::go_on(SearchStore& store, SearchStateId state, const SearchRecord& record) {
  store_ = &store;
  state_ = state;
  left_at_ = record.phases;
  stored_ = std::chrono::steady_clock::now();
}

void Journal::give_up(std::string why) {
  trouble_ = std::move(why);
  state_.reset();
}

const PhaseRecord* Journal::left_at(const PhaseKey& phase) const {
  auto it = left_at_.find(phase);
  return it == left_at_.end() ? nullptr : &it->second;
}

void Journal::reached(const PhaseKey& phase, std::string mark, bool finished) {
  news_[phase] = {std::move(mark), finished};
  known_.insert(phase);
}

void Journal::take_back(const std::function<bool(const PhaseKey&)>& which) {
  for (const auto& [phase, mark] : left_at_) known_.insert(phase);
  for (const PhaseKey& phase : known_) {
    if (!which(phase)) continue;
    news_[phase] = {"", false};
    left_at_.erase(phase);
  }
}

void Journal::store_if_due(Knowledge& knowledge, const DetectFacts& facts) {
  if (std::chrono::steady_clock::now() - stored_ >= kInterval) store_now(knowledge, facts);
}

void Journal::store_now(Knowledge& knowledge, const DetectFacts& facts) {
  if (!state_) return;
  const auto begun = std::chrono::steady_clock::now();
  SearchUpdate update;
  update.seed = seed_;
  update.order_cost_ns = order_cost_.count();
  for (TestId test : knowledge.take_news()) {
    update.tests.emplace_back(test, record_of(knowledge, facts.suite, test));
  }
  update.phases = std::exchange(news_, {});
  update.dependences = facts.dependences;
  update.nondeterministic = facts.nondeterministic;
  auto stored = store_->update(*state_, update);
  if (!stored) return give_up(stored.error().message);
  if (!*stored) return give_up("another search of this binary has begun afresh meanwhile");
  stored_ = std::chrono::steady_clock::now();
  store_cost_ = stored_ - begun;
}

std::unique_ptr<FlowCollector> remembering_collector(FlowMemory memory, OpenCollector open) {
  return std::make_unique<RememberingCollector>(std::move(memory), std::move(open));
}

Result<std::optional<StoredFlow>> remembered(const FlowMemory& memory, const Order& order) {
  if (memory.store == nullptr || memory.again) return std::optional<StoredFlow>();
  return memory.store->load(memory.key(order, false), memory.build, memory.suite);
}

Status remember(const FlowMemory& memory, const FlowFacts& facts) {
  if (memory.store == nullptr) return {};
  return memory.store->save(memory.key(facts.flow.order, false), memory.build, memory.suite,
                            record_of(facts));
}

RefiningMark RefiningMark::of(const FlowFacts& facts, std::uint64_t other_writers) {
  RefiningMark mark{digest_of(facts.flow), facts.schedules, facts.tests_run, other_writers, {}};
  for (const TestedFlow& tested : facts.tested) {
    mark.harmless.push_back(tested.verdict == FlowVerdict::not_manifest);
  }
  return mark;
}

std::string RefiningMark::text() const {
  return fmt::format("{:x} {} {} {} {}", flow, schedules, tests_run, other_writers,
                     to_digits(harmless));
}

std::optional<RefiningMark> RefiningMark::parse(std::string_view text, const FlowFacts& facts) {
  RefiningMark mark;
  std::istringstream words{std::string(text)};
  std::string digits;
  words >> std::hex >> mark.flow >> std::dec >> mark.schedules >> mark.tests_run >>
      mark.other_writers;
  if (!words || mark.flow != digest_of(facts.flow)) return std::nullopt;
  words >> digits;
  auto harmless = from_digits(digits, facts.flow.dependences.size());
  if (!harmless) return std::nullopt;
  mark.harmless = std::move(*harmless);
  return mark;
}

}  // namespace gordian
