// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "trace/watch/state_moment.h"

#include "state/memory_diff.h"

namespace gordian {
StateMoment read_moment(HeldProcess& held, bool keep) {
  StateMoment moment;
  moment.image = std::make_unique<ProcessImage>(held.pid());
  moment.mappings = program_mappings(held.pid());
  moment.external = read_external_state(held, *moment.image);
  // The requests just made have moved the stack of the agent, not what tests see.
  moment.image->forget();
  if (keep) {
    moment.image->keep(writable_ranges(moment.mappings));
    if (held.before() > 0) {
      moment.image->lean_on(held.before());
    } else {
      moment.image->detach();
    }
  }
  moment.heap = HeapBlocks(*moment.image, moment.mappings);
  moment.files = read_written_files(held);
  return moment;
}

}  // namespace gordian
