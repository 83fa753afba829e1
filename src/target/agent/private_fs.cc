// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "wire/private_fs.h"

#include <unistd.h>

#include "target/agent/agent.h"

namespace gordian_agent {
namespace {

bool covered;
bool owns_ipc;  // and began with none of its objects
char directory[wire::kMaxPath * 2];

}  // namespace

void own_file_system(uint32_t) {
  if (header->fs_dirs == 0) return;
  bool userns = header->fs_userns != 0;
  if (!covered) {
    if (!getcwd(directory, sizeof directory)) directory[0] = 0;
    if (!wire::enter_mount_namespace(userns)) give_up(wire::kPrivateFsFailed);
    // What was made before the first test has to stay: programs know its numbers.
    owns_ipc = wire::count_ipc_objects() == 0;
  }
  if (owns_ipc) wire::own_ipc();
  if (!wire::cover_for_worker(header, covered)) give_up(wire::kPrivateFsFailed);
  covered = true;
  // Our current directory is still the one below the new layer: enter it again by its name.
  if (directory[0] && chdir(directory) != 0) give_up(wire::kPrivateFsFailed);
}

void leave_file_system_rights() {
  if (covered && header->fs_userns) wire::drop_capabilities();
}

bool file_system_touched() {
  if (!covered) return false;
  if (owns_ipc && wire::count_ipc_objects() != 0) return true;
  wire::SmallText base;
  base << header->fs_root << "/w";
  return wire::upper_layers_touched(header, base.data);
}

}  // namespace gordian_agent
