// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the agent's probe of snapshots means, in words; and the probe itself for `doctor`, in a
// process of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "target/agent/snapshot/probe.h"
#include "wire/protocol.h"

namespace gordian {

/// "userfaultfd", "pagemap"; empty for none.
std::string_view to_string(gordian_wire::SnapshotBackend backend);

/// Backends not to be used: all but the one that GORDIAN_SNAPSHOT_BACKEND names (`none`: all of
/// them). One bit each, as in wire::Header::avoid_backends. An error when it names nothing we know.
Result<std::uint32_t> avoided_backends();

/// Why there are no snapshots, as the end of a sentence; empty when there are, or nobody looked.
std::string describe(gordian_wire::SnapshotSupport support);

/// Tries the backends that are not avoided on this machine.
gordian_agent::SnapshotProbe probe_machine_snapshots(std::uint32_t avoid);

/// The bits of wire Header::without for a list of names such as "umask,directory"; "" is none.
Result<std::uint32_t> parse_snapshot_parts(std::string_view list);

/// What $GORDIAN_SNAPSHOT_WITHOUT asks for, so that tests of ours see that each part is missed; 0
/// when it is not set.
Result<std::uint32_t> snapshot_parts_left_out();

}  // namespace gordian
