// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Everything of a held process that can carry a dependence, at one moment.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/held_process.h"
#include "state/external_state.h"
#include "state/file_changes.h"
#include "state/heap_blocks.h"
#include "state/memory_diff.h"
#include "state/process_image.h"
#include "symbols/process_memory.h"

namespace gordian {

struct StateMoment {
  std::unique_ptr<ProcessImage> image;
  std::vector<Mapping> mappings;
  HeapBlocks heap;
  ExternalState external;
  std::optional<FileView> files;  ///< nullopt: there is no private file system

  MemoryView view() const { return {image.get(), &heap}; }
};

/// REQUIRES: held. With `keep` all memory that can be written is copied, and the moment outlives
/// the hold; else it is read on demand.
StateMoment read_moment(HeldProcess& held, bool keep);

}  // namespace gordian
