// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/traced/trace_sites.h"

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

}  // namespace gordian
