// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/external/external_state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "state/external/external_kinds.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using Kind = FileState::Kind;
constexpr std::size_t kMostContent = 1 << 20, kMostFiles = 10'000;

Kind kind_of(const struct stat& status) {
  if (S_ISREG(status.st_mode)) return Kind::file;
  if (S_ISDIR(status.st_mode)) return Kind::directory;
  if (S_ISLNK(status.st_mode)) return Kind::link;
  if (S_ISSOCK(status.st_mode)) return Kind::socket;
  if (S_ISCHR(status.st_mode) && status.st_rdev == 0) return Kind::removed;  // overlay's whiteout
  return Kind::other;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string content(kMostContent, '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(static_cast<std::size_t>(file.gcount()));
  return content;
}

std::optional<FileState> state_of(const fs::path& path) {
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  FileState state{kind_of(status), status.st_mode & 07777, 0, {}};
  std::error_code none;
  if (state.kind == Kind::link) state.content = fs::read_symlink(path, none).string();
  if (state.kind == Kind::file) {
    state.size = static_cast<std::uint64_t>(status.st_size);
    state.content = content_of(path);
  }
  return state;
}

/// The root of the held process's file system, as we see it.
fs::path root_of(const HeldProcess& held) {
  return fmt::format("/proc/{}/root", held.pid());
}

/// Where the layers of the process are: a worker's branch has one more.
std::string layer_base(const HeldProcess& held) {
  const gordian_wire::Header& header = held.memory().header();
  std::string root(header.fs_root);
  return held.before() > 0 ? root + "/w" : root;
}

void read_layer(const fs::path& upper, const std::string& shown_as, FileView& view) {
  std::error_code none;
  auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(upper, options, none), end; !none && at != end;
       at.increment(none)) {
    if (view.size() >= kMostFiles) return;
    auto state = state_of(at->path());
    if (!state) continue;
    view[shown_as + "/" + at->path().lexically_relative(upper).string()] = std::move(*state);
  }
}

const FileState kNoFile{Kind::removed, 0, 0, {}};

/// The file at `path` as it was before any test; kNoFile when there was none.
FileState below(const HeldProcess& held, const std::string& path) {
  const gordian_wire::Header& header = held.memory().header();
  for (unsigned d = header.fs_dirs; d-- > 0;) {
    std::string directory(header.fs_dir[d]);
    if (!path.starts_with(directory + "/")) continue;
    for (const char* layer : {"u", "r"}) {
      if (*layer == 'u' && held.before() <= 0) continue;
      fs::path below_it = root_of(held) / std::string(header.fs_root).substr(1) /
                          fmt::format("{}{}", layer, d) / path.substr(directory.size() + 1);
      auto state = state_of(below_it);
      if (state) return state->kind == Kind::removed ? kNoFile : *state;
    }
    return kNoFile;
  }
  return kNoFile;
}

std::optional<std::string> text_of(const FileState& state) {
  constexpr std::size_t kMostShown = 200;
  switch (state.kind) {
    case Kind::removed:
      return std::nullopt;
    case Kind::directory:
      return "directory";
    case Kind::socket:
      return "socket";
    case Kind::link:
      return "-> " + state.content;
    case Kind::other:
      return "special file";
    default:
      break;
  }
  const std::string& content = state.content;
  bool printable = std::all_of(content.begin(), content.end(), [](unsigned char c) {
    return c >= ' ' || c == '\n' || c == '\t' || c == '\r';
  });
  if (printable && content.size() <= kMostShown) return content;
  return fmt::format("{} bytes", state.size);
}

bool write_file(HeldProcess& held, const std::string& path, const FileState& wanted) {
  constexpr std::size_t kStep = 2048;
  const std::int64_t fd =
      held.system_call(SYS_open, {path, O_WRONLY | O_CREAT | O_TRUNC, wanted.mode});
  if (fd < 0) return false;
  bool whole = wanted.content.size() == wanted.size;
  for (std::size_t at = 0; whole && at < wanted.content.size(); at += kStep) {
    std::string part = wanted.content.substr(at, kStep);
    auto size = static_cast<std::int64_t>(part.size());
    whole = held.system_call(SYS_write, {fd, part, size}) == size;
  }
  held.system_call(SYS_close, {fd});
  held.system_call(SYS_chmod, {path, std::int64_t{wanted.mode}});
  return whole;
}

bool put_file_back(HeldProcess& held, const std::string& path, const FileState& was, Kind is) {
  if (is == Kind::directory) {
    if (was.kind == Kind::directory) {
      return held.system_call(SYS_chmod, {path, std::int64_t{was.mode}}) == 0;
    }
    if (held.system_call(SYS_rmdir, {path}) < 0) return false;
  } else if (is != Kind::removed && !(was.kind == Kind::file && is == Kind::file)) {
    if (held.system_call(SYS_unlink, {path}) < 0) return false;
  }
  switch (was.kind) {
    case Kind::removed:
      return true;
    case Kind::file:
      return write_file(held, path, was);
    case Kind::directory:
      return held.system_call(SYS_mkdir, {path, std::int64_t{was.mode}}) == 0;
    case Kind::link:
      return held.system_call(SYS_symlink, {was.content, path}) == 0;
    default:
      return false;
  }
}

StateEvents events_of(const std::string& path) {
  return {.writing_calls = {SYS_open, SYS_openat, SYS_creat, SYS_rename, SYS_renameat, SYS_unlink,
                            SYS_mkdir, SYS_unlinkat, SYS_rmdir, SYS_truncate, SYS_mkdirat, SYS_bind,
                            SYS_symlink, SYS_link, SYS_chmod},
          .reading_calls = {SYS_open, SYS_openat, SYS_stat, SYS_lstat, SYS_access, SYS_faccessat,
                            SYS_newfstatat, SYS_statx, SYS_readlink, SYS_bind, SYS_unlink,
                            SYS_mkdir, SYS_rename, SYS_unlinkat},
          .argument = path};
}

/// As people write it: relative to the working directory where that is shorter.
std::string shown_name(const std::string& path, const std::string& cwd) {
  return path.starts_with(cwd + "/") ? path.substr(cwd.size() + 1) : path;
}

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool names_file(const TraceEvent& event, const StateEvents& events, const MemoryImage& memory) {
  const std::string& path = events.argument;
  if (event.syscall == SYS_bind) {  // struct sockaddr_un: two bytes, then the path
    return last_part(text_at(memory, event.arguments[1] + 2)) == last_part(path);
  }
  if (last_part(path_of(event, memory)) == last_part(path)) return true;
  bool two =
      event.syscall == SYS_rename || event.syscall == SYS_link || event.syscall == SYS_symlink;
  return two && last_part(text_at(memory, event.arguments[1])) == last_part(path);
}

}  // namespace

const ExternalKind kinds::files = {.kind = CarrierKind::file, .concerns = names_file};

std::optional<FileView> read_written_files(const HeldProcess& held) {
  const gordian_wire::Header& header = held.memory().header();
  if (header.fs_dirs == 0) return std::nullopt;
  FileView view;
  for (unsigned d = 0; d < header.fs_dirs; ++d) {
    fs::path upper = root_of(held) / layer_base(held).substr(1) / fmt::format("u{}", d);
    read_layer(upper, header.fs_dir[d], view);
  }
  return view;
}

std::vector<ExternalChange> file_changes(const HeldProcess& held, const FileView& before,
                                         const FileView& after, const std::string& cwd) {
  std::vector<ExternalChange> changes;
  for (const auto& [path, is] : after) {
    auto earlier = before.find(path);
    FileState was = earlier == before.end() ? below(held, path) : earlier->second;
    if (was.kind == Kind::removed) was = kNoFile;
    if (was == is || (was.kind == Kind::removed && is.kind == Kind::removed)) continue;
    // A directory that only holds a changed file is no change of its own.
    if (was.kind == Kind::directory && is.kind == Kind::directory && was.mode == is.mode) continue;
    ExternalChange change;
    change.carrier.key = {CarrierKind::file, FileKey{shown_name(path, cwd)}};
    change.carrier.old_value = text_of(was);
    change.carrier.new_value = text_of(is);
    change.events = events_of(path);
    change.reset = [path = path, was, kind = is.kind](HeldProcess& process) {
      return put_file_back(process, path, was, kind);
    };
    changes.push_back(std::move(change));
  }
  // Files before the directories that hold them.
  std::reverse(changes.begin(), changes.end());
  return changes;
}

}  // namespace gordian
