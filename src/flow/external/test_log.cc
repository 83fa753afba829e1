// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/test_log.h"

namespace gordian {
namespace {

std::string shown_name(const std::string& name, const std::string& start) {
  if (start.empty() || start == "/" || !name.starts_with(start + "/")) return name;
  std::string below = name.substr(start.size() + 1);
  return below.empty() ? "./" : below;
}

}  // namespace

std::string attributes_name(const std::string& path) {
  return path + " (attributes)";
}

std::string entries_name(const std::string& directory) {
  return directory == "/" ? directory : directory + "/";
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
  Entry& state = entry(CarrierKind::file, name);
  if (use.reads) note_read(state, origin);
  if (!use.writes && !use.attributes && !use.stamps) return;
  take_before(state, path, files);
  state.write = state.write || use.writes;
  state.attributes = state.attributes || use.attributes;
  state.stamps = state.stamps || use.stamps;
  state.replaced = state.replaced || use.replaces;
  state.written_from = origin;
}

void TestLog::read(CarrierKind kind, const std::string& name, const AccessOrigin& origin) {
  note_read(entry(kind, name), origin);
}

void TestLog::peer(const std::string& name, bool answers_only, const AccessOrigin& origin) {
  Entry& state = entry(CarrierKind::socket, name);
  if (!state.read) state.read_from = origin;
  state.read = true;
  state.write = state.write || !answers_only;
  if (!answers_only) state.written_from = origin;
}

void TestLog::value(CarrierKind kind, const std::string& before, const std::string& after,
                    const AccessOrigin& origin) {
  Entry& state = entry(kind, kind == CarrierKind::cwd ? "cwd" : "umask");
  if (!state.write) state.first = before;
  state.write = state.replaced = true;
  state.last = after;
  state.written_from = origin;
}

void TestLog::unsure(std::string why) {
  if (test_.unsure.empty()) test_.unsure = std::move(why);
}

void TestLog::conclude_file(const Key& key, const Entry& entry, ExternalAccess& access,
                            std::map<Key, ExternalAccess>& found) const {
  FileImprint after;
  if (entry.comparable) after = take_imprint(entry.mount->get(), entry.in_mount);
  access.write = entry.write && (!entry.comparable || content_changed(entry.before, after));
  auto write = [&](const std::string& name) {
    ExternalAccess& other = found[{key.first, name}];
    other.kind = key.first;
    other.name = name;
    other.write = true;
    other.written_from = entry.written_from;
  };
  if (access.write && (!entry.comparable || entry.before.exists != after.exists)) {
    write(entries_name(parent_of(entry.path)));
  }
  const bool other_rights = entry.comparable && attributes_changed(entry.before, after);
  if (entry.stamps || (entry.attributes && (!entry.comparable || other_rights))) {
    write(attributes_name(key.second));
  }
}

void TestLog::conclude(const Key& key, const Entry& entry,
                       std::map<Key, ExternalAccess>& found) const {
  ExternalAccess& access = found[key];
  access.kind = key.first;
  access.name = key.second;
  access.read = access.read || entry.read;
  access.read_from = entry.read_from;
  if (entry.has_before) {
    const bool written_before = access.write;
    conclude_file(key, entry, access, found);
    access.write = access.write || written_before;
  } else if (key.first == CarrierKind::cwd || key.first == CarrierKind::umask) {
    access.write = entry.write && entry.first != entry.last;
  } else {
    access.write = access.write || entry.write;
  }
  if (access.write && entry.written_from.process >= 0) access.written_from = entry.written_from;
}

ExternalTest TestLog::finish(const std::string& start) {
  std::map<Key, ExternalAccess> found;
  for (const auto& [key, entry] : entries_) conclude(key, entry, found);
  for (auto& [key, access] : found) {
    if (access.kind == CarrierKind::file) access.name = shown_name(access.name, start);
    test_.accesses.push_back(std::move(access));
  }
  entries_.clear();
  mounts_.clear();
  return std::move(test_);
}

}  // namespace gordian
