// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The private view of the file system in which one order of processes runs: a copy-on-write layer
// over everything that its tests are likely to write. It lives in a mount namespace and vanishes
// with its last process. The real files stay visible to us inside of it, to put one back.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/native/private_fs.h"
#include "state/kinds/state_key.h"
#include "wire/protocol.h"

namespace gordian {

class ProcessView {
 public:
  /// Chooses among `wanted`, /tmp, /var/tmp and /dev/shm, and proves by trying that they can be
  /// covered. The error says why not.
  static Result<ProcessView> prepare(const std::filesystem::path& build_dir,
                                     const std::vector<std::filesystem::path>& wanted,
                                     const std::vector<std::filesystem::path>& required);

  /// One sentence for each directory that stays shared.
  const std::vector<std::string>& left_out() const { return left_out_; }

  /// In a child: false with errno. What it starts must give its rights away (drop_rights()).
  bool enter() const;
  /// In a fork of a process that has entered: a layer of its own over what stands there now, for
  /// as long as nobody else writes to that. `layers`: those below, the newest first; begins empty,
  /// and gets the new one. False: it could not be made, and this process must not go on.
  bool push_layer(std::vector<std::string>& layers) const;
  /// Before exec.
  void drop_rights() const;
  /// The engine's death leaves this to the child.
  void remove_root() const;

  /// REQUIRES: enter() in this process; an absolute path. Gives that part of the file what it had
  /// before the first test. False: it is not below a covered directory, or could not be put back.
  bool put_back(const FileKey& file) const;

 private:
  ProcessView(PrivateFs fs, std::vector<std::string> left_out);
  std::optional<std::string> original(const std::string& path) const;

  PrivateFs fs_;
  std::vector<std::string> left_out_;
  std::unique_ptr<gordian_wire::Header> header_;
};

}  // namespace gordian
