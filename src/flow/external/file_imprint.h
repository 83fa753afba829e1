// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What stands under a name, short enough to be kept: two imprints tell whether a test has left it
// changed. Contents are compared, not times: tests run faster than file systems count.
#pragma once

#include <cstdint>
#include <string>

namespace gordian {

struct FileImprint {
  bool exists = false;
  std::uint32_t mode = 0, uid = 0, gid = 0;
  std::uint64_t size = 0;
  std::string content;  ///< digest of a file, target of a link; empty when there is none
  bool whole = true;    ///< false: too large to be read, or not allowed; may differ unseen
};

/// Of `name`, a path relative to a directory (a descriptor). A link is not followed.
FileImprint take_imprint(int directory, const std::string& name);

/// Another content, another type, or there is one where there was none. What could not be read
/// counts as changed.
bool content_changed(const FileImprint& before, const FileImprint& after);

/// Somebody who only means to overwrite it can tell the difference: rights, owner, or type; also
/// something new that is not a plain file which its owner may read and write.
bool attributes_changed(const FileImprint& before, const FileImprint& after);

}  // namespace gordian
