// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/external_kinds.h"

namespace gordian {
namespace {

using namespace changes;
using namespace kinds;

const ExternalKind kTable[] = {
    {.kind = CarrierKind::environment,
     .read = read_environment,
     .compare = environment_changes,
     .concerns = names_variable},
    {.kind = CarrierKind::cwd,
     .read = read_directory,
     .compare = directory_change,
     .concerns = uses_directory},
    {.kind = CarrierKind::umask,
     .read = read_umask,
     .compare = umask_change,
     .concerns = creates_with_mode},
    {.kind = CarrierKind::locale, .read = read_locale, .compare = locale_changes},
    {.kind = CarrierKind::signal,
     .read = read_signals,
     .compare = signal_changes,
     .concerns = uses_signal},
    // With the signals that wait because of it.
    {.kind = CarrierKind::signal_mask, .read = read_signal_mask, .compare = mask_changes},
    {.kind = CarrierKind::descriptor,
     .read = read_descriptors,
     .compare = descriptor_changes,
     .concerns = uses_descriptor},
    {.kind = CarrierKind::limit, .read = read_limits, .compare = limit_changes},
    {.kind = CarrierKind::timer, .read = read_timers, .compare = timer_changes},
    {.kind = CarrierKind::fp_mode, .read = read_float_mode, .compare = float_change},
    {.kind = CarrierKind::process, .read = read_attributes, .compare = attribute_changes},
    {.kind = CarrierKind::thread, .read = read_threads, .compare = thread_change},
    {.kind = CarrierKind::child, .read = read_children, .compare = child_change},
    {.kind = CarrierKind::sysv,
     .pieces = &segments,
     .concerns = names_segment,
     .only_asks = only_asks_for_segment},
    // Read and compared by themselves: file_changes.h, mapping_changes.h.
    {.kind = CarrierKind::file, .concerns = names_file},
    {.kind = CarrierKind::mapping, .concerns = uses_mapping},
};

}  // namespace

std::span<const ExternalKind> external_kinds() {
  return kTable;
}

}  // namespace gordian
