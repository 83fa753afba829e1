// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Whether this process can be put back to a snapshot here, and how its written pages are found:
// tried out, on memory and a copy of the process made for it. The agent asks before the first test,
// and `gordian doctor` for the machine as such.
#pragma once

#include "wire/protocol.h"

namespace gordian_agent {

struct SnapshotProbe {
  gordian_wire::SnapshotSupport support;
  gordian_wire::SnapshotBackend backend;  // the best that works; none unless supported
};

/// `avoid` has a bit (1 << backend) for each way that must not be used. Costs a fork, for each way
/// that is tried; leaves nothing behind but some lasting memory.
SnapshotProbe probe_snapshots(uint32_t avoid);

}  // namespace gordian_agent
