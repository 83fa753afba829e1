// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/traced/trace_session.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace gordian {
namespace {

namespace wire = gordian_wire;

template <class Access>
TracedBytes bytes_of(const Access& access) {
  TracedBytes bytes{access.address, access.size, access.block_pc, access.block_node, false, false};
  bytes.heap = (access.flags & wire::kTraceHeap) != 0;
  bytes.mapping = (access.flags & wire::kTraceMapping) != 0;
  return bytes;
}

/// Only where the process had it before its first test can it be looked up there.
template <class Access>
std::vector<TracedBytes> with_freshness(const std::vector<Access>& accesses, bool fresh) {
  std::vector<TracedBytes> found;
  for (const Access& access : accesses) {
    if (((access.flags & wire::kTraceFresh) != 0) == fresh) found.push_back(bytes_of(access));
  }
  return found;
}

std::string why_unsure(const TestRun& run) {
  switch (run.outcome.kind) {
    case OutcomeKind::not_run:
      return "it was not run: an earlier test ended the process";
    case OutcomeKind::crash:
      return "it crashed, and what it did was not written down";
    case OutcomeKind::timeout:
      return "it was ended after the time limit";
    case OutcomeKind::exit:
      return "it ended the process";
    case OutcomeKind::lost:
      return "its result was lost";
    default:
      break;
  }
  if (run.leaks.threads > 0) return "it left a thread running, which may go on in later tests";
  return {};
}

}  // namespace

TraceSession::TraceSession(Program program, const Suite& suite, bool alone)
    : program_(std::move(program)),
      suite_(suite),
      alone_(alone),
      naming_(program_.cache),
      builder_(FlowSource::trace, alone) {}

Status TraceSession::at_hold(HeldProcess& held) {
  return take_blocks(&held);
}

/// Again when a test has loaded a library.
Status TraceSession::load(HeldProcess& held) {
  if (naming_.loaded() && reader_->modules() == modules_) return {};
  modules_ = reader_->modules();
  traced_ = traced_ || modules_ > 0;
  return naming_.load(held, program_.executable);
}

/// `held`: null when there is no process to look at any more.
Status TraceSession::take_blocks(HeldProcess* held) {
  const pid_t pid = held != nullptr ? held->pid() : -1;
  if (!reader_ || (pid != -1 && pid != reading_)) {
    if (pid == -1) return {};
    auto reader =
        TraceReader::open(program_.directory / fmt::format("{}.trace", pid), program_.build_id);
    if (!reader) return reader.error();
    reader_.emplace(std::move(*reader));
    reading_ = pid;
    in_process_ = 0;
    if (Status loaded = load(*held); !loaded) return loaded;
  }
  for (;;) {
    auto test = reader_->next();
    if (!test) return test.error();
    if (!*test) return {};
    const TestId id(static_cast<std::uint32_t>((*test)->test));
    if (id.value() >= suite_.size()) {
      return target_error("the trace tells of a test that the program does not have",
                          "collect it again");
    }
    if (held != nullptr) {
      if (Status loaded = load(*held); !loaded) return loaded;
    }
    builder_.begin(id);
    tests_.push_back(id);
    ++in_process_;
    if ((*test)->lost) unsure_[tests_.size() - 1] = "it did more than could be recorded";
    alone_ ? take_alone(**test, pid, held != nullptr ? held->before() : -1)
           : take_in_order(**test, pid);
    take_variables(**test);
  }
}

void TraceSession::look(pid_t pid, std::span<const TracedBytes> bytes) {
  pid == -1 ? naming_.look_away() : naming_.look(pid, bytes, *reader_);
}

std::optional<StateId> TraceSession::state_of(const TracedBytes& bytes) {
  auto pieces = naming_.pieces(bytes, *reader_);
  if (pieces.empty() || !pieces.front().state) return std::nullopt;
  return builder_.state(std::move(*pieces.front().state));
}

Site TraceSession::site_of(std::size_t position, Site site) const {
  site.test = suite_.test(tests_[position]).full_name();
  return site;
}

void TraceSession::read_from(const wire::TraceRead& read, std::optional<StateId> state) {
  if (!state) return;
  const std::size_t writer = read.writer - 1;
  builder_.read_from(*state, writer,
                     site_of(writer, naming_.site(read.write_pc, read.write_node, *reader_)),
                     site_of(tests_.size() - 1, naming_.site(read.pc, read.node, *reader_)));
}

/// Reads first: they are of what was written before. A state has the name that it had when it was
/// written; only what was not known then gets one now.
void TraceSession::take_in_order(const TestTrace& test, pid_t pid) {
  std::vector<const wire::TraceRead*> unnamed;
  std::vector<TracedBytes> wanted;
  for (const wire::TraceRead& read : test.reads) {
    if (read.writer == 0) continue;
    const WriteMap::Write* write = writes_.find(read.address);
    if (write != nullptr && write->position + 1 == read.writer) {
      read_from(read, write->state);
    } else {
      unnamed.push_back(&read);
      wanted.push_back(bytes_of(read));
    }
  }
  for (const wire::TraceWrite& write : test.writes) wanted.push_back(bytes_of(write));
  look(pid, wanted);
  for (const wire::TraceRead* read : unnamed) read_from(*read, state_of(bytes_of(*read)));
  for (const wire::TraceWrite& write : test.writes) {
    for (auto& [range, state] : naming_.pieces(bytes_of(write), *reader_)) {
      std::optional<StateId> id;
      if (state) id = builder_.state(std::move(*state));
      writes_.assign(range.begin, range.end(), {tests_.size() - 1, id});
      if (id) builder_.wrote(*id);
    }
  }
}

/// What was there before the first test has the name it had then, the same for all tests; what came
/// into being since can only be looked for now.
void TraceSession::take_alone(const TestTrace& test, pid_t pid, pid_t before) {
  for (bool fresh : {false, true}) {
    const std::vector<TracedBytes> reads = with_freshness(test.reads, fresh);
    const std::vector<TracedBytes> writes = with_freshness(test.writes, fresh);
    std::vector<TracedBytes> wanted = reads;
    wanted.insert(wanted.end(), writes.begin(), writes.end());
    if (wanted.empty()) continue;
    look(fresh || before == -1 ? pid : before, wanted);
    for (const TracedBytes& bytes : reads) {
      if (auto state = state_of(bytes)) builder_.read(*state);
    }
    for (const TracedBytes& bytes : writes) {
      for (auto& [range, state] : naming_.pieces(bytes, *reader_)) {
        if (state) builder_.wrote(builder_.state(std::move(*state)));
      }
    }
  }
}

StateId TraceSession::variable_state(const std::string& name) {
  SharedState state;
  state.key = {CarrierKind::environment, NameKey{name}};
  return builder_.state(std::move(state));
}

/// Reads first, as above.
void TraceSession::take_variables(const TestTrace& test) {
  const std::size_t position = tests_.size() - 1;
  for (const TestTrace::Variable& variable : test.variables) {
    if ((variable.flags & wire::kTraceVariableRead) == 0) continue;
    const Site site =
        site_of(position, naming_.site(variable.read_pc, variable.read_node, *reader_));
    if (!variable.name.empty()) {
      const bool of_interest = alone_ || variables_.contains(variable.name);
      if (of_interest) builder_.read(variable_state(variable.name), site);
      continue;
    }
    read_environment_.push_back(position);
    for (const auto& [name, state] : variables_) builder_.read(state, site);
  }
  for (const TestTrace::Variable& variable : test.variables) {
    if ((variable.flags & wire::kTraceVariableWritten) == 0) continue;
    const StateId state = variable_state(variable.name);
    variables_.try_emplace(variable.name, state);
    std::optional<Site> site;
    if (variable.write_pc != 0) {
      site = site_of(position, naming_.site(variable.write_pc, variable.write_node, *reader_));
    }
    builder_.wrote(state, site);
  }
}

Status TraceSession::end_process(const OrderRun& run) {
  if (naming_.loaded()) {
    Status rest = take_blocks(nullptr);
    const bool complete = !run.runs.empty() && why_unsure(run.runs.back()).empty();
    if (!rest && complete) return rest;  // of a process that was killed, half a test is no surprise
  }
  const std::size_t first = tests_.size() - in_process_;
  for (std::size_t i = 0; i < run.runs.size(); ++i) {
    std::string why = why_unsure(run.runs[i]);
    if (i >= in_process_) {
      builder_.begin(run.runs[i].test);
      tests_.push_back(run.runs[i].test);
      if (why.empty()) why = "its trace is missing";
    }
    if (!why.empty()) unsure_.try_emplace(first + i, std::move(why));
  }
  reader_.reset();
  reading_ = -1;
  in_process_ = 0;
  return {};
}

DataFlow TraceSession::take(std::chrono::steady_clock::time_point began) {
  builder_.misses(
      "state outside of memory other than files and the environment: signals and other things of "
      "the kernel");
  builder_.misses(
      "what is initialised on first use with something that the test itself has set up");
  builder_.misses(
      "accesses by libraries that were not built with `gordian cxxflags`, by inline "
      "assembly, and by system calls that are made directly");
  for (const std::string& note : naming_.notes()) builder_.misses(note);
  DataFlow flow = builder_.take(1, began);
  for (auto& [position, why] : unsure_) flow.tests[position].unsure = why;
  for (std::size_t position : read_environment_) {  // also what is only written by later tests
    std::set<StateId> reads(flow.tests[position].reads.begin(), flow.tests[position].reads.end());
    for (const auto& [name, state] : variables_) reads.insert(state);
    flow.tests[position].reads.assign(reads.begin(), reads.end());
  }
  return flow;
}

}  // namespace gordian
