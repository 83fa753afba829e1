// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/explain.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "explain/minimal_set.h"
#include "model/declared.h"
#include "runtime/process/process_collector.h"
#include "runtime/process/process_runner.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

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
  switch (candidate.file.part) {
    case FileKey::Part::content:
      return {0, depth};
    case FileKey::Part::entries:
      return {1, depth};
    case FileKey::Part::attributes:
      break;
  }
  return {2, depth};
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

class ProcessExplainer {
 public:
  ProcessExplainer(ProcessRunner& runner, const Dependence& dependence,
                   const ExplainOptions& options, ExplainListener& listener,
                   const std::function<bool()>& enough)
      : runner_(runner),
        dependence_(dependence),
        options_(options),
        listener_(listener),
        enough_(enough) {}

  Result<Explanation> explain();

 private:
  Status find_candidates();
  Status read_values();
  Result<ResetEffect> reset(const std::vector<std::size_t>& chosen);
  std::vector<std::size_t> minimal();
  bool prove(const std::vector<std::size_t>& chosen, Explanation& explanation);
  std::size_t reset_position() const;
  Carrier carrier_of(const ExternalCandidate& candidate, bool proved) const;
  Site site_of(std::size_t position) const;

  ProcessRunner& runner_;
  const Dependence& dependence_;
  const ExplainOptions& options_;
  ExplainListener& listener_;
  const std::function<bool()>& enough_;
  std::vector<ExternalCandidate> candidates_;
  std::vector<std::string> misses_;
  std::optional<Error> error_;
  bool as_stored_ = true, out_of_time_ = false;
};

Status ProcessExplainer::find_candidates() {
  const Order& witness = dependence_.witness;
  const std::size_t last = witness.size() - 1;
  auto recorded = record_order(runner_, witness);
  if (!recorded) return recorded.error();
  misses_ = std::move(recorded->misses);
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
std::size_t ProcessExplainer::reset_position() const {
  const Declared declared(runner_.suite());
  std::size_t position = dependence_.witness.size() - 1;
  while (position > 1 && declared.before(dependence_.witness[position - 1], dependence_.test)) {
    --position;
  }
  return position;
}

/// What stands there before the first test, and when the state would be put back.
Status ProcessExplainer::read_values() {
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

Result<ResetEffect> ProcessExplainer::reset(const std::vector<std::size_t>& chosen) {
  ProcessRunner::Extras extras;
  extras.put_back = PutBack{reset_position(), {}};
  for (std::size_t i : chosen) {
    if (!candidates_[i].is_file()) return ResetEffect::none;
    extras.put_back->files.push_back(candidates_[i].file);
  }
  auto run = runner_.run_one(dependence_.witness, extras);
  if (!run) return run.error();
  const Outcome& outcome = run->runs.back().outcome;
  if (same_result(outcome, dependence_.alone)) return ResetEffect::helped;
  return same_result(outcome, dependence_.witnessed) ? ResetEffect::none : ResetEffect::broke;
}

std::vector<std::size_t> ProcessExplainer::minimal() {
  return minimal_set(candidates_.size(),
                     [this](const std::vector<std::size_t>& chosen) -> std::optional<ResetEffect> {
                       out_of_time_ = out_of_time_ || enough_();
                       if (out_of_time_ || error_) return std::nullopt;
                       listener_.step(dependence_,
                                      chosen.size() == 1
                                          ? "putting back " + candidates_[chosen.front()].key.text()
                                          : fmt::format("putting back {} states", chosen.size()));
                       auto effect = reset(chosen);
                       if (effect) return *effect;
                       error_ = effect.error();
                       return std::nullopt;
                     });
}

bool ProcessExplainer::prove(const std::vector<std::size_t>& chosen, Explanation& explanation) {
  for (explanation.proofs = 0; explanation.proofs < options_.proofs; ++explanation.proofs) {
    auto effect = reset(chosen);
    if (!effect || *effect != ResetEffect::helped) return false;
  }
  return true;
}

/// The program that did it: more than its test is not known.
Site ProcessExplainer::site_of(std::size_t position) const {
  const TestId test = dependence_.witness[position];
  Site site;
  site.test = runner_.suite().test(test).full_name();
  const auto& argv = runner_.processes().step(runner_.processes().unit(test).test).argv;
  StackFrame frame;
  if (!argv.empty()) frame.module = frame.function = fs::path(argv.front()).filename().string();
  site.stack.push_back(std::move(frame));
  return site;
}

Carrier ProcessExplainer::carrier_of(const ExternalCandidate& candidate, bool proved) const {
  Carrier carrier;
  carrier.key = candidate.key;
  carrier.old_value = candidate.old_value;
  carrier.new_value = candidate.new_value;
  carrier.write = site_of(candidate.writer);
  carrier.read = site_of(dependence_.witness.size() - 1);
  carrier.proved = proved;
  return carrier;
}

Result<Explanation> ProcessExplainer::explain() {
  constexpr std::size_t kMostSuspects = 5;
  Explanation explanation;
  explanation.dependence = dependence_.id;
  listener_.step(dependence_, "watching which files are used");
  if (Status found = find_candidates(); !found) return found.error();
  explanation.changes = candidates_.size();
  if (candidates_.empty()) {
    explanation.why_not = as_stored_ ? "no file or peer that an earlier test writes is read by it"
                                     : "under the watch its result is another one";
    return explanation;
  }
  if (Status read = read_values(); !read) return read.error();
  std::vector<std::size_t> chosen;
  if (runner_.private_fs()) chosen = minimal();
  if (error_) return *error_;
  explanation.proved = !chosen.empty() && prove(chosen, explanation);
  for (std::size_t i : chosen) {
    explanation.carriers.push_back(carrier_of(candidates_[i], explanation.proved));
  }
  if (explanation.proved) return explanation;
  explanation.proofs = 0;
  for (std::size_t i = 0; chosen.empty() && i < candidates_.size() && i < kMostSuspects; ++i) {
    explanation.carriers.push_back(carrier_of(candidates_[i], false));
  }
  explanation.why_not = !runner_.private_fs()
                            ? "files are put back in a private file system only, and there is none"
                        : out_of_time_ ? "the time was over before all states had been put back"
                                       : "putting files back does not change the result";
  return explanation;
}

}  // namespace

Result<std::vector<Explanation>> explain_processes(const Target& target,
                                                   const std::vector<Dependence>& dependences,
                                                   const ExecutorOptions& engine,
                                                   const ExplainOptions& options,
                                                   ExplainListener& listener) {
  auto suite = ProcessSuite::open(target);
  if (!suite) return suite.error();
  auto runner = ProcessRunner::open(std::move(*suite), engine);
  if (!runner) return runner.error();
  const auto begin = Clock::now();
  const std::function<bool()> enough = [&] {
    return engine.should_stop() ||
           (options.budget.count() > 0 && Clock::now() - begin > options.budget);
  };
  std::vector<Explanation> all;
  for (const Dependence& dependence : dependences) {
    const auto start = Clock::now();
    auto explained =
        enough() ? Result<Explanation>(target_error("the time was over"))
                 : ProcessExplainer(**runner, dependence, options, listener, enough).explain();
    if (!explained && explained.error().kind == ErrorKind::interrupted) return explained.error();
    if (!explained) {
      Explanation none;
      none.dependence = dependence.id;
      none.why_not = explained.error().message;
      all.push_back(std::move(none));
    } else {
      all.push_back(std::move(*explained));
    }
    all.back().seconds = std::chrono::duration<double>(Clock::now() - start).count();
    listener.explained(dependence, all.back());
  }
  return all;
}

}  // namespace gordian
