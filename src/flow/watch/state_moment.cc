// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/watch/state_moment.h"

#include "state/memory_diff.h"

namespace gordian {

StateMoment StateMoment::read(HeldProcess& held, bool files) {
  auto image = std::make_unique<ProcessImage>(held.pid());
  StateMoment moment = read(held, files, *image);
  // The requests just made have moved the stack of the agent, not what tests see.
  image->forget();
  moment.own_ = std::move(image);
  return moment;
}

StateMoment StateMoment::read(HeldProcess& held, bool files, const MemoryImage& memory) {
  StateMoment moment;
  moment.memory_ = &memory;
  moment.mappings = program_mappings(held.pid());
  moment.external = read_external_state(held, ProcessImage(held.pid()));
  if (files) moment.files = read_written_files(held);
  return moment;
}

void StateMoment::keep(HeldProcess& held) {
  own_->keep(writable_ranges(mappings));
  if (held.before() > 0) {
    own_->lean_on(held.before());
  } else {
    own_->detach();
  }
}

const HeapBlocks& StateMoment::heap() const {
  if (!heap_) heap_.emplace(*memory_, mappings);
  return *heap_;
}

}  // namespace gordian
