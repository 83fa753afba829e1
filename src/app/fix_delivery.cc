// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/fix_delivery.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/files.h"
#include "base/subprocess.h"
#include "repair/commit_text.h"

namespace gordian {
namespace {

constexpr const char* kElsewhere = "--diff FILE writes the patch to a file instead";

bool is_untouched(const std::string& path, const ChangedFile& file) {
  std::error_code none;
  if (!file.before) return !std::filesystem::exists(path, none);
  return whole_file(path) == file.before;
}

Status check_untouched(const ChangedFiles& files) {
  for (const auto& [path, file] : files) {
    if (is_untouched(path, file)) continue;
    if (!file.before) {
      return usage_error(fmt::format("{} is there already; nothing was changed", path),
                         fmt::format("move it away, or {}", kElsewhere));
    }
    return usage_error(
        fmt::format("{} has changed since the patch was made; nothing was changed", path),
        "gordian fix makes the patch anew");
  }
  return {};
}

/// Paths with changes that are not committed, as git names them; none where there is no git.
std::vector<std::string> dirty_files(const FixFacts& fix) {
  std::vector<std::string> argv = {
      "git",    "-C",          fix.source_root,        "--no-optional-locks",
      "status", "--porcelain", "--untracked-files=no", "--"};
  for (const auto& [path, file] : fix.files) {
    if (file.before) argv.push_back(path);
  }
  if (argv.back() == "--") return {};
  auto status = run_subprocess(argv);
  if (!status || !status->succeeded()) return {};
  std::vector<std::string> dirty;
  for (std::size_t at = 0; at < status->out.size();) {
    const std::size_t end = std::min(status->out.find('\n', at), status->out.size());
    if (end > at + 3) dirty.push_back(status->out.substr(at + 3, end - at - 3));
    at = end + 1;
  }
  return dirty;
}

Status check_committed(const FixFacts& fix) {
  const std::vector<std::string> dirty = dirty_files(fix);
  if (dirty.empty()) return {};
  return usage_error(
      fmt::format("{} has changes that are not committed, which a patch would mix with; nothing "
                  "was changed",
                  fmt::join(dirty, ", ")),
      fmt::format("commit or stash them, or --allow-dirty, or {}", kElsewhere));
}

/// The project is what the user has put into our hands, and what a patch is said to change.
Status check_inside(const FixFacts& fix) {
  std::error_code failed;
  const std::filesystem::path root = std::filesystem::canonical(fix.source_root, failed);
  if (failed || root.empty()) {
    return usage_error(
        fmt::format("the project \"{}\" is not there; nothing was changed", fix.source_root),
        fmt::format("--source DIR names it, or {}", kElsewhere));
  }
  for (const auto& [path, file] : fix.files) {
    const std::filesystem::path real = std::filesystem::weakly_canonical(path, failed);
    if (!failed && is_below(real, root)) continue;
    return usage_error(
        fmt::format("{} lies outside of the project {}, at {}; nothing was changed", path,
                    root.string(), real.string()),
        fmt::format("--source DIR names a directory that holds both, or {}", kElsewhere));
  }
  return {};
}

/// What can be found out without writing: half of a patch is worse than none.
Status check_writable(const ChangedFiles& files) {
  for (const auto& [path, file] : files) {
    std::error_code none;
    const std::filesystem::path real = std::filesystem::weakly_canonical(path, none);
    const std::string folder = real.parent_path().string();
    const bool both =
        ::access(folder.c_str(), W_OK) == 0 && (!file.before || ::access(real.c_str(), W_OK) == 0);
    if (both) continue;
    return usage_error(fmt::format("{} cannot be written; nothing was changed", path), kElsewhere);
  }
  return {};
}

void undo(const ChangedFiles& files, ChangedFiles::const_iterator written) {
  for (auto at = files.begin(); at != written; ++at) {
    const auto& [path, file] = *at;
    if (file.before) {
      (void)write_file(path, *file.before).ok();
    } else {
      ::unlink(path.c_str());
    }
  }
}

/// Of all fixes of one source, in one message.
std::string message_for(const std::string& source_root, const std::vector<FixReport>& all) {
  std::vector<const Patch*> patches;
  for (const FixReport& report : all) {
    if (report.fix.source_root != source_root) continue;
    for (const Repair& repair : report.fix.repairs) {
      const RepairAttempt* attempt = accepted_attempt(repair);
      if (attempt != nullptr) patches.push_back(&attempt->patch);
    }
  }
  return patches.empty() ? "" : combined_message(patches);
}

std::vector<FixReport*> with_patches(std::vector<FixReport>& reports) {
  std::vector<FixReport*> last;
  for (FixReport& report : reports) {
    if (!report.fix.files.empty() && is_last_of_its_source(report, reports)) {
      last.push_back(&report);
    }
  }
  return last;
}

Status write_diff(const std::vector<FixReport*>& patched, const std::string& file) {
  if (patched.size() > 1) {
    return usage_error("the patches belong to several source trees, and one diff cannot hold them",
                       "name the dependences of one: gordian fix D1 --diff FILE");
  }
  if (patched.empty()) return {};
  FixReport& report = *patched.front();
  if (Status written = write_file(file, report.fix.diff); !written) return written;
  std::error_code failed;
  if (file != "-") report.diff_file = std::filesystem::absolute(file, failed).string();
  return {};
}

}  // namespace

bool source_is_untouched(const ChangedFiles& files) {
  return check_untouched(files).ok();
}

Status apply_fix(const FixFacts& fix, const ApplyOptions& options) {
  if (Status inside = check_inside(fix); !inside) return inside;
  if (Status same = check_untouched(fix.files); !same) return same;
  if (!options.allow_dirty) {
    if (Status committed = check_committed(fix); !committed) return committed;
  }
  if (Status writable = check_writable(fix.files); !writable) return writable;
  for (auto at = fix.files.begin(); at != fix.files.end(); ++at) {
    Status written = write_file(at->first, at->second.after);
    if (written) continue;
    undo(fix.files, at);
    return Error{written.error().kind, written.error().message + "; nothing was changed",
                 kElsewhere};
  }
  return {};
}

bool is_last_of_its_source(const FixReport& report, const std::vector<FixReport>& all) {
  const auto last = std::find_if(all.rbegin(), all.rend(), [&report](const FixReport& other) {
    return other.fix.source_root == report.fix.source_root;
  });
  return last != all.rend() && &*last == &report;
}

Status deliver(std::vector<FixReport>& reports, const FixDelivery& delivery) {
  const std::vector<FixReport*> patched = with_patches(reports);
  for (FixReport* report : patched) {
    report->fix.commit_message = message_for(report->fix.source_root, reports);
  }
  if (!delivery.diff.empty()) {
    if (Status written = write_diff(patched, delivery.diff); !written) return written;
  }
  if (!delivery.apply) return {};
  for (FixReport* report : patched) {
    Status applied = apply_fix(report->fix, {delivery.allow_dirty});
    if (!applied) return applied;
    report->applied = true;
  }
  return {};
}

}  // namespace gordian
