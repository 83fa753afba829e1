// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What one test does to names of files, the working directory, the umask and peers, while it does
// it. Of everything that it may change an imprint is taken before; finish() compares.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "flow/external/external_access.h"
#include "flow/external/process_files.h"

namespace gordian {

/// What stands under a name, short enough to be kept: two imprints tell whether a test has left it
/// changed. Contents are compared, not times: tests run faster than file systems count.
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

/// The state that stands for rights, owner and times of a file; and for the names in a directory.
StateKey attributes_of(std::string path);
StateKey entries_of(std::string directory);

class TestLog {
 public:
  TestLog(TestId test, std::size_t position, pid_t runner, std::uint32_t token);

  std::uint32_t token() const { return token_; }
  pid_t runner() const { return test_.runner; }

  struct FileUse {
    bool reads = true, writes = false, attributes = false, stamps = false;
    bool replaces = false;  ///< all of it: what is read later is its own
  };
  /// `name` is the state, `path` where the file stands (they differ for hard links).
  void file(const std::string& name, const std::string& path, FileUse use,
            const ProcessFiles& files, const AccessOrigin& origin);
  void read(const StateKey& key, const AccessOrigin& origin);
  /// Both, by a peer that nobody can look into.
  void peer(const std::string& name, bool answers_only, const AccessOrigin& origin);
  /// The working directory or the umask, from one value to another.
  void value(CarrierKind kind, const std::string& before, const std::string& after,
             const AccessOrigin& origin);
  void unsure(std::string why);

  /// REQUIRES: the test is over. `start`: names below this directory are told relative to it.
  ExternalTest finish(const std::string& start);

 private:
  struct Entry {
    bool read = false, write = false, attributes = false, stamps = false, replaced = false;
    bool has_before = false, comparable = true;
    FileImprint before;
    std::shared_ptr<UniqueFd> mount;
    std::string path, in_mount;  ///< of a file
    std::string first, last;     ///< of a value
    AccessOrigin read_from, written_from;
  };
  static void note_read(Entry& entry, const AccessOrigin& origin);
  void take_before(Entry& entry, const std::string& path, const ProcessFiles& files);
  using Accesses = std::map<StateKey, ExternalAccess>;
  static void conclude(const StateKey& key, const Entry& entry, Accesses& found);
  static void conclude_file(const StateKey& key, const Entry& entry, ExternalAccess& access,
                            Accesses& found);

  ExternalTest test_;
  std::uint32_t token_;
  std::map<StateKey, Entry> entries_;
  std::map<std::string, std::shared_ptr<UniqueFd>> mounts_;  ///< by their top directory
};

}  // namespace gordian
