// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/copy_builder.h"

#include <fmt/format.h>

#include "repair/build_output.h"
#include "runtime/native/children.h"

namespace gordian {
namespace {

constexpr std::size_t kKeptOutput = 16 * 1024;

/// Cuts chunks into lines.
class Lines {
 public:
  explicit Lines(const CopyBuilder::Tell& tell) : tell_(tell) {}
  ~Lines() {
    if (!rest_.empty()) tell_(rest_);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

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
  Lines lines(tell);
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
