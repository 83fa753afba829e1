// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Everything of a held process that can carry a dependence, at one moment.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "runtime/native/held_process.h"
#include "state/external_state.h"
#include "state/file_changes.h"
#include "state/heap_blocks.h"
#include "state/memory_diff.h"
#include "state/process_image.h"
#include "symbols/process_memory.h"

namespace gordian {

class StateMoment {
 public:
  /// Memory is read on demand, while the process is held. `files`: what was written, too.
  static StateMoment read(HeldProcess& held, bool files);
  /// Likewise, but somebody else keeps the memory.
  static StateMoment read(HeldProcess& held, bool files, const MemoryImage& memory);

  /// Copies all memory that can be written: the moment outlives the hold.
  void keep(HeldProcess& held);
  /// Its memory is that of another image from now on, with the same content.
  void move_to(const MemoryImage& memory) { memory_ = &memory; }

  const MemoryImage& memory() const { return *memory_; }
  /// Looked for when first asked for.
  const HeapBlocks& heap() const;
  MemoryView view() const { return {memory_, &heap()}; }

  std::vector<Mapping> mappings;
  ExternalState external;
  std::optional<FileView> files;  ///< nullopt: there is no private file system, or not asked for

 private:
  StateMoment() = default;

  std::unique_ptr<ProcessImage> own_;
  const MemoryImage* memory_ = nullptr;
  mutable std::optional<HeapBlocks> heap_;
};

}  // namespace gordian
