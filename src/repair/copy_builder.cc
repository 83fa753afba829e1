// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/copy_builder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "runtime/native/children.h"

namespace gordian {
namespace {

/// Without colours, which -fdiagnostics-color=always prints also to us.
std::string without_colours(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      if (text[i] != '\r') plain += text[i];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '[') ++i;
    while (i + 1 < text.size() && !std::isalpha(static_cast<unsigned char>(text[i + 1]))) ++i;
    ++i;
  }
  return plain;
}

std::vector<std::string> lines_of(std::string_view output) {
  std::istringstream in(without_colours(output));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool has_any(std::string_view line, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [line](std::string_view word) {
    return line.find(word) != std::string_view::npos;
  });
}

bool is_of_compiler(std::string_view line) {
  if (line.starts_with("collect2:") || line.starts_with("ninja:")) return false;
  return has_any(line, {": error: ", ": fatal error: ", "undefined reference to ",
                        "multiple definition of ", "ld: cannot find ", "CMake Error"});
}

bool is_of_driver(std::string_view line) {
  return has_any(line, {"collect2: error", "ninja: error:", "*** ", "error: linker command failed",
                        "error:", "Error: "});
}

/// CMake says the place on one line and the matter on the next ones.
std::string with_matter(const std::vector<std::string>& lines, std::size_t at) {
  std::string line = trimmed(lines[at]);
  if (!line.starts_with("CMake ") || !line.ends_with(':')) return line;
  for (std::size_t i = at + 1; i < lines.size() && i <= at + 3; ++i) {
    if (const std::string matter = trimmed(lines[i]); !matter.empty()) return line + " " + matter;
  }
  return line;
}

template <class Is>
std::string first_that(const std::vector<std::string>& lines, Is is) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is(lines[i])) return with_matter(lines, i);
  }
  return {};
}

namespace fs = std::filesystem;

bool write_bytes(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << content;
  file.close();
  return file.good();
}

/// The clock of file systems is coarse: two writes within some milliseconds would look the same.
bool make_newest(const std::string& path) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const timespec times[] = {now, now};
  return ::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0;
}

constexpr std::size_t kKeptOutput = 16 * 1024;

/// Cuts chunks into lines.
class LineCutter {
 public:
  explicit LineCutter(const CopyBuilder::Tell& tell) : tell_(tell) {}
  ~LineCutter() {
    if (!rest_.empty()) tell_(rest_);
  }
  LineCutter(const LineCutter&) = delete;
  LineCutter& operator=(const LineCutter&) = delete;

  void take(std::string_view chunk) {
    rest_ += chunk;
    std::size_t at = 0;
    for (std::size_t end = 0; (end = rest_.find('\n', at)) != std::string::npos; at = end + 1) {
      tell_(std::string_view(rest_).substr(at, end - at));
    }
    rest_.erase(0, at);
  }

 private:
  const CopyBuilder::Tell& tell_;
  std::string rest_;
};

/// Messages in English, compilers' temporary files in our scratch, and no jobserver of a make that
/// may have started us.
SubprocessOptions options_of(const std::filesystem::path& directory,
                             const BuildSurroundings& surroundings) {
  SubprocessOptions options;
  options.working_dir = directory;
  options.env = {{"LC_ALL", "C.UTF-8"},
                 {"LANGUAGE", std::nullopt},
                 {"TMPDIR", surroundings.temporary.string()},
                 {"MAKEFLAGS", std::nullopt},
                 {"MFLAGS", std::nullopt},
                 {"MAKELEVEL", std::nullopt},
                 {"CLICOLOR_FORCE", std::nullopt}};
  options.timeout =
      surroundings.limit.count() > 0 ? surroundings.limit : std::chrono::hours(24 * 7);
  options.should_stop = surroundings.should_stop;
  return options;
}

std::string tail(const std::string& text) {
  return text.size() <= kKeptOutput ? text : "..." + text.substr(text.size() - kKeptOutput);
}

}  // namespace

std::string first_error(std::string_view output) {
  const std::vector<std::string> lines = lines_of(output);
  if (std::string found = first_that(lines, is_of_compiler); !found.empty()) return found;
  if (std::string found = first_that(lines, is_of_driver); !found.empty()) return found;
  for (std::size_t i = lines.size(); i-- > 0;) {
    if (const std::string line = trimmed(lines[i]); !line.empty()) return line;
  }
  return {};
}

std::vector<std::string> warnings_in(std::string_view output) {
  const std::vector<std::string> lines = lines_of(output);
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!has_any(lines[i], {": warning: ", "CMake Warning"})) continue;
    std::string warning = with_matter(lines, i);
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
      warnings.push_back(std::move(warning));
    }
  }
  return warnings;
}

std::string warning_key(std::string_view warning) {
  std::string key;
  for (std::size_t i = 0; i < warning.size(); ++i) {
    key += warning[i];
    if (warning[i] != ':') continue;
    std::size_t end = i + 1;
    while (end < warning.size() && std::isdigit(static_cast<unsigned char>(warning[end])) != 0) {
      ++end;
    }
    const bool is_number =
        end > i + 1 && (end == warning.size() || warning[end] == ':' || warning[end] == ' ');
    if (is_number) i = end - 1;
  }
  return key;
}

std::optional<std::string> CopiedFiles::original(const std::string& path) const {
  return whole_file(layers_.original(path));
}

Status CopiedFiles::write(const std::string& path, const std::string& content) {
  std::error_code failed;
  fs::create_directories(fs::path(path).parent_path(), failed);
  if (!write_bytes(path, content)) {
    fs::permissions(path, fs::perms::owner_write, fs::perm_options::add, failed);
    fs::permissions(fs::path(path).parent_path(), fs::perms::owner_write, fs::perm_options::add,
                    failed);
    if (!write_bytes(path, content)) {
      return internal_error("cannot write " + path + " in the copy: " + std::strerror(errno));
    }
  }
  if (!make_newest(path)) return internal_error("cannot set the time of " + path);
  return {};
}

Status CopiedFiles::put_back(const std::string& path) {
  if (const auto content = original(path)) return write(path, *content);
  std::error_code failed;
  fs::remove(path, failed);
  return {};
}

Status CopiedFiles::apply(const CopyContents& files) {
  for (const auto& [path, content] : files) {
    if (layers_.covers(path)) continue;
    return usage_error(path + " lies outside of the project's copy",
                       "name a source root that contains it, with --source");
  }
  const std::set<std::string> before = std::exchange(changed_, {});
  for (const std::string& path : before) {
    if (files.contains(path)) continue;
    if (Status done = put_back(path); !done) return done;
  }
  for (const auto& [path, content] : files) {
    Status done;
    if (!content) {
      done = put_back(path);
    } else {
      changed_.insert(path);
      if (whole_file(path) != content) done = write(path, *content);
    }
    if (!done) return done;
  }
  return {};
}

Result<SubprocessResult> run_in_copy(const std::vector<std::string>& argv,
                                     const std::filesystem::path& directory,
                                     const BuildSurroundings& surroundings,
                                     std::function<void(std::string_view)> on_output) {
  SubprocessOptions options = options_of(directory, surroundings);
  options.on_output = std::move(on_output);
  auto ran = run_subprocess(argv, options);
  end_orphans();
  if (!ran) return ran;
  if (ran->stopped) return Error{ErrorKind::interrupted, "interrupted", ""};
  return ran;
}

Result<BuildResult> CopyBuilder::build_these(const CopyContents& contents, const Tell& tell) {
  if (Status written = files_.apply(contents); !written) return written.error();
  const auto began = std::chrono::steady_clock::now();
  LineCutter lines(tell);
  auto ran = run_in_copy({"sh", "-c", "exec 2>&1\n" + command_}, directory_, surroundings_,
                         [&lines](std::string_view chunk) { lines.take(chunk); });
  if (!ran) return ran.error();
  BuildResult result;
  result.succeeded = ran->succeeded();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  output_ = std::move(ran->out);
  result.output = tail(output_);
  if (ran->timed_out) {
    result.first_error = fmt::format("the build did not end in {} s", surroundings_.limit.count());
  } else if (!result.succeeded) {
    result.first_error = first_error(output_);
    if (result.first_error.empty()) result.first_error = "the build failed and printed nothing";
  }
  return result;
}

std::vector<std::string> CopyBuilder::unknown_warnings(const std::string& output) const {
  std::vector<std::string> unknown;
  for (std::string& warning : warnings_in(output)) {
    if (!known_.contains(warning_key(warning))) unknown.push_back(std::move(warning));
  }
  return unknown;
}

Status CopyBuilder::measure(const CopyContents& contents, const Tell& tell) {
  CopyContents without = contents;
  for (auto& [path, content] : without) {
    if (measured_.insert(path).second && files_.original(path)) content = std::nullopt;
  }
  auto built = build_these(without, tell);
  if (!built) return built.error();
  for (const std::string& warning : warnings_in(output_)) known_.insert(warning_key(warning));
  return {};
}

Result<BuildResult> CopyBuilder::build(const ChangedFiles& files, const Tell& tell) {
  CopyContents contents;
  bool all_measured = true;
  for (const auto& [path, file] : files) {
    contents[path] = file.after;
    all_measured = all_measured && (measured_.contains(path) || !files_.original(path));
  }
  auto built = build_these(contents, tell);
  if (!built) return built;
  if (files.empty()) {
    for (const std::string& warning : warnings_in(output_)) known_.insert(warning_key(warning));
  }
  std::vector<std::string> unknown = unknown_warnings(output_);
  if (built->succeeded && !unknown.empty() && !all_measured) {
    const std::string first = output_;  // the only one that surely compiled new files
    const double seconds = built->seconds;
    if (Status measured = measure(contents, tell); !measured) return measured.error();
    built = build_these(contents, tell);
    if (!built) return built;
    built->seconds += seconds;
    unknown = unknown_warnings(first);
  }
  built->new_warnings = std::move(unknown);
  return built;
}

}  // namespace gordian
