// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/fix_delivery.h"

#include <algorithm>
#include <filesystem>

#include "app/apply_fix.h"
#include "repair/commit_text.h"
#include "report/write_file.h"

namespace gordian {
namespace {

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
