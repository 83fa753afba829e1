// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/traced/trace_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "model/stack.h"
#include "symbols/process_memory.h"

namespace gordian {

Result<TraceSites> TraceSites::open(pid_t pid) {
  auto stacks = ProcessStacks::open(pid);
  if (!stacks) return stacks.error();
  TraceSites sites(std::move(*stacks));
  for (const Mapping& mapping : read_mappings(pid)) {
    if (mapping.executable) sites.code_.push_back({mapping.begin.value(), mapping.end.value()});
  }
  return sites;
}

std::uint64_t TraceSites::whole(std::uint32_t pc) const {
  constexpr std::uint64_t kUpper = ~std::uint64_t{0xffffffff};
  for (const Code& code : code_) {
    for (std::uint64_t upper : {code.begin & kUpper, code.end & kUpper}) {
      const std::uint64_t candidate = upper | pc;
      if (candidate > code.begin && candidate <= code.end) return candidate;
    }
  }
  return 0;
}

const TraceSites::Place& TraceSites::place(std::uint64_t pc) {
  auto [known, fresh] = places_.try_emplace(pc);
  if (!fresh || pc == 0) return known->second;
  Place& place = known->second;
  const FrameAddress address{pc, pc - 1, false};  // the call stands before where it returns to
  place.frames = stacks_.describe(std::span(&address, 1));
  for (const StackFrame& frame : place.frames) {
    const FrameOwner owner = frame_owner(frame);
    if (owner == FrameOwner::system) continue;
    place.of_program = owner == FrameOwner::program;
    break;
  }
  return place;
}

Site TraceSites::site(std::uint64_t pc, std::span<const std::uint32_t> calls) {
  Site site;
  const auto add = [&](std::uint64_t at) {
    const Place& found = place(at);
    site.stack.insert(site.stack.end(), found.frames.begin(), found.frames.end());
  };
  add(pc);
  for (std::uint32_t call : calls) add(whole(call));
  site.shown = shown_frame(site.stack);
  return site;
}

bool TraceSites::is_programs(std::uint64_t pc, std::span<const std::uint32_t> calls) {
  if (auto known = place(pc).of_program) return *known;
  for (std::uint32_t call : calls) {
    if (auto known = place(whole(call)).of_program) return *known;
  }
  return false;
}

namespace {

constexpr std::uint64_t kReserved = std::uint64_t{4} << 30;

/// Without what the runtime keeps for itself: address space by the terabyte.
std::vector<Mapping> mappings_of(pid_t pid) {
  std::vector<Mapping> mappings = read_mappings(pid);
  std::erase_if(mappings, [](const Mapping& mapping) {
    return mapping.path.empty() && mapping.end.value() - mapping.begin.value() >= kReserved;
  });
  return mappings;
}

}  // namespace

Status TraceNaming::load(HeldProcess& held, const std::string& executable) {
  program_.load(held, executable, ProgramMemory::Modules::loaded_by_now);
  auto sites = TraceSites::open(held.pid());
  if (!sites) return sites.error();
  sites_.emplace(std::move(*sites));
  return {};
}

bool TraceNaming::is_programs(const TracedBytes& bytes, const TraceReader& trace) {
  return sites_->is_programs(sites_->whole(bytes.block_pc), trace.calls(bytes.block_node));
}

void TraceNaming::look(pid_t pid, std::span<const TracedBytes> bytes, const TraceReader& trace) {
  moment_ = std::make_unique<Moment>(pid);
  std::vector<ByteRange> wanted;
  for (const TracedBytes& some : bytes) {
    if (some.heap && !some.mapping && is_programs(some, trace))
      wanted.push_back({some.address, some.size});
  }
  moment_->mappings = mappings_of(pid);
  if (!wanted.empty()) moment_->heap = HeapBlocks(moment_->image, moment_->mappings);
  moment_->names.emplace(program_, MemoryView{&moment_->image, &moment_->heap}, moment_->mappings);
  if (!wanted.empty()) moment_->names->find_heap(RangeSet(std::move(wanted)));
}

void TraceNaming::look_away() {
  moment_ = std::make_unique<Moment>(-1);
  moment_->names.emplace(program_, MemoryView{&moment_->image, &moment_->heap}, moment_->mappings);
}

SharedState TraceNaming::by_allocation(const TracedBytes& bytes, const TraceReader& trace) {
  SharedState state;
  const Site site = this->site(bytes.block_pc, bytes.block_node, trace);
  const StackFrame& frame = site.stack[site.shown];
  state.file = frame.file;
  state.line = frame.line;
  const std::string file = std::filesystem::path(frame.file).filename().string();
  NameKey name{(bytes.mapping ? "memory mapped in " : "object allocated in ") + frame.function};
  if (!file.empty()) name.name += fmt::format(" ({}:{})", file, frame.line);
  state.key = {bytes.mapping ? CarrierKind::mapping : CarrierKind::heap, std::move(name)};
  return state;
}

std::vector<TraceNaming::Piece> TraceNaming::pieces(const TracedBytes& bytes,
                                                    const TraceReader& trace) {
  std::vector<Piece> all;
  const std::uint64_t end = bytes.address + bytes.size;
  if (bytes.heap && !is_programs(bytes, trace)) {
    all.push_back({{bytes.address, bytes.size}, std::nullopt});
    return all;
  }
  for (std::uint64_t at = bytes.address; at < end;) {
    auto name = moment_->names->at(at);
    std::uint64_t past = name ? std::min(end, name->range.end()) : std::min(end, (at | 7) + 1);
    if (!name && bytes.heap) past = end;
    if (past <= at) past = at + 1;
    std::optional<SharedState> state;
    if (!name && bytes.heap) {
      state = by_allocation(bytes, trace);
    } else if (name && name->owner == Owner::program) {
      state = std::move(name->state);
    }
    all.push_back({{at, past - at}, std::move(state)});
    at = past;
  }
  return all;
}

Site TraceNaming::site(std::uint64_t pc, std::uint32_t node, const TraceReader& trace) {
  return sites_->site(pc, trace.calls(node));
}

}  // namespace gordian
