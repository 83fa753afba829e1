// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/word_watcher.h"

#include <algorithm>

#include "model/stack.h"

namespace gordian {
namespace {

constexpr int kMostIdleHits = 1000;  // of the agent, or of writes that leave the question open
constexpr std::uint64_t kMostWrites = 64;

bool reads(const TraceEvent& event) {
  return !event.decoded || event.kind != TraceKind::write;
}
bool writes(const TraceEvent& event) {
  return event.kind != TraceKind::read;
}

}  // namespace

WordWatcher::WordWatcher(Tracer& tracer, const PassRequest& request, std::size_t position,
                         PositionReads& result)
    : tracer_(tracer), request_(request), result_(result) {
  for (const WordWatch& word : request.words) {
    if (position < word.from || position >= word.to) continue;
    const bool writer = request.sites &&
                        std::any_of(word.states.begin(), word.states.end(), [&](std::size_t state) {
                          return request.is_writer(position, state);
                        });
    words_.push_back({&word, word.watch.reads, writer, 0, 0, {}});
  }
}

Status WordWatcher::arm() {
  std::vector<Watch> watches;
  std::vector<std::size_t> armed;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (!words_[i].reads_wanted && !words_[i].writes_wanted) continue;
    watches.push_back(words_[i].word->watch);
    watches.back().reads = words_[i].reads_wanted;
    armed.push_back(i);
  }
  armed_ = std::move(armed);
  return tracer_.watch_memory(watches, request_.kernel);
}

bool WordWatcher::is_agents(const TraceEvent& event, std::vector<StackFrame>& stack) {
  auto addresses = tracer_.addresses(event.tid);
  if (!addresses) return false;  // killed just now: its end comes next
  stack = request_.stacks->describe(tracer_, *addresses);
  return gordian::is_agents(stack);
}

void WordWatcher::give_up_if_idle(Word& word) {
  if (++word.hits < kMostIdleHits) return;
  word.reads_wanted = false;
  if (!request_.cautious) return;
  for (std::size_t state : word.word->states) result_.reads.try_emplace(state);
}

void WordWatcher::on_read(Word& word, const TraceEvent& event) {
  std::vector<StackFrame> stack;
  const bool agents = is_agents(event, stack);
  const bool libc = !stack.empty() && stack.front().module.starts_with("libc.so");
  if (agents || (libc && word.word->outside_libc)) {
    return give_up_if_idle(word);
  }
  word.reads_wanted = false;
  for (std::size_t state : word.word->states) {
    auto [read, fresh] = result_.reads.try_emplace(state);
    if (fresh && request_.sites) read->second = site_of(stack);
  }
}

void WordWatcher::on_write(Word& word, const TraceEvent& event) {
  if (word.word->settles) word.reads_wanted = false;
  if (word.reads_wanted) give_up_if_idle(word);
  if (!word.writes_wanted) return;
  if (auto addresses = tracer_.addresses(event.tid)) word.last_write = std::move(*addresses);
  if (++word.writes == kMostWrites) word.writes_wanted = false;
}

Status WordWatcher::on_event(const TraceEvent& event) {
  if (event.watch >= armed_.size()) return {};
  Word& word = words_[armed_[event.watch]];
  const bool reads_before = word.reads_wanted, writes_before = word.writes_wanted;
  if (word.reads_wanted && reads(event)) on_read(word, event);
  if (writes(event)) on_write(word, event);
  const bool other = word.reads_wanted != reads_before || word.writes_wanted != writes_before;
  return other ? arm() : Status{};
}

void WordWatcher::finish() {
  for (Word& word : words_) {
    if (word.last_write.empty()) continue;
    std::vector<StackFrame> stack = request_.stacks->describe(tracer_, word.last_write);
    if (gordian::is_agents(stack)) continue;
    Site site = site_of(std::move(stack), word.writes);
    site.times_capped = word.writes >= kMostWrites;
    for (std::size_t state : word.word->states) result_.writes.try_emplace(state, site);
  }
}

}  // namespace gordian
