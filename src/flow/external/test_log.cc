// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/test_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "base/unique_fd.h"

namespace gordian {
namespace {

constexpr std::uint64_t kMostContent = 64u << 20;

/// Without a trace in the access time, where we may.
UniqueFd open_quietly(int directory, const std::string& name) {
  const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  UniqueFd fd(::openat(directory, name.c_str(), flags | O_NOATIME));
  if (!fd.valid()) fd.reset(::openat(directory, name.c_str(), flags));
  return fd;
}

bool digest_file(int directory, const std::string& name, std::string& digest) {
  UniqueFd fd = open_quietly(directory, name);
  if (!fd.valid()) return false;
  Sha256 hash;
  std::vector<char> buffer(64 << 10);
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
    if (n < 0) return false;
    if (n == 0) break;
    hash.update(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
  }
  digest = hash.hex_digest();
  return true;
}

bool is_plain(const FileImprint& imprint) {
  return S_ISREG(imprint.mode) && (imprint.mode & (S_IRUSR | S_IWUSR)) == (S_IRUSR | S_IWUSR);
}

/// Told relative to the start, as far as it is below it.
void shorten(FileKey& file, const std::string& start) {
  if (start.empty() || start == "/") return;
  if (file.path == start && file.part == FileKey::Part::entries) file.path = ".";
  if (file.path.starts_with(start + "/")) file.path.erase(0, start.size() + 1);
}

}  // namespace

FileImprint take_imprint(int directory, const std::string& name) {
  FileImprint imprint;
  struct stat status;
  if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return imprint;
  imprint.exists = true;
  imprint.mode = status.st_mode;
  imprint.uid = status.st_uid;
  imprint.gid = status.st_gid;
  if (S_ISLNK(status.st_mode)) imprint.content = read_link(directory, name);
  if (S_ISREG(status.st_mode)) {
    imprint.size = static_cast<std::uint64_t>(status.st_size);
    imprint.whole = imprint.size <= kMostContent && digest_file(directory, name, imprint.content);
  }
  return imprint;
}

bool content_changed(const FileImprint& before, const FileImprint& after) {
  if (!before.exists && !after.exists) return false;
  if (before.exists != after.exists || !before.whole || !after.whole) return true;
  return (before.mode & S_IFMT) != (after.mode & S_IFMT) || before.size != after.size ||
         before.content != after.content;
}

bool attributes_changed(const FileImprint& before, const FileImprint& after) {
  if (!after.exists) return false;
  if (!before.exists) return !is_plain(after);
  return before.mode != after.mode || before.uid != after.uid || before.gid != after.gid;
}

StateKey attributes_of(std::string path) {
  return {CarrierKind::file, FileKey{std::move(path), FileKey::Part::attributes}};
}

StateKey entries_of(std::string directory) {
  return {CarrierKind::file, FileKey{std::move(directory), FileKey::Part::entries}};
}

TestLog::TestLog(TestId test, std::size_t position, pid_t runner, std::uint32_t token)
    : test_{test, position, runner, {}, {}}, token_(token) {}

/// By the top of the mount, not by the directory: that may be removed and made anew.
void TestLog::take_before(Entry& entry, const std::string& path, const ProcessFiles& files) {
  if (entry.has_before) return;
  entry.has_before = true;
  entry.path = path;
  const std::string top = files.top_of_mount(parent_of(path));
  auto& mount = mounts_[top];
  if (!mount) mount = std::make_shared<UniqueFd>(files.hold_directory(top));
  entry.comparable = mount->valid();
  entry.mount = mount;
  entry.in_mount = path.substr(top == "/" ? 1 : top.size() + 1);
  if (entry.comparable) entry.before = take_imprint(entry.mount->get(), entry.in_mount);
}

void TestLog::note_read(Entry& entry, const AccessOrigin& origin) {
  if (entry.read || entry.replaced) return;
  entry.read = true;
  entry.read_from = origin;
}

void TestLog::file(const std::string& name, const std::string& path, FileUse use,
                   const ProcessFiles& files, const AccessOrigin& origin) {
  Entry& state = entries_[{CarrierKind::file, FileKey{name}}];
  if (use.reads) note_read(state, origin);
  if (!use.writes && !use.attributes && !use.stamps) return;
  take_before(state, path, files);
  state.write = state.write || use.writes;
  state.attributes = state.attributes || use.attributes;
  state.stamps = state.stamps || use.stamps;
  state.replaced = state.replaced || use.replaces;
  state.written_from = origin;
}

void TestLog::read(const StateKey& key, const AccessOrigin& origin) {
  note_read(entries_[key], origin);
}

void TestLog::peer(const std::string& name, bool answers_only, const AccessOrigin& origin) {
  Entry& state = entries_[{CarrierKind::socket, NameKey{name}}];
  if (!state.read) state.read_from = origin;
  state.read = true;
  state.write = state.write || !answers_only;
  if (!answers_only) state.written_from = origin;
}

void TestLog::value(CarrierKind kind, const std::string& before, const std::string& after,
                    const AccessOrigin& origin) {
  Entry& state = entries_[{kind, SoleKey{}}];
  if (!state.write) state.first = before;
  state.write = state.replaced = true;
  state.last = after;
  state.written_from = origin;
}

void TestLog::unsure(std::string why) {
  if (test_.unsure.empty()) test_.unsure = std::move(why);
}

void TestLog::conclude_file(const StateKey& key, const Entry& entry, ExternalAccess& access,
                            Accesses& found) {
  FileImprint after;
  if (entry.comparable) after = take_imprint(entry.mount->get(), entry.in_mount);
  access.write = entry.write && (!entry.comparable || content_changed(entry.before, after));
  auto write = [&](const StateKey& part) {
    ExternalAccess& other = found[part];
    other.key = part;
    other.write = true;
    other.written_from = entry.written_from;
  };
  if (access.write && (!entry.comparable || entry.before.exists != after.exists)) {
    write(entries_of(parent_of(entry.path)));
  }
  const bool other_rights = entry.comparable && attributes_changed(entry.before, after);
  if (entry.stamps || (entry.attributes && (!entry.comparable || other_rights))) {
    write(attributes_of(key.as<FileKey>()->path));
  }
}

void TestLog::conclude(const StateKey& key, const Entry& entry, Accesses& found) {
  ExternalAccess& access = found[key];
  access.key = key;
  access.read = access.read || entry.read;
  access.read_from = entry.read_from;
  if (entry.has_before) {
    const bool written_before = access.write;
    conclude_file(key, entry, access, found);
    access.write = access.write || written_before;
  } else if (key.kind() == CarrierKind::cwd || key.kind() == CarrierKind::umask) {
    access.write = entry.write && entry.first != entry.last;
  } else {
    access.write = access.write || entry.write;
  }
  if (access.write && entry.written_from.process >= 0) access.written_from = entry.written_from;
}

ExternalTest TestLog::finish(const std::string& start) {
  Accesses found;
  for (const auto& [key, entry] : entries_) conclude(key, entry, found);
  for (auto& [key, access] : found) {
    if (const auto* file = key.as<FileKey>()) {
      FileKey shown = *file;
      shorten(shown, start);
      access.key = {CarrierKind::file, std::move(shown)};
    }
    test_.accesses.push_back(std::move(access));
  }
  entries_.clear();
  mounts_.clear();
  return std::move(test_);
}

}  // namespace gordian
