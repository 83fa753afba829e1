// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/find_sites.h"

#include <algorithm>
#include <optional>

#include "explain/call_sites.h"
#include "explain/sites.h"
#include "runtime/native/tracer.h"

namespace gordian {
namespace {

using Clock = Tracer::Clock;

/// The first bytes of the ranges, in the pieces that the processor can watch.
std::vector<Watch> watches_for(const std::vector<ByteRange>& ranges, bool reads) {
  std::vector<Watch> watches;
  for (const ByteRange& range : ranges) {
    for (std::uint64_t at = range.begin; at < range.end();) {
      if (watches.size() == kMaxWatches) return watches;
      std::uint8_t size = 8;
      while (at % size != 0 || at + size > range.end()) size /= 2;
      watches.push_back({at, size, reads});
      at += size;
    }
  }
  return watches;
}

/// GoogleTest's class for a test, as it stands in a stack.
bool mentions(const std::vector<StackFrame>& stack, const Test& test) {
  const std::string body = test.suite + "_" + test.name + "_Test::";
  return std::any_of(stack.begin(), stack.end(), [&](const StackFrame& frame) {
    return frame.function.find(body) != std::string::npos;
  });
}

class SiteFinder {
 public:
  SiteFinder(WitnessLab& lab, ProgramMemory& program, const Candidate& candidate,
             std::chrono::milliseconds patience)
      : lab_(lab), program_(program), candidate_(candidate), patience_(patience) {}

  Result<FoundSites> find(Moment moment) {
    if (!by_memory()) return look({}, moment);
    // What changed first says most; a container may be searched without a look at what has changed.
    FoundSites best;
    std::vector<std::vector<ByteRange>> places{{candidate_.words.front()}};
    if (candidate_.words.size() > 1) places.push_back(candidate_.words);
    if (candidate_.root.size > 0) places.push_back({candidate_.root});
    for (std::vector<ByteRange>& place : places) {
      auto found = look(std::move(place), moment);
      if (!found) return found;
      if (!best.write) best.write = std::move(found->write);
      if (!best.read) best.read = std::move(found->read);
      if (best.write && best.read) break;
    }
    return best;
  }

 private:
  Result<FoundSites> look(std::vector<ByteRange> words, Moment moment) {
    words_ = std::move(words);
    found_ = {};
    WitnessLab::Visits visits;
    visits.at_start = [this](HeldProcess& held) { at_start(held); };
    visits.at_end = [this](HeldProcess& held) { at_end(held); };
    auto outcome = lab_.run(visits, moment);
    tracer_.reset();
    if (!outcome) return outcome.error();
    if (error_) return *error_;
    name_tests();
    return std::move(found_);
  }

  void at_start(HeldProcess& held) {
    auto attached = Tracer::attach(held.pid());
    if (!attached) {
      error_ = attached.error();
      return;
    }
    tracer_.emplace(std::move(*attached));
    take(found_.write, by_memory()
                           ? last_write(*tracer_, watches_for(words_, false), search(held, true))
                           : last_call(*tracer_, writing(), search(held, true)));
    // The process waits at the end of the witness now, or is gone.
  }

  void at_end(HeldProcess& held) {
    if (!tracer_) return;
    take(found_.read, by_memory()
                          ? first_read(*tracer_, watches_for(words_, true), search(held, false))
                          : first_call(*tracer_, reading(), search(held, false)));
    if (!held.let_go_already()) held.let_go();
    tracer_.reset();
  }

  bool by_memory() const { return !candidate_.words.empty(); }

  SiteSearch search(HeldProcess& held, bool until_held) {
    SiteSearch search;
    search.release = [&held] { held.let_go(); };
    search.until = [&held, until_held] { return until_held && held.held_again(); };
    search.deadline = Clock::now() + patience_;
    search.max_hits = 20'000;
    return search;
  }

  CallSearch writing() {
    return calls(true, candidate_.events.writing_calls, candidate_.events.writers);
  }
  CallSearch reading() {
    return calls(false, candidate_.events.reading_calls, candidate_.events.readers);
  }
  CallSearch calls(bool writing, const std::vector<long>& numbers,
                   const std::vector<std::string>& functions) {
    CallSearch search{candidate_.carrier.key.kind(), writing, candidate_.events, numbers, {}};
    for (const std::string& name : functions) {
      if (auto address = program_.function_named(name)) search.functions.push_back(*address);
    }
    return search;
  }

  void take(std::optional<Site>& into, Result<std::optional<Site>> result) {
    if (result) {
      into = std::move(*result);
    } else if (!error_) {
      error_ = result.error();
    }
  }

  void name_tests() {
    const Dependence& dependence = lab_.dependence();
    if (found_.read) found_.read->test = lab_.name_of(dependence.test);
    if (!found_.write) return;
    TestId writer = dependence.by.back();
    for (TestId test : dependence.by) {
      if (mentions(found_.write->stack, lab_.suite().test(test))) writer = test;
    }
    found_.write->test = lab_.name_of(writer);
  }

  WitnessLab& lab_;
  ProgramMemory& program_;
  const Candidate& candidate_;
  std::chrono::milliseconds patience_;
  std::vector<ByteRange> words_;
  std::optional<Tracer> tracer_;
  FoundSites found_;
  std::optional<Error> error_;
};

}  // namespace

Result<FoundSites> find_sites(WitnessLab& lab, ProgramMemory& program, const Candidate& candidate,
                              Moment moment, std::chrono::milliseconds patience) {
  return SiteFinder(lab, program, candidate, patience).find(moment);
}

}  // namespace gordian
