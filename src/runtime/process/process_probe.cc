// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The state of processes: the witness runs once under flow/external. What its last test reads and
// an earlier one has written are the suspects. Files are put back to what they were before the
// first test; a peer cannot be.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "model/declared.h"
#include "runtime/process/process_runner.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

/// State that the last test reads and an earlier one has written.
struct ExternalCandidate {
  StateKey key;
  FileKey file;            ///< with its absolute path, if it is a file
  std::size_t writer = 0;  ///< position of the last one
  std::optional<std::string> old_value, new_value;

  bool is_file() const { return key.as<FileKey>() != nullptr; }
};

/// A file is closer to the cause than the directory that lists it, and that than its rights; and
/// what is inside of a directory is closer than the directory.
std::pair<int, std::ptrdiff_t> rank(const ExternalCandidate& candidate) {
  const std::string path = candidate.is_file() ? candidate.file.path : candidate.key.text();
  const auto depth = -std::count(path.begin(), path.end(), '/');
  if (!candidate.is_file()) return {3, depth};
  return {static_cast<int>(candidate.file.part), depth};  // they are declared in that order
}

/// "12 bytes: counter=3", "empty", "3 entries"; nullopt: not there.
std::optional<std::string> describe(const fs::path& root, const ExternalCandidate& candidate) {
  constexpr std::size_t kShown = 60;
  const bool rights = candidate.file.part == FileKey::Part::attributes;
  const fs::path full = root / fs::path(candidate.file.path).relative_path();
  struct stat st;
  if (::lstat(full.c_str(), &st) != 0) return std::nullopt;
  if (rights) return fmt::format("mode {:04o}", st.st_mode & 07777u);
  std::error_code none;
  if (S_ISDIR(st.st_mode)) {
    const auto entries = std::distance(fs::directory_iterator(full, none), {});
    return entries == 0
               ? std::string("an empty directory")
               : fmt::format("a directory with {} {}", entries, entries == 1 ? "entry" : "entries");
  }
  if (S_ISLNK(st.st_mode)) return "a link to " + fs::read_symlink(full, none).string();
  if (!S_ISREG(st.st_mode)) return "a special file";
  if (st.st_size == 0) return "empty";
  std::string text(kShown, '\0');
  std::ifstream(full, std::ios::binary).read(text.data(), kShown);
  text.resize(std::min<std::size_t>(text.size(), static_cast<std::size_t>(st.st_size)));
  const std::string line = text.substr(0, text.find('\n'));
  const bool plain = !line.empty() && std::all_of(line.begin(), line.end(), [](unsigned char c) {
    return c >= ' ' && c < 0x7f;
  });
  return plain ? fmt::format("{} bytes: {}", st.st_size, line)
               : fmt::format("{} bytes", st.st_size);
}

class ProcessProbe : public StateProbe {
 public:
  ProcessProbe(ProcessRunner& runner, const Dependence& dependence)
      : runner_(runner), dependence_(dependence) {}

  Result<std::optional<SuspectStates>> look() override;
  Result<std::optional<Outcome>> put_back(std::span<const std::size_t> suspects) override;

 private:
  Status find_candidates();
  Status read_values();
  std::size_t reset_position() const;
  Carrier carrier_of(const ExternalCandidate& candidate) const;
  Site site_of(std::size_t position) const;
  std::string why_not() const;

  ProcessRunner& runner_;
  const Dependence& dependence_;
  std::vector<ExternalCandidate> candidates_;
  bool as_stored_ = true, looked_ = false;
};

Status ProcessProbe::find_candidates() {
  const Order& witness = dependence_.witness;
  const std::size_t last = witness.size() - 1;
  auto recorded = record_order(runner_, witness);
  if (!recorded) return recorded.error();
  as_stored_ = same_result(recorded->run.runs.back().outcome, dependence_.witnessed);
  for (const ExternalAccess& read : recorded->tests[last].accesses) {
    if (!read.read) continue;
    for (std::size_t writer = last; writer-- > 0;) {
      const auto& accesses = recorded->tests[writer].accesses;
      const bool wrote =
          std::any_of(accesses.begin(), accesses.end(),
                      [&read](const ExternalAccess& a) { return a.write && a.key == read.key; });
      if (!wrote) continue;
      ExternalCandidate candidate{read.key, {}, writer, {}, {}};
      if (const auto* file = read.key.as<FileKey>()) {
        candidate.file = *file;
        if (!file->path.starts_with('/')) {
          candidate.file.path = runner_.processes().build_dir().string() + "/" + file->path;
        }
      }
      candidates_.push_back(std::move(candidate));
      break;
    }
  }
  std::stable_sort(
      candidates_.begin(), candidates_.end(),
      [](const ExternalCandidate& a, const ExternalCandidate& b) { return rank(a) < rank(b); });
  return {};
}

/// Before the last test, or before the ones that it declares if those run directly before it: they
/// make state that it has alone as well.
std::size_t ProcessProbe::reset_position() const {
  const Declared declared(runner_.suite());
  std::size_t position = dependence_.witness.size() - 1;
  while (position > 1 && declared.before(dependence_.witness[position - 1], dependence_.test)) {
    --position;
  }
  return position;
}

/// What stands there before the first test, and when the state would be put back.
Status ProcessProbe::read_values() {
  for (ExternalCandidate& candidate : candidates_) {
    if (candidate.is_file()) candidate.old_value = describe("/", candidate);
  }
  ProcessRunner::Extras extras;
  const std::size_t behind = reset_position() - 1;
  extras.at_hold = [&](std::size_t position, pid_t keeper) {
    if (position != behind) return;
    const fs::path root = fmt::format("/proc/{}/root", keeper);
    for (ExternalCandidate& candidate : candidates_) {
      if (candidate.is_file()) candidate.new_value = describe(root, candidate);
    }
  };
  auto run = runner_.run_one(dependence_.witness, extras);
  return run ? Status() : Status(run.error());
}

/// The program that did it: more than its test is not known.
Site ProcessProbe::site_of(std::size_t position) const {
  const TestId test = dependence_.witness[position];
  Site site;
  site.test = runner_.suite().test(test).full_name();
  const auto& argv = runner_.processes().step(runner_.processes().unit(test).test).argv;
  StackFrame frame;
  if (!argv.empty()) frame.module = frame.function = fs::path(argv.front()).filename().string();
  site.stack.push_back(std::move(frame));
  return site;
}

Carrier ProcessProbe::carrier_of(const ExternalCandidate& candidate) const {
  Carrier carrier;
  carrier.key = candidate.key;
  carrier.old_value = candidate.old_value;
  carrier.new_value = candidate.new_value;
  carrier.write = site_of(candidate.writer);
  carrier.read = site_of(dependence_.witness.size() - 1);
  return carrier;
}

std::string ProcessProbe::why_not() const {
  if (!as_stored_ && candidates_.empty()) return "under the watch its result is another one";
  if (candidates_.empty()) return "no file or peer that an earlier test writes is read by it";
  return runner_.private_fs()
             ? "putting files back does not change the result"
             : "files are put back in a private file system only, and there is none";
}

Result<std::optional<SuspectStates>> ProcessProbe::look() {
  if (std::exchange(looked_, true)) return std::optional<SuspectStates>();
  if (Status found = find_candidates(); !found) return found.error();
  if (!candidates_.empty()) {
    if (Status read = read_values(); !read) return read.error();
  }
  SuspectStates seen;
  for (const ExternalCandidate& candidate : candidates_) {
    seen.all.push_back({carrier_of(candidate)});
  }
  seen.of_program = candidates_.size();
  seen.can_be_put_back = runner_.private_fs();
  seen.why_not = why_not();
  return std::optional(std::move(seen));
}

Result<std::optional<Outcome>> ProcessProbe::put_back(std::span<const std::size_t> suspects) {
  ProcessRunner::Extras extras;
  extras.put_back = PutBack{reset_position(), {}};
  for (std::size_t i : suspects) {
    if (!candidates_[i].is_file()) return std::optional<Outcome>();
    extras.put_back->files.push_back(candidates_[i].file);
  }
  auto run = runner_.run_one(dependence_.witness, extras);
  if (!run) return run.error();
  return std::optional(std::move(run->runs.back().outcome));
}

class ProcessProber : public StateProber {
 public:
  explicit ProcessProber(std::unique_ptr<ProcessRunner> runner) : runner_(std::move(runner)) {}

  const Suite& suite() const override { return runner_->suite(); }
  std::unique_ptr<StateProbe> probe(const Dependence& dependence) override {
    return std::make_unique<ProcessProbe>(*runner_, dependence);
  }

 private:
  std::unique_ptr<ProcessRunner> runner_;
};

}  // namespace

Result<std::unique_ptr<StateProber>> process_prober(const Target& target,
                                                    const EngineOptions& engine) {
  SessionRequest request;
  request.target = target;
  request.engine = engine;
  auto runner = ProcessRunner::open(request);
  if (!runner) return runner.error();
  return std::unique_ptr<StateProber>(std::make_unique<ProcessProber>(std::move(*runner)));
}

}  // namespace gordian
